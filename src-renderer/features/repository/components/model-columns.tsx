// The columns of the list of models, in their order.

import { CircleAlert, Copy, FlaskConical, FolderX, ShieldAlert, TriangleAlert } from 'lucide-react';

import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import { isLoaded } from '../../../actions/model-actions.ts';
import { isWithoutFolder } from '../../../lib/model-folder.ts';
import { shownState, stateDetail } from '../../../lib/model-state.ts';
import { problemsOf } from '../../../lib/problem-count.ts';
import { gpuMemoryBytes, gpuMemoryLines, gpuMemoryShort } from '../../../lib/gpu-memory.ts';
import { memoryShort, modelMemory } from '../../../lib/model-memory.ts';
import { t } from '../../../texts/translate.ts';
import { Breakable } from '../../../ui/breakable.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { cx } from '../../../ui/cx.ts';
import type { IconType } from '../../../ui/icon.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { StateChip } from '../../../ui/state-chip.tsx';
import type { Column } from '../../../ui/table-model.ts';
import { LastCell, P99Cell, RateCell, WaitingCell } from './live-cells.tsx';
import { RowActions } from './row-actions.tsx';

const STATE_ORDER = [
  'failed',
  'degraded',
  'ready-changed',
  'ready',
  'loading',
  'unloading',
  'unloaded',
  'not-runnable',
];

const WORDS: ReadonlySet<string> = new Set(['failed', 'loading', 'not-runnable']);

/** What is to be said of a model that has no numbers: why it failed, how far its load is. Undefined = it has numbers. */
function wordsOf(model: ModelView): string | undefined {
  return WORDS.has(shownState(model)) && model.servedVersions.length === 0 ? stateDetail(model) : undefined;
}

const stateColumn = (): Column<ModelView> => ({
  id: 'state',
  title: t('models.col.state'),
  width: 128,
  isGrowing: true,
  growth: 2,
  sticky: 'start',
  sortValue: (model) => STATE_ORDER.indexOf(shownState(model)),
  cell: (model) => (
    <StateChip
      state={shownState(model)}
      detail={wordsOf(model) === undefined ? stateDetail(model) : ''}
      testId={`model-state-${model.name}${model.isShadowed ? '-shadowed' : ''}`}
    />
  ),
});

/** Of a name in the font of the table, on the average. */
const LETTER_PX = 7.5;
const NAME_PX = 188;
const MAX_NAME_PX = 320;
/** What takes more is written smaller, in two lines. */
const LONG_NAME = 40;
/** Letters of the longest name that a wide window has room for in the size of the others. */
const FITS_WIDE = 60;

/** As wide as the longest name needs, as far as there is room; `growth` says how much of what is left it takes. */
function nameRoom(longest: number): Pick<Column<ModelView>, 'width' | 'growth'> {
  const needed = longest * LETTER_PX + 20;
  return {
    width: Math.round(Math.min(Math.max(NAME_PX, needed), MAX_NAME_PX)),
    growth: needed > NAME_PX ? 9 : 3,
  };
}

const nameColumn = (longest: number): Column<ModelView> => ({
  id: 'name',
  title: t('models.col.name'),
  ...nameRoom(longest),
  isGrowing: true,
  sortValue: ({ name }) => name,
  cell: (model) => (
    // The chip goes to a second line, which is not seen, where it would cut the name.
    <span className="flex h-6 min-w-0 flex-wrap items-center gap-x-2 overflow-hidden">
      <span className="flex h-6 max-w-full min-w-0 items-center gap-2">
        <span
          className={cx(
            'font-medium text-strong',
            model.name.length > LONG_NAME ? 'line-clamp-2 text-xs leading-3 wrap-anywhere' : 'truncate',
            model.name.length > LONG_NAME &&
              model.name.length <= FITS_WIDE &&
              'min-[1800px]:text-base min-[1800px]:leading-5',
          )}
          title={model.name}
        >
          {model.name.length > LONG_NAME ? <Breakable text={model.name} /> : model.name}
        </span>
        <Marks model={model} />
      </span>
      {/* The column Batching says this already. */}
      {!model.isSequence && model.kind !== undefined && <Badge>{model.kind}</Badge>}
    </span>
  ),
  instead: (model) =>
    wordsOf(model) === undefined ? undefined : { until: 'actions', content: <Words model={model} /> },
});

/** They stand where the others have numbers. */
function Words({ model }: { readonly model: ModelView }) {
  return (
    <span
      className={cx('two-lines', shownState(model) === 'failed' ? 'text-bad' : 'text-soft')}
      title={wordsOf(model)}
      data-testid={`model-reason-${model.name}`}
    >
      {wordsOf(model)}
    </span>
  );
}

function Marks({ model }: { readonly model: ModelView }) {
  const problems = problemsOf(model);
  return (
    <>
      {model.duplicateOf !== undefined && <Mark icon={Copy} text={t('models.duplicate')} />}
      {isWithoutFolder(model) && <Mark icon={FolderX} text={t('models.away')} />}
      {model.hasOverride && <Mark icon={FlaskConical} text={t('models.override')} />}
      {model.isQuarantined && <Mark icon={ShieldAlert} text={t('models.quarantined')} />}
      {problems > 0 && model.state !== 'failed' && (
        <Mark icon={CircleAlert} text={t('models.issues', { count: problems })} />
      )}
    </>
  );
}

function Mark({ icon, text }: { readonly icon: IconType; readonly text: string }) {
  return (
    <span title={text} role="img" aria-label={text} className="text-warn">
      <Icon of={icon} size={14} />
    </span>
  );
}

const middleColumns = (): readonly Column<ModelView>[] => [
  {
    id: 'versions',
    dropOrder: 1,
    title: t('models.col.versions'),
    width: 68,
    align: 'end',
    sortValue: ({ versions }) => versions.length,
    cell: ({ servedVersions, versions }) => (
      <span title={t('models.versionsHint', { served: servedVersions.length, present: versions.length })}>
        {servedVersions.length} / {versions.length}
      </span>
    ),
  },
  {
    id: 'device',
    dropOrder: 2,
    title: t('models.col.device'),
    width: 60,
    sortValue: ({ device }) => device ?? '',
    cell: ({ device, isDegraded, notices }) => (
      <span className="flex min-w-0 items-center gap-1" title={notices[0]}>
        {isDegraded && <Icon of={TriangleAlert} size={14} className="shrink-0 text-warn" />}
        <span className="truncate">{device ?? '–'}</span>
      </span>
    ),
  },
  {
    id: 'batching',
    dropOrder: 4,
    title: t('models.col.batching'),
    width: 158,
    isGrowing: true,
    growth: 2,
    sortValue: ({ maxBatchSize }) => maxBatchSize,
    cell: ({ batching }) => (
      <span className="truncate text-soft" title={batching}>
        {batching}
      </span>
    ),
  },
  {
    id: 'instances',
    dropOrder: 3,
    help: t('models.col.instancesHelp'),
    title: t('models.col.instances'),
    width: 48,
    align: 'end',
    sortValue: ({ instanceCount }) => instanceCount,
    cell: (model) => (isLoaded(model) && !model.isEnsemble ? model.instanceCount : '–'),
  },
];

function MemoryCell({ model }: { readonly model: ModelView }) {
  const isMeasured = modelMemory(model).kind === 'measured';
  return (
    <span className="whitespace-nowrap" title={t(isMeasured ? 'models.memoryMeasured' : 'models.memoryHint')}>
      {memoryShort(model)}
    </span>
  );
}

const rateColumns = (): readonly Column<ModelView>[] => [
  {
    id: 'rate',
    help: t('models.col.rateHelp'),
    title: t('models.col.rate'),
    width: 112,
    isGrowing: true,
    align: 'end',
    cell: (model) => <RateCell name={model.name} isLoaded={isLoaded(model)} />,
  },
  {
    id: 'p99',
    dropOrder: 8,
    help: t('models.col.p99Help'),
    title: t('models.col.p99'),
    width: 72,
    align: 'end',
    cell: (model) => <P99Cell name={model.name} isLoaded={isLoaded(model)} />,
  },
  {
    id: 'waiting',
    dropOrder: 7,
    title: t('models.col.waiting'),
    width: 64,
    align: 'end',
    cell: (model) => <WaitingCell name={model.name} isLoaded={isLoaded(model)} />,
  },
];

const memoryColumn = (): Column<ModelView> => ({
  id: 'memory',
  dropOrder: 5,
  title: t('models.col.memory'),
  width: 80,
  align: 'end',
  sortValue: (model) => modelMemory(model).bytes ?? Number.NaN,
  cell: (model) => <MemoryCell model={model} />,
});

const gpuMemoryColumn = (): Column<ModelView> => ({
  id: 'gpuMemory',
  title: t('models.col.gpuMemory'),
  width: 96,
  align: 'end',
  sortValue: ({ gpuMemory }) => gpuMemoryBytes(gpuMemory) ?? Number.NaN,
  cell: ({ name, gpuMemory }) => (
    <span
      className="whitespace-nowrap"
      data-testid={`model-gpu-memory-${name}`}
      title={gpuMemoryLines(gpuMemory).join('\n')}
    >
      {gpuMemoryShort(gpuMemory)}
    </span>
  ),
});

const lastColumn = (): Column<ModelView> => ({
  id: 'last',
  dropOrder: 6,
  title: t('models.col.last'),
  width: 104,
  isGrowing: true,
  growth: 2,
  cell: (model) => (
    <LastCell
      name={model.name}
      isLoaded={isLoaded(model)}
      problem={model.state === 'failed' ? '' : (model.failure?.title ?? '')}
    />
  ),
});

/**
 * Built when the list is drawn, so that titles are in the language of the window. `isMemoryTelling`: a column
 * of dashes would only take the room of the others. `hasGpuModels`: some of the models are on a GPU. `longest`: letters
 * of the longest name.
 */
export const modelColumns = (
  isMemoryTelling: boolean,
  hasGpuModels: boolean,
  longest: number,
): readonly Column<ModelView>[] => [
  stateColumn(),
  nameColumn(longest),
  ...middleColumns(),
  ...rateColumns(),
  ...(isMemoryTelling ? [memoryColumn()] : []),
  ...(hasGpuModels ? [gpuMemoryColumn()] : []),
  lastColumn(),
  {
    id: 'actions',
    title: t('models.col.actions'),
    width: 124,
    sticky: 'end',
    align: 'end',
    cell: (model) => <RowActions model={model} />,
  },
];
