// The line above a chart: title, unit, what it leaves out, how old it is, its legend and its switches.

import { ChartNoAxesCombined, ChartNoAxesColumnIncreasing, Table2, TrendingUp } from 'lucide-react';

import { t } from '../texts/translate.ts';
import { ChartLegend } from './chart-legend.tsx';
import type { ChartSeries } from './chart-types.ts';
import { IconButton } from './icon-button.tsx';

interface Switch {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export interface ChartHeaderProps {
  readonly title: string;
  readonly unitText: string;
  readonly note: string;
  readonly staleMs: number | undefined;
  readonly series: readonly ChartSeries[];
  readonly alone: string | undefined;
  readonly onAlone: (key: string | undefined) => void;
  /** Undefined = the axis is always linear. */
  readonly log: Switch | undefined;
  readonly table: Switch;
  readonly testId: string | undefined;
}

export function ChartHeader({
  title,
  unitText,
  note,
  staleMs,
  series,
  log,
  table,
  ...rest
}: ChartHeaderProps) {
  const { alone, onAlone, testId } = rest;
  const idOf = (part: string): string | undefined => (testId === undefined ? undefined : `${testId}-${part}`);
  return (
    <header className="flex min-h-9 items-center gap-2 pr-1 pl-3">
      <h3 className="font-semibold whitespace-nowrap text-strong">{title}</h3>
      <span className="text-sm whitespace-nowrap text-faint">{unitText}</span>
      {note !== '' && <span className="truncate text-sm text-faint">{note}</span>}
      {staleMs !== undefined && (
        <span className="text-sm whitespace-nowrap text-warn" data-testid={idOf('stale')}>
          {t('chart.stale', { seconds: Math.round(staleMs / 1000) })}
        </span>
      )}
      <div className="ml-auto flex min-w-0 items-center">
        {series.length > 1 && <ChartLegend series={series} alone={alone} onAlone={onAlone} />}
        {log !== undefined && (
          <IconButton
            label={t(log.isOn ? 'chart.linearAxis' : 'chart.logAxis')}
            icon={log.isOn ? ChartNoAxesColumnIncreasing : ChartNoAxesCombined}
            aria-pressed={log.isOn}
            data-testid={idOf('log')}
            onClick={() => log.onChange(!log.isOn)}
          />
        )}
        <IconButton
          label={t(table.isOn ? 'chart.viewAsChart' : 'chart.viewAsTable')}
          icon={table.isOn ? TrendingUp : Table2}
          data-testid={idOf('table')}
          onClick={() => table.onChange(!table.isOn)}
        />
      </div>
    </header>
  );
}
