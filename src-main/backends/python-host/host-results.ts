// What became of a batch, out of the blocks of a host, or out of what went wrong.

import type { ServerError } from '../../../src-shared/errors.ts';
import { NO_PARAMETERS } from '../../inference/inference-response.ts';
import type { ExecutionResult, HostedResponse } from '../hosted/hosted-code.ts';
import type { Block } from './blocks.ts';
import { BLOCK_FLAG } from './frames.ts';
import { responseOf } from './host-messages.ts';

/**
 * What execute() gave for each request of the batch, and which of them it wants to have again. Reading the tensors of
 * the answer, which happens after `endedNs`, counts as output.
 */
export function executionOf(
  execution: number,
  endedNs: number,
  blocks: readonly Block[],
  outputs: readonly HostedResponse['outputs'][],
): ExecutionResult {
  const responses = new Map<number, HostedResponse>();
  const rescheduled: number[] = [];
  blocks.forEach((block, index) => {
    if (block.flags === BLOCK_FLAG.answered)
      responses.set(block.key, responseOf(block, outputs[index] ?? []));
    else if (block.flags === BLOCK_FLAG.rescheduled) rescheduled.push(block.key);
  });
  return { execution, endedNs, responses, rescheduled, error: undefined, staysOpen: () => true };
}

/** Every request of the batch gets this error, and none stays open. */
export function failedExecution(execution: number, error: ServerError): ExecutionResult {
  return { execution, responses: new Map(), rescheduled: [], error, staysOpen: () => false };
}

/** A response without outputs that carries the error. */
export function failedResponse(error: ServerError): HostedResponse {
  return { outputs: [], parameters: NO_PARAMETERS, error };
}
