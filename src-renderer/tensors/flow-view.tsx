// Optical flow in the colours of a wheel: the hue is the direction, the strength how far.

import { useEffect, useMemo, useRef, useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { threeDigits } from '../lib/format.ts';
import { t } from '../texts/translate.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Flow } from './flow.ts';
import { farthestOf, flowLayout, flowPixels, readFlow, wheelFlow } from './flow.ts';
import { enlargement } from './picture-size.ts';
import { SavePicture } from './save-picture.tsx';
import { elementCountOf } from './tensor-slices.ts';
import { SlicePicker } from './tensor-table.tsx';
import { useNumbers } from './use-elements.ts';

const WHEEL = 49;

/** Of a batch one item at a time; nothing for a tensor that is no two planes. */
export function FlowView({ output }: { readonly output: PlaygroundOutput }) {
  const layout = useMemo(() => flowLayout(output.shape), [output.shape]);
  const [item, setItem] = useState(0);
  const { width = 0, height = 0 } = layout ?? {};
  const size = width * height * 2;
  const { values, error } = useNumbers(output, item * size, size);
  const flow = useMemo(() => layout && values && readFlow(values, layout), [values, layout]);
  const farthest = useMemo(() => (flow === undefined ? 0 : farthestOf(flow)), [flow]);
  const wheel = useMemo(() => wheelFlow(WHEEL), []);
  const canvas = useRef<HTMLCanvasElement>(null);
  if (error !== undefined) return <p className="p-3 text-sm text-bad">{error}</p>;
  const scale = enlargement({ width, height });
  const count = elementCountOf(output.shape.slice(0, -3));
  return (
    <>
      <SlicePicker picked={[count]} positions={[item]} onChange={([next = 0]) => setItem(next)} />
      <div className="flex flex-col gap-2 p-3">
        {flow === undefined ? (
          <Skeleton rows={3} />
        ) : (
          <figure className="flex flex-col gap-2">
            <div className="max-h-96 overflow-auto">
              <FlowPicture
                canvasRef={canvas}
                flow={flow}
                farthest={farthest}
                size={{ width, height }}
                label={t('tensor.flow.picture', { name: output.name })}
                testId={`tensor-flow-${output.name}`}
                className="rounded border border-line [image-rendering:pixelated]"
                style={{ width: width * scale, height: height * scale }}
              />
            </div>
            <figcaption className="flex flex-wrap items-center gap-2 text-sm text-faint">
              <FlowPicture
                flow={wheel}
                farthest={1}
                size={{ width: WHEEL, height: WHEEL }}
                label={t('tensor.flow.wheel')}
                testId="tensor-flow-wheel"
                className="rounded-full border border-line"
              />
              <span>{t('tensor.flow.scale', { farthest: threeDigits(farthest) })}</span>
              <SavePicture canvas={canvas} name={output.name} />
            </figcaption>
          </figure>
        )}
      </div>
    </>
  );
}

interface FlowPictureProps {
  readonly flow: Flow;
  readonly farthest: number;
  readonly size: { readonly width: number; readonly height: number };
  readonly label: string;
  readonly testId: string;
  readonly className: string;
  readonly style?: React.CSSProperties;
  readonly canvasRef?: React.RefObject<HTMLCanvasElement | null>;
}

/** One canvas pixel for each place. */
function FlowPicture({ flow, farthest, size, label, testId, canvasRef, ...look }: FlowPictureProps) {
  const own = useRef<HTMLCanvasElement>(null);
  const canvas = canvasRef ?? own;
  const { width, height } = size;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    context?.putImageData(new ImageData(flowPixels(flow, farthest), width, height), 0, 0);
  }, [canvas, flow, farthest, width, height]);
  return (
    <canvas
      ref={canvas}
      width={width}
      height={height}
      role="img"
      aria-label={label}
      data-testid={testId}
      {...look}
    />
  );
}
