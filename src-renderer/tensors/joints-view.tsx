// The joints that a model found, over the picture that was sent: a dot for each that is sure enough, and lines between
// those that belong together.

import { useMemo, useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { formatCount } from '../lib/format.ts';
import { t } from '../texts/translate.ts';
import { Card } from '../ui/card.tsx';
import { Select } from '../ui/select.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Point, Size } from './box.ts';
import { inPicture } from './boxes.ts';
import type { SentPicture } from './boxes-view.tsx';
import type { Joint, JointOrder, JointsPlan } from './joints.ts';
import { bonesOf, JOINT_ORDERS, numbersOf, readJoints } from './joints.ts';
import { useNumbers } from './use-elements.ts';
import { ThresholdField } from './threshold-field.tsx';

interface JointsViewProps {
  readonly output: PlaygroundOutput;
  readonly plan: JointsPlan;
  readonly picture: SentPicture;
}

/** Fetches the values of the output. */
export function JointsView({ output, plan, picture }: JointsViewProps) {
  const { bodies, joints, hasScore } = plan;
  const [order, setOrder] = useState<JointOrder>(plan.order);
  const [threshold, setThreshold] = useState(0.3);
  const { values, error } = useNumbers(output, 0, numbersOf(plan));
  const found = useMemo(
    () => (values === undefined ? [] : readJoints(values, plan, order, picture.input)),
    [values, plan, order, picture.input],
  );
  const isSure = ({ score }: Joint): boolean => (score ?? 1) >= threshold;
  const sure = found.flat().filter(isSure).length;
  return (
    <Card title={t('tensor.joints')} testId="tensor-joints">
      {error !== undefined && <p className="text-sm text-bad">{error}</p>}
      {values === undefined ? (
        error === undefined && <Skeleton rows={4} />
      ) : (
        <>
          <div className="mb-2 flex flex-wrap items-center gap-3">
            <Select
              aria-label={t('tensor.joints.order')}
              data-testid="tensor-joint-order"
              value={order}
              options={JOINT_ORDERS.map((value) => ({ value, label: t(`tensor.joints.${value}`) }))}
              onChange={setOrder}
            />
            {hasScore && <ThresholdField value={threshold} onChange={setThreshold} />}
            <span className="text-sm text-faint" data-testid="tensor-joint-count">
              {t('tensor.joints.count', { shown: formatCount(sure), count: formatCount(bodies * joints) })}
            </span>
          </div>
          <Overlay bodies={found} bones={bonesOf(plan)} picture={picture} isSure={isSure} count={sure} />
        </>
      )}
    </Card>
  );
}

interface OverlayProps {
  readonly bodies: readonly (readonly Joint[])[];
  readonly bones: readonly (readonly [number, number])[];
  readonly picture: SentPicture;
  readonly isSure: (joint: Joint) => boolean;
  /** Of the joints that are sure. */
  readonly count: number;
}

function Overlay({ bodies, bones, picture, isSure, count }: OverlayProps) {
  const [natural, setNatural] = useState<Size>();
  const size = natural ?? picture.input;
  const placed = bodies.map((joints) => placesOf(joints, picture, size));
  return (
    <div className="relative inline-block max-w-full overflow-hidden rounded">
      <img
        src={picture.address}
        alt={t('tensor.joints.picture', { count })}
        className="block max-h-[28rem] max-w-full"
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
          setNatural({ width, height })
        }
      />
      <svg
        aria-hidden="true"
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        className="absolute inset-0 size-full forced-color-adjust-none"
      >
        {bodies.flatMap((joints, body) =>
          bones
            .filter((ends) => ends.every((at) => isSure(joints[at] ?? NO_JOINT)))
            .map(([from, to]) => {
              const [a, b] = [placed[body]?.[from], placed[body]?.[to]];
              return (
                <line
                  key={`${body} ${from} ${to}`}
                  data-testid="tensor-bone"
                  x1={a?.x}
                  y1={a?.y}
                  x2={b?.x}
                  y2={b?.y}
                  stroke="var(--c1)"
                  strokeWidth={3}
                  vectorEffect="non-scaling-stroke"
                />
              );
            }),
        )}
      </svg>
      <div aria-hidden="true" className="absolute inset-0 forced-color-adjust-none">
        {bodies.flatMap((joints, body) =>
          joints.map((joint, at) => {
            const place = placed[body]?.[at];
            if (!isSure(joint) || place === undefined) return null;
            return (
              <span
                key={`${body} ${at}`}
                data-testid="tensor-joint"
                className="absolute -mt-1 -ml-1 size-2 rounded-full border border-surface bg-c2"
                style={{ left: `${place.x}%`, top: `${place.y}%` }}
              />
            );
          }),
        )}
      </div>
    </div>
  );
}

const NO_JOINT: Joint = { x: 0, y: 0, score: 0 };

/** In hundredths of the picture. */
function placesOf(joints: readonly Joint[], { input, resize }: SentPicture, size: Size): readonly Point[] {
  const all = { x: 0, y: 0, ...input, score: undefined, classIndex: undefined, points: joints };
  const points = inPicture(all, input, size, resize).points ?? [];
  return points.map(({ x, y }) => ({ x: (x / size.width) * 100, y: (y / size.height) * 100 }));
}
