// The line above a chart: title, unit, what it leaves out, how old it is, its legend and its switches.

import { ChartNoAxesCombined, ChartNoAxesColumnIncreasing, Table2, TrendingUp } from 'lucide-react';

import { memo } from 'react';

import { t } from '../texts/translate.ts';
import { ChartLegend } from './chart-legend.tsx';
import type { ChartSeries } from './chart-types.ts';
import { IconButton } from './icon-button.tsx';

/** What stands above a chart. */
export interface ChartHeaderProps {
  readonly title: string;
  readonly unitText: string;
  readonly note: string;
  readonly staleMs: number | undefined;
  readonly series: readonly ChartSeries[];
  readonly alone: string | undefined;
  /** Key of the series to show alone; undefined = all of them. */
  readonly onAlone: (key: string | undefined) => void;
  /** False = the axis is always linear. */
  readonly canLog: boolean;
  readonly isLog: boolean;
  /** What the axis is to be now. */
  readonly onLog: (isLog: boolean) => void;
  readonly isTable: boolean;
  /** True = numbers in a table in place of the drawing. */
  readonly onTable: (isTable: boolean) => void;
  readonly testId: string | undefined;
}

/** Drawn again when one of its words changes, not for every new point. */
export const ChartHeader = memo(function ChartHeader({
  title,
  unitText,
  note,
  staleMs,
  series,
  isLog,
  isTable,
  ...rest
}: ChartHeaderProps) {
  const { alone, onAlone, canLog, onLog, onTable, testId } = rest;
  const idOf = (part: string): string | undefined => (testId === undefined ? undefined : `${testId}-${part}`);
  return (
    <header className="flex min-h-9 items-center gap-2 pr-1 pl-3">
      <h3 className="font-semibold whitespace-nowrap text-strong">{title}</h3>
      <span className="text-sm whitespace-nowrap text-faint">{unitText}</span>
      {note !== '' && (
        <span className="truncate text-sm text-faint" title={note}>
          {note}
        </span>
      )}
      {staleMs !== undefined && (
        <span className="text-sm whitespace-nowrap text-warn" data-testid={idOf('stale')}>
          {t('chart.stale', { seconds: Math.round(staleMs / 1000) })}
        </span>
      )}
      <div className="ml-auto flex min-w-0 items-center">
        {series.length > 1 && <ChartLegend series={series} alone={alone} onAlone={onAlone} />}
        {canLog && (
          <IconButton
            label={t(isLog ? 'chart.linearAxis' : 'chart.logAxis')}
            icon={isLog ? ChartNoAxesColumnIncreasing : ChartNoAxesCombined}
            aria-pressed={isLog}
            data-testid={idOf('log')}
            onClick={() => onLog(!isLog)}
          />
        )}
        <IconButton
          label={t(isTable ? 'chart.viewAsChart' : 'chart.viewAsTable')}
          icon={isTable ? TrendingUp : Table2}
          data-testid={idOf('table')}
          onClick={() => onTable(!isTable)}
        />
      </div>
    </header>
  );
});
