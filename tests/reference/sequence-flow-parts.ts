// What flows of sequences are made of: controls, strategies, requests with ids, and the models that they go to.

import type { Flow } from './flow.ts';
import type { Send } from './flow-calls.ts';
import type { TellingOptions } from './flow-models.ts';
import { telling } from './flow-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';

const LONG = 'max_sequence_idle_microseconds: 60000000';
export const control = (kind: string, more = 'int32_false_true: [ 0, 1 ]'): string =>
  `control_input { name: "${kind}" control { kind: CONTROL_SEQUENCE_${kind} ${more} } }`;
export const corrid = (type: string): string => control('CORRID', `data_type: TYPE_${type}`);
export const ALL = `${control('START')} ${control('END')} ${control('READY')} ${corrid('UINT64')}`;
export const batching = (text: string): string =>
  `sequence_batching { ${text.includes('max_sequence_idle') ? '' : LONG} ${text} }`;
export const OLDEST = 'oldest { max_candidate_sequences: 3 }';
export const STRATEGIES: Readonly<Record<string, string>> = { direct: 'direct {}', oldest: OLDEST };
export type Id =
  | number
  | string
  | { readonly over: Readonly<Record<string, unknown>>; readonly http: unknown };
export const of = (to: string, id: Id, flags = '', more: Send | object = {}): Send => {
  const { by, parameters, ...rest } = more as Send;
  const given = typeof id === 'object' ? (by === undefined || by === 'http' ? id.http : id.over) : id;
  return {
    ...rest,
    to,
    ...(by === undefined ? {} : { by }),
    parameters: {
      sequence_id: given,
      ...(flags.includes('s') ? { sequence_start: true } : {}),
      ...(flags.includes('e') ? { sequence_end: true } : {}),
      ...parameters,
    },
  };
};
export const once = (send: Send): Send => ({ ...send, waits: true });
/** Flows by title, each with a model of its own that tells what it was asked. */
export class FlowSet {
  readonly files: Record<string, RepositoryFiles[string]> = {};
  readonly flows: Record<string, Flow> = {};
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** A model of this batching, and what is sent to it. */
  add(
    title: string,
    config: string,
    moves: (name: string) => Flow['moves'],
    options: TellingOptions = {},
    more: Partial<Flow> = {},
  ): void {
    const name = `${this.#prefix}${Object.keys(this.flows).length}`;
    Object.assign(this.files, telling(name, config, { size: 4, ...options }));
    this.flows[title] = { models: [name], moves: moves(name), ...more };
  }
}
