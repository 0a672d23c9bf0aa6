// Random sequence models that answer with the controls they were given, and random requests to them, one after the other:
// sequences that begin, go on, end, begin again, were never begun. The same seed gives the same ones.

import { graphModel, value } from '../../src-main/testing/onnx-test-models.ts';
import type { DataType } from '../../src-shared/datatypes.ts';
import type { ModelRequest, RandomModel } from './random-models.ts';
import { jsonRequest } from './random-models.ts';
import { randomNumbers } from './random-numbers.ts';

const FLAG_TYPES: readonly DataType[] = ['FP32', 'INT32', 'BOOL'];
// Not BYTES: what lies behind a text in memory is taken for a second one there, and refused.
const ID_TYPES: readonly DataType[] = ['UINT64', 'INT64', 'UINT32', 'INT32'];
const KINDS = ['START', 'END', 'READY', 'CORRID'] as const;
const REQUESTS = 14;

/** Models with their requests, one after the other; a seed always gives the same ones. */
export class RandomSequences {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = randomNumbers(seed);
  }

  /** The next one; its requests are to be sent in their order. */
  model(): RandomModel {
    const isBatching = this.#chance(0.75);
    const controls = KINDS.filter(() => this.#chance(0.7)).map((kind) => ({
      kind,
      type: this.#one(kind === 'CORRID' ? ID_TYPES : FLAG_TYPES),
    }));
    const hasState = this.#chance(0.5);
    const leading = isBatching ? ['batch'] : [];
    const tensors = ['INPUT', ...controls.map(({ kind }) => kind)];
    const typeOf = (name: string): DataType => controls.find(({ kind }) => kind === name)?.type ?? 'INT32';
    const nodes = tensors
      .filter((name) => name !== 'INPUT' || !hasState)
      .map((name) => ({ opType: 'Identity', inputs: [name], outputs: [`${name}_OUT`] }));
    if (hasState) {
      nodes.push({ opType: 'Add', inputs: ['INPUT', 'STATE'], outputs: ['INPUT_OUT'] });
      nodes.push({ opType: 'Identity', inputs: ['INPUT_OUT'], outputs: ['STATE_OUT'] });
    }
    const states = hasState ? ['STATE'] : [];
    const list = (suffix: string) =>
      [...tensors, ...states].map((name) => value(`${name}${suffix}`, typeOf(name), [...leading, 1]));
    const text = this.#config(isBatching, controls, hasState);
    return {
      text,
      files: { 'config.pbtxt': text, '1/model.onnx': graphModel(nodes, list(''), list('_OUT')) },
      requests: this.#requests(isBatching, controls.find(({ kind }) => kind === 'CORRID')?.type),
    };
  }

  #config(
    isBatching: boolean,
    controls: readonly { readonly kind: string; readonly type: DataType }[],
    hasState: boolean,
  ): string {
    const tensor = (name: string, type: string): string =>
      `{ name: "${name}" data_type: TYPE_${type === 'BYTES' ? 'STRING' : type} dims: [ 1 ] }`;
    const control = ({ kind, type }: { readonly kind: string; readonly type: DataType }): string => {
      const first = { FP32: 'fp32', INT32: 'int32', BOOL: 'bool' }[type as string] ?? '';
      const values =
        type === 'BOOL' ? '[ false, true ]' : this.#one(['[ 0, 1 ]', '[ 0, 1 ]', '[ 1, 0 ]', '[ 5, 7 ]']);
      const how =
        kind === 'CORRID'
          ? `kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_${type === 'BYTES' ? 'STRING' : type}`
          : `kind: CONTROL_SEQUENCE_${kind} ${first}_false_true: ${values}`;
      return `control_input { name: "${kind}" control [ { ${how} } ] }`;
    };
    const strategy = this.#one(['', 'direct {}', 'oldest { max_candidate_sequences: 4 }']);
    // Without an initial state the reference begins with whatever its memory holds.
    const state = hasState
      ? `state { input_name: "STATE" output_name: "STATE_OUT" data_type: TYPE_INT32 dims: [ 1 ] initial_state { data_type: TYPE_INT32 dims: [ 1 ] zero_data: true name: "zero" } }`
      : '';
    const outputs = [
      tensor('INPUT_OUT', 'INT32'),
      ...controls.map(({ kind, type }) => tensor(`${kind}_OUT`, type)),
      // In a direct batch with empty places the reference fails to cut a state that is an output too.
      ...(hasState && strategy.startsWith('oldest') && this.#chance(0.3)
        ? [tensor('STATE_OUT', 'INT32')]
        : []),
    ];
    return [
      'backend: "onnxruntime"',
      `max_batch_size: ${isBatching ? 4 : 0}`,
      `input [ ${tensor('INPUT', 'INT32')} ]`,
      `output [ ${outputs.join(', ')} ]`,
      `sequence_batching { ${[...controls.map(control), state, strategy].join(' ')} }`,
    ].join('\n');
  }

  /** Without batches there is one place for a sequence: with two of them one would wait for ever. */
  #requests(isBatching: boolean, idType: DataType | undefined): ModelRequest[] {
    // An id that the model's tensor cannot hold is refused here, and given as memory of something else there.
    const names = idType === undefined ? [1, 'a', 7] : [1, 2, 70_000];
    const ids = isBatching ? names : [this.#one(names)];
    return Array.from({ length: REQUESTS }, () => {
      const parameters = {
        ...(this.#chance(0.95)
          ? {
              sequence_id: this.#chance(0.04) ? this.#one([0, '', true]) : this.#one(ids),
            }
          : {}),
        ...(this.#chance(0.35) ? { sequence_start: this.#chance(0.95) } : {}),
        ...(this.#chance(0.2) ? { sequence_end: this.#chance(0.95) } : {}),
      };
      const rows = isBatching && this.#chance(0.1) ? 2 : 1;
      const shape = isBatching ? [rows, 1] : [1];
      const data = Array.from({ length: rows }, () => 1 + Math.floor(this.#next() * 9));
      return jsonRequest({ parameters, inputs: [{ name: 'INPUT', datatype: 'INT32', shape, data }] });
    });
  }

  #chance(share: number): boolean {
    return this.#next() < share;
  }

  #one<T>(list: readonly T[]): T {
    return list[Math.floor(this.#next() * list.length)] as T;
  }
}
