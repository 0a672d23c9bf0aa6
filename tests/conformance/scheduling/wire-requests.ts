// Requests and repositories that several of these tests send: sequence models and their requests.

import type { RepositoryFiles } from '../../../src-main/testing/temp-repository.ts';
import { models } from './wire-world.ts';
import type { WireRequest } from './wire-world.ts';

const CONTROLS = `control_input [
  { name: "START" control [ { kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] } ] },
  { name: "END" control [ { kind: CONTROL_SEQUENCE_END int32_false_true: [ 0, 1 ] } ] },
  { name: "READY" control [ { kind: CONTROL_SEQUENCE_READY int32_false_true: [ 0, 1 ] } ] }`;

export interface SequenceModel {
  /** `direct { ... }` or `oldest { ... }`. */
  readonly strategy?: string;
  readonly backend?: string;
  readonly maxBatchSize?: number;
  readonly idleUs?: number;
  /** Data type of the CORRID control; absent = none. */
  readonly corrid?: string;
  readonly input?: string;
  readonly output?: string;
  readonly batching?: string;
  readonly more?: string;
}

/** Configuration text of a teaching sequence model: INPUT -> OUTPUT, INT32 [-1]. */
export function sequenceModel(model: SequenceModel): string {
  const { strategy = 'direct { }', maxBatchSize = 4, idleUs = 5_000_000, corrid, more = '' } = model;
  const backend = model.backend ?? (strategy.startsWith('oldest') ? 'dyna_sequence' : 'sequence');
  const id = corrid ?? (backend === 'dyna_sequence' ? 'TYPE_UINT64' : undefined);
  const control =
    id === undefined
      ? ''
      : `, { name: "CORRID" control [ { kind: CONTROL_SEQUENCE_CORRID data_type: ${id} } ] }`;
  return `backend: "${backend}" max_batch_size: ${maxBatchSize}
input [ { name: "INPUT" data_type: TYPE_INT32 dims: [ -1 ] ${model.input ?? ''} } ]
output [ { name: "OUTPUT" data_type: TYPE_INT32 dims: [ -1 ] } ${model.output ?? ''} ]
sequence_batching { max_sequence_idle_microseconds: ${idleUs} ${strategy} ${CONTROLS} ${control} ]
  ${model.batching ?? ''} }
${more.includes('instance_group') ? '' : 'instance_group { kind: KIND_CPU count: 1 }'}
${more}`;
}

/** A repository of one sequence model S. */
export function sequenceFiles(model: SequenceModel): RepositoryFiles {
  return models({ S: sequenceModel(model) });
}

export interface SequenceFlags {
  readonly start?: boolean;
  readonly end?: boolean;
  readonly timeoutUs?: number;
  readonly width?: number;
  readonly rows?: number;
}

/** One request of a sequence: the first element is the value, the rest 0. */
export function sequenceRequest(
  id: number | string | bigint | undefined,
  value: number,
  flags: SequenceFlags = {},
): WireRequest {
  const { start = false, end = false, timeoutUs, width = 1, rows = 1 } = flags;
  const data = new Array<number>(rows * width).fill(0);
  data[0] = value;
  return {
    parameters: {
      ...(id === undefined ? {} : { sequence_id: typeof id === 'bigint' ? Number(id) : id }),
      sequence_start: start,
      sequence_end: end,
      ...(timeoutUs === undefined ? {} : { timeout: timeoutUs }),
    },
    inputs: [{ name: 'INPUT', shape: [rows, width], data }],
  };
}

/** The requests of whole sequences, round by round: ids 1, 2, ... of these lengths, values 1, 2, ... */
export function interleaved(lengths: readonly number[], widths: readonly number[] = []): WireRequest[] {
  const requests: WireRequest[] = [];
  for (let step = 0; step < Math.max(...lengths); step += 1) {
    lengths.forEach((length, at) => {
      if (step >= length) return;
      const width = widths[at] ?? 1;
      requests.push(
        sequenceRequest(at + 1, step + 1, { start: step === 0, end: step === length - 1, width }),
      );
    });
  }
  return requests;
}

/** All requests of one sequence. */
export function wholeSequence(id: number | string, values: readonly number[], isOpen = false): WireRequest[] {
  return values.map((value, at) =>
    sequenceRequest(id, value, { start: at === 0, end: at === values.length - 1 && !isOpen }),
  );
}
