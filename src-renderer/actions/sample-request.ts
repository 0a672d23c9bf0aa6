// The smallest request a model takes, for snippets and for trying it at once.

import type { ModelInterface, PlaygroundRequest } from '../../src-shared/contract/inference-calls.ts';

/** A request that fits the model: batch 1, ones for every dimension that is not fixed, zeros or a word as data. */
export function snippetRequest(
  model: string,
  version: string,
  io: ModelInterface | undefined,
  protocol: PlaygroundRequest['protocol'] = 'http-json',
): PlaygroundRequest | undefined {
  if (io === undefined || io.inputs.length === 0) return undefined;
  return {
    model,
    version,
    protocol,
    id: '',
    inputs: io.inputs
      .filter(({ optional }) => !optional)
      .map(({ name, datatype, shape }) => ({
        name,
        datatype,
        shape: shape.map((size) => (size === -1 ? 1 : size)),
        source: datatype === 'BYTES' ? { kind: 'constant', value: 'text' } : { kind: 'fill', value: 'zeros' },
      })),
    outputs: [],
    priority: 0,
    timeoutUs: 0,
    parameters: {},
    ...(io.isSequence ? { sequence: { id: '1', start: true, end: true } } : {}),
  };
}
