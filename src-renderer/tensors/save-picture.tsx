// Saves a picture of a tensor: what is shown, or all of one of which only some pixels were read.

import type { RefObject } from 'react';
import { useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { readBlob } from '../actions/blobs.ts';
import type { DraggedFile } from '../actions/drag-out.ts';
import { saveBytes } from '../actions/save-bytes.ts';
import { useClient } from '../engine/engine-context.tsx';
import { useAction } from '../engine/use-action.ts';
import { formatPercent } from '../lib/format.ts';
import { t } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import type { PixelLayout } from './tensor-slices.ts';
import { byteSizeOf, decodeNumbers, isFixedSize } from './tensor-slices.ts';

/** What a picture that is shown in part is a part of. */
export interface WholePicture {
  readonly output: PlaygroundOutput;
  /** Its first element. */
  readonly start: number;
  readonly layout: PixelLayout;
  /** One of so many pixels is shown, in a row and of the rows. */
  readonly step: number;
}

/** As it is dragged out, or saved. */
export async function pngFile(canvas: HTMLCanvasElement, name: string): Promise<DraggedFile> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return { name: `${name}.png`, bytes: new Uint8Array((await blob?.arrayBuffer()) ?? []) };
}

/** What the canvas shows, as a file. */
export function SavePicture({
  canvas,
  name,
}: {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly name: string;
}) {
  const save = (): void =>
    canvas.current?.toBlob((blob) => {
      if (blob === null) return;
      void blob.arrayBuffer().then((buffer) => saveBytes(`${name}.png`, new Uint8Array(buffer)));
    });
  return (
    <Button size="sm" variant="ghost" worksOffline className="ml-auto" onClick={save}>
      {t('tensor.savePng')}
    </Button>
  );
}

/** Reads the rest of the picture first. */
export function SaveWhole({
  name,
  whole,
  draw,
}: {
  readonly name: string;
  readonly whole: WholePicture;
  readonly draw: (context: CanvasRenderingContext2D, values: Float64Array, layout: PixelLayout) => void;
}) {
  const client = useClient();
  const [share, setShare] = useState(0);
  const { run, isRunning } = useAction(async () => {
    const { output, start, layout } = whole;
    const { datatype, blob } = output;
    if (!isFixedSize(datatype)) return;
    const size = byteSizeOf(datatype);
    const count = layout.width * layout.height * layout.channels;
    const range = { offset: start * size, byteSize: count * size };
    const bytes = await readBlob(client, blob, range, { onProgress: setShare });
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: layout.width, height: layout.height });
    const context = canvas.getContext('2d');
    if (context === null) return;
    draw(context, decodeNumbers(bytes, datatype), layout);
    const file = await pngFile(canvas, name);
    saveBytes(file.name, new Uint8Array(file.bytes));
  });
  return (
    <Button
      size="sm"
      variant="ghost"
      className="ml-auto"
      data-testid={`tensor-png-${name}`}
      disabledReason={isRunning ? t('tensor.saving') : undefined}
      onClick={run}
    >
      {isRunning ? t('tensor.savingPng', { share: formatPercent(share) }) : t('tensor.savePng')}
    </Button>
  );
}
