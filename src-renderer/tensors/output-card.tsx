// One output: its facts, and the view that suits it: classes, table, heat map, picture, histogram.

import { Download } from 'lucide-react';
import { useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/inference-calls.ts';
import { saveBytes } from '../actions/save-bytes.ts';
import { messageOf } from '../engine/engine-client.ts';
import { useClient } from '../engine/engine-context.tsx';
import { formatBytes, formatCount, formatShape } from '../lib/format.ts';
import type { PlainKey } from '../texts/translate.ts';
import { t } from '../texts/translate.ts';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { toastError } from '../ui/toast.tsx';
import { Segmented } from '../ui/toggles.tsx';
import { elementCountOf, isFixedSize, pixelLayout } from './tensor-slices.ts';
import { readBlob } from '../actions/blobs.ts';
import { ClassList } from './class-list.tsx';
import { HistogramView } from './histogram-view.tsx';
import { PictureView } from './picture-view.tsx';
import { TensorTable } from './tensor-table.tsx';

type ViewKind = 'classes' | 'table' | 'heat' | 'image' | 'histogram';

const VIEW_TEXTS: Readonly<Record<ViewKind, PlainKey>> = {
  classes: 'playground.view.classes',
  table: 'playground.view.table',
  heat: 'playground.view.heat',
  image: 'playground.view.image',
  histogram: 'playground.view.histogram',
};

export function OutputCard({
  output,
  isSummary,
}: {
  readonly output: PlaygroundOutput;
  readonly isSummary: boolean;
}) {
  const client = useClient();
  const views = isSummary ? [] : viewsOf(output);
  const [chosen, setChosen] = useState<ViewKind>();
  const view = views.find((kind) => kind === chosen) ?? views[0];
  const save = async (): Promise<void> => {
    const bytes = await readBlob(client, output.blob, { offset: 0, byteSize: output.byteSize });
    saveBytes(`${output.name}.bin`, bytes);
  };
  return (
    <section
      aria-label={output.name}
      data-testid={`pg-output-${output.name}`}
      className="min-w-0 rounded-md border border-line bg-surface"
    >
      <header className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line py-1 pr-1 pl-3">
        <h3 className="min-w-0 truncate font-mono text-sm font-semibold text-strong">{output.name}</h3>
        <Badge>{output.datatype}</Badge>
        <span className="font-mono text-sm text-soft" data-testid={`pg-output-shape-${output.name}`}>
          {formatShape(output.shape)}
        </span>
        <span className="text-sm text-faint">{formatBytes(output.byteSize)}</span>
        <div className="ml-auto flex items-center gap-1">
          {views.length > 1 && view !== undefined && (
            <Segmented
              label={t('playground.viewOf', { name: output.name })}
              testId={`pg-view-${output.name}`}
              options={views.map((kind) => ({ value: kind, label: t(VIEW_TEXTS[kind]) }))}
              value={view}
              onChange={setChosen}
            />
          )}
          <IconButton
            label={t('playground.saveOutput', { name: output.name })}
            icon={Download}
            tooltipSide="left"
            data-testid={`pg-output-save-${output.name}`}
            onClick={() => void save().catch((thrown: unknown) => toastError(messageOf(thrown)))}
          />
        </div>
      </header>
      <StatsLine output={output} />
      {view === 'classes' && <ClassList output={output} />}
      {view === 'table' && <TensorTable output={output} />}
      {view === 'heat' && <PictureView output={output} kind="heat" />}
      {view === 'image' && <PictureView output={output} kind="image" />}
      {view === 'histogram' && <HistogramView output={output} />}
    </section>
  );
}

function viewsOf({ classes, datatype, shape }: PlaygroundOutput): readonly ViewKind[] {
  const isNumeric = isFixedSize(datatype);
  const count = elementCountOf(shape);
  return [
    ...(classes.length > 0 ? (['classes'] as const) : []),
    'table',
    ...(isNumeric && count > 8 ? (['heat'] as const) : []),
    ...(isNumeric && pixelLayout(shape) !== undefined && count >= 64 ? (['image'] as const) : []),
    ...(isNumeric && datatype !== 'BOOL' && count > 8 ? (['histogram'] as const) : []),
  ];
}

function StatsLine({ output: { stats, name, datatype } }: { readonly output: PlaygroundOutput }) {
  if (stats === undefined || datatype === 'BOOL') return null;
  const { min, max, mean, nanCount, infCount } = stats;
  const number = (value: number | undefined): string =>
    value === undefined ? '–' : String(Number(value.toPrecision(5)));
  return (
    <p
      className="flex flex-wrap gap-x-4 border-b border-line/60 px-3 py-1 text-sm text-faint"
      data-testid={`pg-stats-${name}`}
    >
      <span>{t('playground.stats', { min: number(min), max: number(max), mean: number(mean) })}</span>
      <span className={nanCount > 0 ? 'font-medium text-bad' : ''}>NaN {formatCount(nanCount)}</span>
      <span className={infCount > 0 ? 'font-medium text-bad' : ''}>Inf {formatCount(infCount)}</span>
    </p>
  );
}
