// The sequence a tensor of an ensemble belongs to: taken from the request that made it, or from what a composing model
// says in its response parameters, and handed to later steps and to the response.
// (docs/reference/ensembles.md#step-requests)

import { SEQUENCE_END, SEQUENCE_START, type CorrelationId } from '../inference/inference-request.ts';
import type { ParameterValue } from '../inference/inference-response.ts';
import { ensembleErrors } from './ensemble-errors.ts';

/** `flags`: START and END as bits of a request's flags. A correlation id of 0 or "" is no sequence. */
export interface SequenceTag {
  readonly correlationId: CorrelationId;
  readonly flags: number;
}

/** The tag of a response: what its parameters say, else `inherited`. Throws INVALID_ARG for wrong types. */
export function tagOfResponse(
  parameters: ReadonlyMap<string, ParameterValue>,
  inherited: SequenceTag,
): SequenceTag {
  if (parameters.size === 0) return inherited;
  const id = parameters.get('sequence_id');
  const isStart = flag(parameters, 'sequence_start');
  const isEnd = flag(parameters, 'sequence_end');
  if (id === undefined && isStart === undefined && isEnd === undefined) return inherited;
  return {
    correlationId: id === undefined ? inherited.correlationId : asCorrelationId(id),
    flags: (isStart === true ? SEQUENCE_START : 0) | (isEnd === true ? SEQUENCE_END : 0),
  };
}

/** Response parameters for a tag: ids from 2^63 on are below zero, and outside of a sequence the id is 0, as in the reference. */
export function tagParameters({ correlationId, flags }: SequenceTag): ReadonlyMap<string, ParameterValue> {
  return correlationId === 0n && flags === 0 ? OUTSIDE : parametersOf(correlationId, flags);
}

/** Of all requests that belong to no sequence. */
const OUTSIDE = parametersOf(0n, 0);

function parametersOf(correlationId: CorrelationId, flags: number): ReadonlyMap<string, ParameterValue> {
  return new Map<string, ParameterValue>([
    ['sequence_id', typeof correlationId === 'string' ? correlationId : BigInt.asIntN(64, correlationId)],
    ['sequence_start', (flags & SEQUENCE_START) !== 0],
    ['sequence_end', (flags & SEQUENCE_END) !== 0],
  ]);
}

function asCorrelationId(value: ParameterValue): CorrelationId {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return BigInt.asUintN(64, value);
  throw ensembleErrors.sequenceIdType();
}

function flag(
  parameters: ReadonlyMap<string, ParameterValue>,
  name: 'sequence_start' | 'sequence_end',
): boolean | undefined {
  const value = parameters.get(name);
  if (value === undefined || typeof value === 'boolean') return value;
  throw ensembleErrors.sequenceFlagType({ name });
}
