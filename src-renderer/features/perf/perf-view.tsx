// The Perf lab: the plan on the left, the run on the right, with history, comparison and sweeps beside it.

import { useEffect } from 'react';

import { useCommand } from '../../lib/command-registry.ts';
import type { FeatureViewProps } from '../../lib/feature.ts';
import { setSizes, useWorkspace } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { FormAndResults } from '../../ui/form-and-results.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AppliedBanner } from './components/applied-banner.tsx';
import { ComparePane } from './components/compare-pane.tsx';
import { HistoryPane } from './components/history-pane.tsx';
import { PlanPanel } from './components/plan-panel.tsx';
import { RunPane } from './components/run-pane.tsx';
import { SweepPane } from './components/sweep-pane.tsx';
import type { PerfPane } from './perf-store.ts';
import { perfUi, refreshRuns, showRun, usePerf } from './perf-store.ts';
import type { RunsState } from './use-perf.ts';
import { useFollowRuns, useRuns } from './use-perf.ts';
import type { StartState } from './use-start.ts';
import { useChosenModel, usePreset, useStart } from './use-start.ts';

const SPLIT = 'perf';

/** The address may name a model, a preset, a run, or runs to compare (`?model=`, `?preset=`, `?run=`, `?compare=`). */
export function PerfScreen({ address }: FeatureViewProps) {
  useFollowRuns();
  const list = useRuns();
  useChosenModel(address.query['model'] ?? '', list);
  usePreset(address);
  useWantedRun(address);
  const start = useStart();
  const sizes = useWorkspace((state) => state.sizes[SPLIT]);
  return (
    <div className="flex min-h-0 flex-1" data-testid="perf-view">
      <FormAndResults
        id={SPLIT}
        label={t('perf.split')}
        sizes={sizes}
        onSizes={(next) => setSizes(SPLIT, next)}
        formId="plan"
        form={<PlanPanel start={start} />}
        results={<Panes list={list} start={start} />}
      />
    </div>
  );
}

/** Addresses whose run was shown: coming back to the tab must not undo what was chosen since. */
const followed = new WeakSet<object>();

/** An address may name the run to look at, or the runs to compare. */
function useWantedRun(address: FeatureViewProps['address']): void {
  useEffect(() => {
    const { run, compare } = address.query;
    if ((run ?? compare) === undefined || followed.has(address)) return;
    followed.add(address);
    if (run !== undefined) showRun(run);
    if (compare === undefined) return;
    perfUi.setState({ compared: compare.split(','), pane: 'compare' });
    refreshRuns();
  }, [address]);
}

function Panes({ list, start }: { readonly list: RunsState; readonly start: StartState }) {
  const pane = usePerf((state) => state.pane);
  const compared = usePerf((state) => state.compared);
  const done = list.runs.filter(({ levelCount }) => levelCount > 0).slice(0, 2);
  const compareLast = (): void => {
    perfUi.setState({ compared: done.map(({ id }) => id).toReversed(), pane: 'compare' });
  };
  useCommand('perf.compareLast', compareLast, () => (done.length < 2 ? t('perf.compare.empty') : undefined));
  return (
    <Tabs
      label={t('perf.panes')}
      value={pane}
      isTitled
      onChange={(id) => perfUi.setState({ pane: id as PerfPane })}
      items={[
        { id: 'run', title: t('perf.pane.run'), testId: 'perf-tab-run' },
        {
          id: 'history',
          title: t('perf.pane.history'),
          testId: 'perf-tab-history',
          mark: <Mark count={list.runs.length} />,
        },
        {
          id: 'compare',
          title: t('perf.pane.compare'),
          testId: 'perf-tab-compare',
          mark: <Mark count={compared.length} />,
        },
        { id: 'sweep', title: t('perf.pane.sweep'), testId: 'perf-tab-sweep' },
      ]}
    >
      <AppliedBanner />
      <div className="relative flex min-h-0 flex-1 flex-col overflow-auto bg-canvas p-3" tabIndex={-1}>
        {pane === 'run' && <RunPane list={list} start={start} />}
        {pane === 'history' && <HistoryPane list={list} />}
        {pane === 'compare' && <ComparePane list={list} />}
        {pane === 'sweep' && <SweepPane list={list} />}
      </div>
    </Tabs>
  );
}

function Mark({ count }: { readonly count: number }) {
  return count === 0 ? null : <span className="text-sm text-faint">{count}</span>;
}
