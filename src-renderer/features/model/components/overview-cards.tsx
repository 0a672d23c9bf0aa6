// The smaller cards of the overview: files, who uses the model, instances, notes, code.

import { useState } from 'react';

import type { StatisticsView } from '../../../../src-shared/contract/observe-views.ts';
import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import { isLoaded } from '../../../actions/model-actions.ts';
import { useSamples } from '../../../engine/engine-context.tsx';
import { useCall } from '../../../engine/use-call.ts';
import { modelAddress } from '../../../lib/address.ts';
import {
  formatBytes,
  formatClock,
  formatCount,
  formatDateTime,
  formatMillis,
  formatPercent,
} from '../../../lib/format.ts';
import { grownBy } from '../../../lib/memory-growth.ts';
import { toldPhases } from '../../../lib/load-phases.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Card, Facts } from '../../../ui/card.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Select } from '../../../ui/select.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';
import type { PlaygroundRequest } from '../../../../src-shared/contract/inference-calls.ts';

function backendOf({ backend, isEnsemble }: ModelView): string {
  if (isEnsemble) return t('model.facts.noBackend');
  return backend === '' ? t('model.lens.unknown') : backend;
}

/** How the model was loaded, and how long each phase took. */
export function AboutCard({ model }: { readonly model: ModelView }) {
  const { timings, loadedAtMs } = model;
  const phases = timings === undefined ? [] : toldPhases(timings.phases, timings.totalMs);
  return (
    <Card title={t('model.facts')}>
      <Facts
        items={[
          [t('model.facts.backend'), backendOf(model)],
          [
            t('model.facts.loaded'),
            loadedAtMs === 0
              ? '–'
              : t('model.facts.loadedAt', {
                  time: formatClock(loadedAtMs),
                  duration: formatMillis(timings?.totalMs),
                  memory: timings === undefined ? '' : grownBy(timings),
                }),
          ],
          ...(phases.length === 0
            ? []
            : [
                [
                  t('model.facts.phases'),
                  <span key="phases" data-testid="load-phases">
                    {phases.map(({ text, ms }) => `${text} ${formatMillis(ms)}`).join(', ')}
                  </span>,
                ] as const,
              ]),
          [
            t('model.facts.folder'),
            <code key="path" className="break-all">
              {model.path}
            </code>,
          ],
          ...(model.uses.length > 0
            ? [[t('model.uses'), <Links key="uses" names={model.uses} />] as const]
            : []),
          [
            t('model.usedBy'),
            model.usedBy.length > 0 ? <Links key="usedBy" names={model.usedBy} /> : t('model.usedBy.none'),
          ],
        ]}
      />
    </Card>
  );
}

function Links({ names }: { readonly names: readonly string[] }) {
  return (
    <span className="flex flex-wrap gap-x-2">
      {names.map((name) => (
        <button
          key={name}
          type="button"
          className="rounded text-accent hover:underline"
          onClick={() => open(modelAddress(name))}
        >
          {name}
        </button>
      ))}
    </span>
  );
}

/** The files of the model's folder with their sizes and dates. */
export function FilesCard({ model }: { readonly model: ModelView }) {
  const files = useCall(
    'repository/files',
    { model: model.name },
    `${model.loadedAtMs} ${String(model.changedOnDisk)}`,
  );
  return (
    <Card title={t('model.files')}>
      <SimpleTable
        label={t('model.files')}
        rows={files.data ?? []}
        keyOf={({ path }) => path}
        columns={[
          { id: 'path', title: t('model.files.path'), isMono: true, cell: ({ path }) => path },
          {
            id: 'size',
            title: t('model.files.size'),
            align: 'end',
            cell: ({ byteSize }) => formatBytes(byteSize),
          },
          {
            id: 'modified',
            title: t('model.files.modified'),
            align: 'end',
            cell: ({ modifiedAtMs }) => formatDateTime(modifiedAtMs),
          },
        ]}
      />
    </Card>
  );
}

interface HostRow {
  readonly host: StatisticsView['instances'][number]['host'];
}

/** Of the processes that instances have of their own. */
const HOST_COLUMNS = [
  {
    id: 'pid',
    title: t('model.instances.pid'),
    align: 'end' as const,
    isMono: true,
    cell: ({ host }: HostRow) =>
      host === undefined ? '–' : host.pid === 0 ? t('model.instances.starting') : String(host.pid),
  },
  {
    id: 'memory',
    title: t('model.instances.memory'),
    align: 'end' as const,
    cell: ({ host }: HostRow) => formatBytes(host?.memoryBytes),
  },
  {
    id: 'restarts',
    title: t('model.instances.restarts'),
    align: 'end' as const,
    cell: ({ host }: HostRow) => (host === undefined ? '–' : formatCount(host.restartCount)),
  },
];

/** One row for each instance; asked for again every few seconds. */
export function InstancesCard({ model, version }: { readonly model: ModelView; readonly version: string }) {
  const loaded = isLoaded(model);
  const second = useSamples((state) => Math.floor(state.second / 5));
  const target = loaded ? { model: model.name, version } : undefined;
  const statistics = useCall('observe/statistics', target, second);
  const views = statistics.data ?? [];
  const instances = views.flatMap((view) =>
    view.instances.map((instance) => ({ ...instance, version: view.version })),
  );
  const isMany = views.length > 1;
  const hasHosts = instances.some(({ host }) => host !== undefined);
  const versionColumn = {
    id: 'version',
    title: t('model.version'),
    isMono: true,
    cell: ({ version: of }: { readonly version: string }) => of,
  };
  return (
    <Card title={t('model.instances.title')}>
      {instances.length === 0 ? (
        <p className="text-faint">
          {loaded ? t('model.instances', { count: model.instanceCount }) : t('model.instances.none')}
        </p>
      ) : (
        <SimpleTable
          label={t('model.instances.title')}
          rows={instances}
          keyOf={({ name, version: of }) => `${of} ${name}`}
          columns={[
            ...(isMany ? [versionColumn] : []),
            { id: 'name', title: t('model.instances.name'), isMono: true, cell: ({ name }) => name },
            { id: 'device', title: t('model.instances.device'), cell: ({ device }) => device },
            ...(hasHosts ? HOST_COLUMNS : []),
            {
              id: 'count',
              title: t('model.instances.executions'),
              align: 'end',
              cell: ({ executionCount }) => formatCount(executionCount),
            },
            {
              id: 'busy',
              title: t('model.instances.busy'),
              align: 'end',
              cell: ({ busy }) => formatPercent(busy),
            },
          ]}
        />
      )}
    </Card>
  );
}

/** A request as code in one of several languages. */
export function SnippetCard({ request }: { readonly request: PlaygroundRequest | undefined }) {
  const snippets = useCall('playground/snippets', request);
  const [language, setLanguage] = useState('');
  const chosen = snippets.data?.find((snippet) => snippet.title === language) ?? snippets.data?.[0];
  return (
    <Card
      title={t('model.snippet')}
      actions={
        chosen !== undefined && (
          <Select
            aria-label={t('model.snippet.language')}
            value={chosen.title}
            onChange={setLanguage}
            options={(snippets.data ?? []).map(({ title }) => ({ value: title, label: title }))}
          />
        )
      }
    >
      {chosen === undefined ? (
        <p className="text-faint">
          {snippets.error === undefined ? t('model.snippet.none') : snippets.error}
        </p>
      ) : (
        <CodeBlock
          text={chosen.code}
          testId="model-snippet"
          className="max-h-72 overflow-hidden [&_pre]:max-h-72"
        />
      )}
    </Card>
  );
}
