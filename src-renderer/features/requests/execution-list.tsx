// What ran lately on all ready models: one row per batch, with the requests in it and why it was closed.

import { useEffect, useState } from 'react';

import type { ExecutionView } from '../../../src-shared/contract/observe-views.ts';
import { useClient, useModels, useSamples } from '../../engine/engine-context.tsx';
import { modelAddress } from '../../lib/address.ts';
import { formatMicros } from '../../lib/format.ts';
import { open } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Column } from '../../ui/table-model.ts';
import { modelColumn, timeColumn } from './request-columns.tsx';

interface Execution extends ExecutionView {
  readonly key: string;
  readonly model: string;
}

const MAX_ROWS = 2000;

/** Newest first, of all models. */
export function ExecutionList() {
  const executions = useLatestExecutions();
  return (
    <DataTable<Execution>
      label={t('requests.label')}
      testId="requests-table"
      rows={executions}
      columns={columns()}
      keyOf={keyOf}
      onOpen={({ model }) => open(modelAddress(model, 'statistics'))}
      empty={<EmptyState title={t('requests.none')} text={t('requests.noneText')} />}
    />
  );
}

const keyOf = ({ key }: Execution): string => key;

/** Asked for every two seconds while this panel is shown. */
function useLatestExecutions(): readonly Execution[] {
  const client = useClient();
  const tick = useSamples(({ second }) => Math.floor(second / 2));
  const names = useModels(({ models }) =>
    models
      .filter(({ state, isEnsemble }) => state === 'ready' && !isEnsemble)
      .map(({ name }) => name)
      .join('\n'),
  );
  const [executions, setExecutions] = useState<readonly Execution[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const models = names.split('\n').filter((name) => name !== '');
    void Promise.allSettled(
      models.map(async (model) => {
        const views = await client.call('observe/executions', { model, version: '' }, { signal });
        return views.map((view, index) => ({
          ...view,
          model,
          key: `${model} ${view.atMs} ${view.instance} ${index}`,
        }));
      }),
    ).then((answers) => {
      if (signal.aborted) return;
      const all = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      setExecutions(all.toSorted((a, b) => b.atMs - a.atMs).slice(0, MAX_ROWS));
    });
    return () => controller.abort();
  }, [client, names, tick]);
  return executions;
}

function columns(): readonly Column<Execution>[] {
  return [
    timeColumn(),
    modelColumn({
      width: 160,
      onOpen: ({ model }) => open(modelAddress(model, 'statistics')),
      testIdOf: ({ model }) => `requests-open-${model}`,
    }),
    {
      id: 'instance',
      title: t('requests.instance'),
      width: 132,
      isGrowing: true,
      cell: ({ instance }) => (
        <span className="truncate" title={instance}>
          {instance}
        </span>
      ),
    },
    {
      id: 'requests',
      title: t('requests.requests'),
      width: 84,
      align: 'end',
      sortValue: ({ requestCount }) => requestCount,
      cell: ({ requestCount }) => requestCount,
    },
    {
      id: 'batch',
      title: t('requests.batch'),
      width: 84,
      align: 'end',
      sortValue: ({ batchSize }) => batchSize,
      cell: ({ batchSize }) => batchSize,
    },
    {
      id: 'reason',
      title: t('requests.reason'),
      width: 132,
      cell: ({ closeReason }) => <span className="truncate text-soft">{closeReason}</span>,
    },
    {
      id: 'queue',
      title: t('requests.queue'),
      width: 108,
      align: 'end',
      sortValue: ({ oldestQueueUs }) => oldestQueueUs,
      cell: ({ oldestQueueUs }) => formatMicros(oldestQueueUs),
    },
    {
      id: 'infer',
      title: t('requests.infer'),
      width: 92,
      align: 'end',
      sortValue: ({ inferUs }) => inferUs,
      cell: ({ inferUs }) => formatMicros(inferUs),
    },
  ];
}
