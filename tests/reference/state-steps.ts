// What is sent to sequences with implicit states, and what is done to their model meanwhile.

type Id = number | string;
export interface Send {
  readonly id?: Id;
  readonly start?: boolean;
  readonly end?: boolean;
  readonly data?: readonly (number | string | boolean)[];
  readonly after?: number;
  readonly asks?: readonly string[];
  readonly version?: string;
  readonly timeout?: number;
}
/** A request, or what is done to the model between two of them: an unload, a load with these members of its configuration. */
export type Step = Send | 'unload' | 'load' | { readonly config: object };

export const start = (id: Id, more: Send = {}): Send => ({ id, start: true, ...more });
export const end = (id: Id, more: Send = {}): Send => ({ id, end: true, ...more });
export const of = (...data: (number | string)[]): Send => ({ data });

export const LIFE: readonly Step[] = [
  start(1, of(1)),
  { id: 1, data: [2] },
  end(1, of(3)),
  { id: 1, data: [4] },
  start(1, of(5)),
  start(1, of(6)),
  { id: 1, data: [7] },
  end(1, of(8)),
  start(1, { end: true, data: [9] }),
  start(1, of(10)),
  end(1, of(11)),
];
export const MEETING: readonly Step[] = [
  start(1, of(1)),
  start(2, of(10)),
  start(3, of(100)),
  { id: 1, data: [2] },
  { id: 2, data: [20] },
  { id: 1, data: [3] },
  end(2, of(30)),
  start(4, of(1000)),
  { id: 3, data: [200] },
  { id: 4, data: [2000] },
  end(1, of(4)),
  start(2, of(50)),
  end(3, of(300)),
  end(4, of(3000)),
  end(2, of(60)),
];
export const RELOADS: readonly Step[] = [
  start(1, of(1)),
  { id: 1, data: [2] },
  'load',
  { id: 1, data: [3] },
  { config: { max_batch_size: 2 } },
  { id: 1, data: [4] },
  start(1, of(5)),
  { id: 1, data: [6] },
  'unload',
  { id: 1, data: [7] },
  'load',
  { id: 1, data: [8] },
  start(1, of(9)),
  end(1, of(10)),
];
export const WRONG: readonly Step[] = [
  {},
  { start: true },
  { id: 0, start: true },
  { id: '', start: true },
  { id: 'a', start: true, data: [1] },
  { id: 'a', data: [2] },
  { id: 'b', data: [2] },
  { id: 'a', end: true, data: [3] },
  { id: 'a', end: true, data: [3] },
  { id: 7, start: true, end: true, data: [4] },
  { id: 7, data: [5] },
  { id: 8, start: true, data: [6], asks: ['STATE_OUT'] },
  { id: 8, start: false, data: [7], asks: ['OUTPUT'] },
  { id: 8, data: [7], asks: ['NOPE'] },
  { id: 8, data: [7, 8] },
  { id: 8, data: [9] },
  { id: 8, end: true, data: [10] },
  { id: -1, start: true, data: [10] },
  { id: -1, end: true, data: [10] },
  { id: 'x'.repeat(129), start: true, data: [1] },
  { id: 'x'.repeat(128), start: true, data: [1] },
  { id: 'x'.repeat(128), end: true, data: [1] },
];
