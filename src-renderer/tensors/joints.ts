// The joints of a body, or the landmarks of a face: an output with two numbers for each place in the picture, perhaps how
// sure it is, and which of them are joined by a bone. Pure.

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import type { Size } from './box.ts';
import { squeezed } from './tensor-slices.ts';

type Described = Pick<PlaygroundOutput, 'name' | 'datatype' | 'shape'>;

/** In which order the two numbers of a place come. */
export const JOINT_ORDERS = ['xy', 'yx'] as const;
/** Across and down, or down and across. */
export type JointOrder = (typeof JOINT_ORDERS)[number];

/** Which output has joints, and how its numbers are probably meant. */
export interface JointsPlan {
  readonly output: number;
  readonly bodies: number;
  /** Of each body. */
  readonly joints: number;
  /** A third number says how sure a joint is. */
  readonly hasScore: boolean;
  readonly order: JointOrder;
  /** Numbers of each body, where behind its joints stand a box and how sure the body is. */
  readonly bodySize?: number;
}

/** A joint in pixels of the input of the model. */
export interface Joint {
  readonly x: number;
  readonly y: number;
  /** Undefined without scores. */
  readonly score: number | undefined;
}

const NAME = /key_?points?|kpts?|pose|landmark|joint|skeleton/i;
/** Without a height, which some give as a third number. */
const DEEP_NAME = /3d|world|xyz|depth/i;
const BODY = 17;
/** A box of four numbers and a score. */
const BODY_SIZE = BODY * 3 + 5;
const MOST_BODIES = 100;
/** Of rows that nothing but their length tells to be bodies. */
const FEW_BODIES = 20;
const MOST_JOINTS = 600;

/** Undefined when no output has joints. */
export function findJoints(outputs: readonly Described[]): JointsPlan | undefined {
  for (const [output, { name, datatype, shape }] of outputs.entries()) {
    const [, rows = 0, length] = shape;
    if (shape.length === 3 && length === BODY_SIZE && rows <= FEW_BODIES && /^(FP|BF)/.test(datatype)) {
      return { output, bodies: rows, joints: BODY, hasScore: true, order: 'yx', bodySize: BODY_SIZE };
    }
    const [bodies = 0, joints = 0, numbers = 0, ...more] = [
      ...(squeezed(shape).length === 2 ? [1] : []),
      ...squeezed(shape),
    ];
    // A body in four dimensions has its height first, whatever the output is called.
    const isBody = shape.length === 4 && joints === BODY && numbers === 3;
    if (more.length > 0 || !/^(FP|BF)/.test(datatype) || !(NAME.test(name) || isBody)) continue;
    if (DEEP_NAME.test(name) || (numbers !== 2 && numbers !== 3)) continue;
    if (bodies > MOST_BODIES || joints < 3 || joints > MOST_JOINTS) continue;
    return { output, bodies, joints, hasScore: numbers === 3, order: isBody ? 'yx' : 'xy' };
  }
  return undefined;
}

/** Pairs of the 17 joints of COCO, from nose and eyes to the feet. */
const BONES: readonly (readonly [number, number])[] = [
  ...([
    [0, 1],
    [0, 2],
    [1, 3],
    [2, 4],
  ] as const),
  ...([
    [5, 6],
    [5, 7],
    [7, 9],
    [6, 8],
    [8, 10],
  ] as const),
  ...([
    [5, 11],
    [6, 12],
    [11, 12],
    [11, 13],
    [13, 15],
    [12, 14],
    [14, 16],
  ] as const),
];

/** Which joints are joined; none where it is not known what they are. */
export function bonesOf({ joints }: Pick<JointsPlan, 'joints'>): readonly (readonly [number, number])[] {
  return joints === BODY ? BONES : [];
}

/** How many numbers of the output are joints, and what stands behind them. */
export function numbersOf({
  bodies,
  joints,
  hasScore,
  bodySize,
}: Omit<JointsPlan, 'output' | 'order'>): number {
  return bodies * (bodySize ?? joints * (hasScore ? 3 : 2));
}

/** Numbers within -0.5 to 1.5 are shares of the input. A joint is not surer than its body. */
export function readJoints(
  values: Float64Array,
  { bodies, joints, hasScore, bodySize }: Omit<JointsPlan, 'output' | 'order'>,
  order: JointOrder,
  input: Size,
): readonly (readonly Joint[])[] {
  const size = hasScore ? 3 : 2;
  const step = bodySize ?? joints * size;
  const all = Array.from({ length: bodies }, (_b, body) => values.subarray(body * step, (body + 1) * step));
  const isShare = all.every((own) =>
    own.subarray(0, joints * size).every((value, at) => at % size === 2 || (value >= -0.5 && value <= 1.5)),
  );
  const [across, down] = isShare ? [input.width, input.height] : [1, 1];
  return all.map((own) => {
    const sure = bodySize === undefined ? Infinity : (own.at(-1) ?? 0);
    return Array.from({ length: joints }, (_j, joint) => {
      const at = joint * size;
      const [a = 0, b = 0] = own.subarray(at, at + 2);
      const [x, y] = order === 'xy' ? [a, b] : [b, a];
      const score = hasScore ? Math.min(own[at + 2] ?? 0, sure) : undefined;
      return { x: x * across, y: y * down, score };
    });
  });
}
