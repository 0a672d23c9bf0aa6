// One family of metrics: what it means, how it is asked for, and its lines with their labels.

import { Search } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';

import type { MetricFamilyView, MetricSeriesView } from '../../../../src-shared/contract/metrics-calls.ts';
import { modelAddress } from '../../../lib/address.ts';
import { open } from '../../../lib/workspace-store.ts';
import { useModels } from '../../../engine/engine-context.tsx';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { LongTable } from '../../../ui/long-table.tsx';
import { Sparkline } from '../../../ui/sparkline.tsx';
import { metricsStore, seriesText, seriesTrack } from './metric-history.ts';
import { familyCommand, familyQuery, seriesQuery } from './metric-query.ts';
import { formatMetric } from './metric-units.ts';

/** `url`: of the metrics endpoint; undefined = it has no address. */
export function FamilyDetails({
  family,
  url,
}: {
  readonly family: MetricFamilyView;
  readonly url: string | undefined;
}) {
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  return (
    <section
      ref={setScroller}
      aria-label={family.name}
      data-testid="metric-details"
      className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto bg-canvas p-3"
    >
      <header className="flex flex-col gap-1">
        <h3 className="flex flex-wrap items-center gap-2">
          <code className="text-md font-semibold break-all text-strong">{family.name}</code>
          <CopyButton text={family.name} label={t('metrics.copyName', { name: family.name })} isIconOnly />
          <Badge>{t(`metrics.kind.${family.kind}`)}</Badge>
        </h3>
        <p className="text-soft" data-testid="metric-help">
          {family.help ?? t('metrics.noHelp')}
        </p>
        <p className="text-sm text-faint">{t(`metrics.kindHelp.${family.kind}`)}</p>
      </header>
      <div className="flex flex-col gap-2">
        <CodeBlock text={familyQuery(family)} label={t('metrics.promql')} testId="metric-promql" isWrapped />
        {url !== undefined && (
          <CodeBlock
            text={familyCommand(url, family)}
            label={t('metrics.curl')}
            testId="metric-curl"
            isWrapped
          />
        )}
      </div>
      <Lines family={family} scroller={scroller} />
    </section>
  );
}

function Lines({
  family,
  scroller,
}: {
  readonly family: MetricFamilyView;
  readonly scroller: HTMLElement | null;
}) {
  const view = useStore(metricsStore, (state) => state.view);
  const tracks = useStore(metricsStore, (state) => state.tracks);
  const match = useStore(metricsStore, (state) => state.match);
  // Right after another family was chosen its lines are on their way.
  const lines = (view?.series ?? []).filter(({ name }) => isOf(family, name));
  const count = lines.length === 0 ? 0 : (view?.matchingCount ?? 0);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <TextInput
          icon={Search}
          value={match}
          onChange={(next) => metricsStore.setState({ match: next })}
          placeholder={t('metrics.match')}
          aria-label={t('metrics.match')}
          data-testid="metric-match"
          className="w-56"
        />
        <span className="text-sm text-faint tabular-nums" data-testid="metric-line-count">
          {count > lines.length
            ? t('metrics.firstLines', { shown: lines.length, count })
            : t('metrics.lines', { count })}
        </span>
      </div>
      <div className="rounded-md border border-line bg-surface">
        <LongTable<MetricSeriesView>
          label={t('metrics.linesOf', { name: family.name })}
          testId="metric-lines"
          rows={lines}
          keyOf={seriesText}
          scroller={scroller}
          columns={[
            {
              id: 'labels',
              title: t('metrics.col.labels'),
              cell: (line) => <Labels family={family} line={line} />,
            },
            {
              id: 'value',
              title: t('metrics.col.value'),
              align: 'end',
              cell: ({ name, value }) => (
                <span className="whitespace-nowrap text-strong tabular-nums" title={String(value)}>
                  {formatMetric(name, value)}
                </span>
              ),
            },
            {
              id: 'trend',
              title: t('metrics.col.trend'),
              align: 'end',
              cell: (line) => (
                <Sparkline
                  points={seriesTrack(tracks, line)?.points ?? []}
                  label={t('metrics.trendOf', {
                    name: seriesText(line),
                    value: formatMetric(line.name, line.value),
                  })}
                />
              ),
            },
            {
              id: 'copy',
              title: t('metrics.col.copy'),
              align: 'end',
              cell: (line) => (
                <CopyButton
                  text={seriesQuery(family.kind, line)}
                  label={t('metrics.copyLine', { line: seriesText(line) })}
                  isIconOnly
                />
              ),
            },
          ]}
        />
      </div>
    </div>
  );
}

function isOf({ name, kind }: MetricFamilyView, line: string): boolean {
  if (line === name) return true;
  return (
    (kind === 'histogram' || kind === 'summary') && /^_(?:bucket|sum|count)$/.test(line.slice(name.length))
  );
}

/** The model of a line leads to its page. */
function Labels({ family, line }: { readonly family: MetricFamilyView; readonly line: MetricSeriesView }) {
  const byName = useModels((state) => state.byName);
  const suffix = line.name.slice(family.name.length);
  const pairs = Object.entries(line.labels);
  return (
    <span className="flex flex-wrap gap-x-2 gap-y-0.5 font-mono text-sm">
      {suffix !== '' && <span className="text-faint">{suffix}</span>}
      {pairs.length === 0 && suffix === '' && (
        <span className="font-sans text-faint">{t('metrics.noLabels')}</span>
      )}
      {pairs.map(([label, value]) => (
        <span key={label} className="break-all">
          <span className="text-faint">{label}=</span>
          {label === 'model' && byName.has(value) ? (
            <button
              type="button"
              className="rounded text-accent hover:underline"
              onClick={() => open(modelAddress(value))}
            >
              {value}
            </button>
          ) : (
            <span className="text-strong">{value}</span>
          )}
        </span>
      ))}
    </span>
  );
}
