// The repair for a model that cannot batch: max_batch_size 0, and the dimension that the server added before written
// into the dims of every tensor, as the model file has it. Read by the rules and by completion.

import type { ConfigChange } from '../config-issue.ts';
import type { ModelConfig, ModelInput, ModelOutput } from '../model-config.ts';
import type { ModelDescription, TensorDescription } from '../model-description.ts';

/**
 * Changes `max_batch_size`, and the `dims` only of tensors that the server had completed; those that the user
 * wrote stay. `description`: the tensors as the model file declares them.
 */
export function withoutBatching(config: ModelConfig, description: ModelDescription): ConfigChange {
  const inputs = byName(description.inputs);
  const outputs = byName(description.outputs);
  const shapes = [
    ...config.input.flatMap((tensor, index) => completed(tensor, `input[${index}]`, inputs)),
    ...config.output.flatMap((tensor, index) => completed(tensor, `output[${index}]`, outputs)),
  ];
  return {
    title: shapes.length === 0 ? 'Set max_batch_size to 0' : 'Set max_batch_size to 0 and complete dims',
    sets: [{ path: 'max_batch_size', value: 0 }, ...shapes],
  };
}

const byName = (tensors: readonly TensorDescription[]): ReadonlyMap<string, TensorDescription> =>
  new Map(tensors.map((tensor) => [tensor.name, tensor]));

function completed(
  { name, reshape }: ModelInput | ModelOutput,
  path: string,
  tensors: ReadonlyMap<string, TensorDescription>,
): ConfigChange['sets'] {
  const shape = tensors.get(name)?.shape;
  if (shape === undefined) return [];
  const dims = { path: `${path}.dims`, value: shape.length === 0 ? [1] : shape };
  return reshape === undefined ? [dims] : [dims, { path: `${path}.reshape`, value: undefined }];
}
