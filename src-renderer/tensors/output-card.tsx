// One output: its facts, the view that suits it best, the others one click away, and ways to take it along.

import { Copy, Download } from 'lucide-react';
import { useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { readBlob } from '../actions/blobs.ts';
import { dragOutProps } from '../actions/drag-out.ts';
import { saveBytes } from '../actions/save-bytes.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import { useClient } from '../engine/engine-context.tsx';
import { formatBytes, formatCount, formatShape } from '../lib/format.ts';
import type { PlainKey } from '../texts/translate.ts';
import { t } from '../texts/translate.ts';
import { Badge } from '../ui/badge.tsx';
import { copyText } from '../ui/copy-button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import type { MenuEntry } from '../ui/menu.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { Select } from '../ui/select.tsx';
import { Segmented } from '../ui/toggles.tsx';
import { ClassList } from './class-list.tsx';
import type { AnswerSource, KnownLabels } from './class-names.ts';
import { useModelLabels } from './class-names.ts';
import { FlowView } from './flow-view.tsx';
import { HistogramView } from './histogram-view.tsx';
import type { ViewKind } from './output-kind.ts';
import { vectorsOf, viewsOf } from './output-kind.ts';
import { PictureView } from './picture-view.tsx';
import { RankedView } from './ranked-view.tsx';
import { SeriesView } from './series-view.tsx';
import { StepsView } from './steps-view.tsx';
import { elementCountOf } from './tensor-slices.ts';
import { csvFile, elementTexts, npyFile } from './tensor-files.ts';
import { TensorTable } from './tensor-table.tsx';
import { TextView } from './text-view.tsx';
import { valueText } from './value-text.ts';
import { ValueView } from './value-view.tsx';
import { VectorView } from './vector-view.tsx';
import { WaveView } from './wave-view.tsx';
import { toastThrown } from '../engine/toast-thrown.ts';

const VIEW_TEXTS: Readonly<Record<ViewKind, PlainKey>> = {
  classes: 'playground.view.classes',
  value: 'tensor.view.value',
  ranked: 'tensor.view.ranked',
  steps: 'tensor.view.steps',
  series: 'tensor.view.series',
  table: 'playground.view.table',
  vector: 'tensor.view.vector',
  text: 'tensor.view.text',
  heat: 'playground.view.heat',
  flow: 'tensor.view.flow',
  image: 'playground.view.image',
  wave: 'tensor.view.wave',
  histogram: 'playground.view.histogram',
};

/** More choices than this go into a list. */
const MAX_SEGMENTS = 4;
/** Copying more would fill the clipboard for seconds. */
const MAX_COPIED_BYTES = 4 * 1024 * 1024;
/** More would make the hand wait when a drag begins. */
const MAX_DRAGGED_BYTES = 16 * 1024 * 1024;

/** What was chosen for each output, for the answers that follow. */
const chosenViews = new Map<string, ViewKind>();

/** An output with what is known of it. */
export interface OutputCardProps {
  readonly output: PlaygroundOutput;
  /** Too large to show. */
  readonly isSummary: boolean;
  /** Which model answered, for its labels; undefined when that is not known. */
  readonly source?: AnswerSource | undefined;
  /** What was sent for it, where that is known. */
  readonly inputs?: readonly Pick<PlaygroundOutput, 'name' | 'datatype' | 'shape'>[] | undefined;
}

/** Elements are fetched when a view needs them. */
export function OutputCard({ output, isSummary, source, inputs }: OutputCardProps) {
  const known = useModelLabels(source, output.name);
  const kinds = { hasClasses: output.classes.length > 0, hasLabels: areOf(known, output), inputs };
  const isEmpty = elementCountOf(output.shape) === 0;
  const views = isSummary || isEmpty ? [] : viewsOf(output, kinds);
  const key = `${source?.model ?? ''} ${output.name}`;
  const [chosen, setChosen] = useState(() => chosenViews.get(key));
  const view = views.find((kind) => kind === chosen) ?? views[0];
  const choose = (kind: ViewKind): void => {
    chosenViews.set(key, kind);
    setChosen(kind);
  };
  return (
    <section
      aria-label={output.name}
      data-testid={`pg-output-${output.name}`}
      data-view={view}
      className="@container min-w-0 rounded-md border border-line bg-surface"
    >
      <header className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line py-1 pr-1 pl-3">
        <Name output={output} />
        <Badge>{output.datatype}</Badge>
        <span className="font-mono text-sm text-soft" data-testid={`pg-output-shape-${output.name}`}>
          {formatShape(output.shape)}
        </span>
        <span className="text-sm text-faint">{formatBytes(output.byteSize)}</span>
        <div className="ml-auto flex min-w-0 flex-wrap items-center justify-end gap-1">
          {view !== undefined && (
            <ViewChoice name={output.name} views={views} value={view} onChange={choose} />
          )}
          <TakeAlong output={output} />
        </div>
      </header>
      {view !== 'value' && <StatsLine output={output} />}
      {view !== undefined && <View view={view} output={output} known={known} source={source} />}
      {isEmpty && (
        <p className="p-3 text-sm text-soft" data-testid={`pg-no-elements-${output.name}`}>
          {t('playground.noElements')}
        </p>
      )}
    </section>
  );
}

/** Fewer names than half of the values are about something else: the classes of boxes, not the boxes. */
function areOf({ labels }: KnownLabels, { shape }: PlaygroundOutput): boolean {
  return labels.length > 0 && vectorsOf(shape).length <= 2 * labels.length;
}

function View({
  view,
  output,
  known,
  source,
}: {
  readonly view: ViewKind;
  readonly output: PlaygroundOutput;
  readonly known: KnownLabels;
  readonly source: AnswerSource | undefined;
}) {
  switch (view) {
    case 'classes':
      return <ClassList output={output} />;
    case 'value':
      return <ValueView output={output} known={known} />;
    case 'ranked':
      return <RankedView output={output} known={known} />;
    case 'steps':
      return <StepsView output={output} known={known} />;
    case 'series':
      return <SeriesView output={output} />;
    case 'table':
      return <TensorTable output={output} />;
    case 'vector':
      return <VectorView output={output} source={source} />;
    case 'text':
      return <TextView output={output} />;
    case 'flow':
      return <FlowView output={output} />;
    case 'heat':
    case 'image':
      return <PictureView key={view} output={output} kind={view} />;
    case 'wave':
      return <WaveView output={output} />;
    case 'histogram':
      return <HistogramView output={output} />;
  }
}

function ViewChoice({
  name,
  views,
  value,
  onChange,
}: {
  readonly name: string;
  readonly views: readonly ViewKind[];
  readonly value: ViewKind;
  readonly onChange: (view: ViewKind) => void;
}) {
  const options = views.map((kind) => ({ value: kind, label: t(VIEW_TEXTS[kind]) }));
  const label = t('playground.viewOf', { name });
  if (views.length < 2) return null;
  const areMany = views.length > MAX_SEGMENTS;
  const list = (
    <Select
      aria-label={label}
      data-testid={areMany ? `pg-view-${name}` : `pg-view-list-${name}`}
      value={value}
      options={options}
      onChange={onChange}
    />
  );
  if (areMany) return list;
  // One line of a narrow card has no room for all of them.
  return (
    <>
      <div className="@xl:hidden">{list}</div>
      <div className="hidden @xl:block">
        <Segmented
          label={label}
          testId={`pg-view-${name}`}
          options={options}
          value={value}
          onChange={onChange}
        />
      </div>
    </>
  );
}

async function allBytes(client: EngineClient, { blob, byteSize }: PlaygroundOutput) {
  return readBlob(client, blob, { offset: 0, byteSize });
}

/** Can be dragged out of the desktop app: numbers as .npy, texts as .csv. */
function Name({ output }: { readonly output: PlaygroundOutput }) {
  const client = useClient();
  const { name, datatype, shape, byteSize } = output;
  const drag =
    byteSize > MAX_DRAGGED_BYTES
      ? {}
      : dragOutProps(async () => {
          const bytes = await allBytes(client, output);
          const tensor = { datatype, shape, bytes };
          return datatype === 'BYTES'
            ? { name: `${name}.csv`, bytes: new TextEncoder().encode(csvFile(elementTexts(tensor), shape)) }
            : { name: `${name}.npy`, bytes: npyFile(tensor) };
        });
  return (
    <h3
      className="min-w-0 truncate font-mono text-sm font-semibold text-strong"
      data-testid={`pg-output-name-${name}`}
      title={drag.draggable === true ? t('tensor.dragOut') : undefined}
      {...drag}
    >
      {name}
    </h3>
  );
}

function TakeAlong({ output }: { readonly output: PlaygroundOutput }) {
  const client = useClient();
  const { name, datatype, shape } = output;
  const run = (work: () => Promise<void>) => (): void => void work().catch(toastThrown);
  const save = (end: string, pack: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>) =>
    run(async () => saveBytes(`${name}.${end}`, pack(await allBytes(client, output))));
  const texts = (bytes: Uint8Array): readonly string[] => elementTexts({ datatype, shape, bytes });
  const copy = run(async () => {
    await copyText(csvFile(texts(await allBytes(client, output)), shape));
  });
  const entries: readonly MenuEntry[] = [
    {
      id: 'copy',
      label: t('tensor.copy'),
      icon: Copy,
      disabledReason: output.byteSize > MAX_COPIED_BYTES ? t('tensor.copyTooLarge') : undefined,
      onSelect: copy,
    },
    ...(datatype === 'BYTES'
      ? []
      : [
          {
            id: 'npy',
            label: t('tensor.saveNpy'),
            startsGroup: true,
            onSelect: save('npy', (bytes) => npyFile({ datatype, shape, bytes })),
          },
        ]),
    {
      id: 'csv',
      label: t('tensor.saveCsv'),
      onSelect: save('csv', (bytes) => new TextEncoder().encode(csvFile(texts(bytes), shape))),
    },
    { id: 'raw', label: t('tensor.saveRaw'), onSelect: save('bin', (bytes) => bytes) },
  ];
  return (
    <MenuButton entries={entries}>
      <IconButton
        label={t('playground.saveOutput', { name })}
        icon={Download}
        tooltipSide="left"
        data-testid={`pg-output-save-${name}`}
      />
    </MenuButton>
  );
}

function StatsLine({ output: { stats, name, datatype } }: { readonly output: PlaygroundOutput }) {
  if (stats === undefined || datatype === 'BOOL') return null;
  const { min, max, mean, nanCount, infCount } = stats;
  const number = (value: number | undefined): string => (value === undefined ? '–' : valueText(value));
  return (
    <p
      className="flex flex-wrap gap-x-4 border-b border-line/60 px-3 py-1 text-sm text-faint"
      data-testid={`pg-stats-${name}`}
    >
      <span>{t('playground.stats', { min: number(min), max: number(max), mean: number(mean) })}</span>
      {/^(FP|BF)/.test(datatype) && (
        <>
          <span className={nanCount > 0 ? 'font-medium text-bad' : ''}>NaN {formatCount(nanCount)}</span>
          <span className={infCount > 0 ? 'font-medium text-bad' : ''}>Inf {formatCount(infCount)}</span>
        </>
      )}
    </p>
  );
}
