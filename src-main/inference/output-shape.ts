// The shape of an output as clients see it: the configured reshape undone. (docs/reference/requests.md#output-shapes)

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { mapReshape } from '../../src-shared/tensor/shape.ts';

/** `modelShape` is what the model made, with the batch dimension for batching models. */
export function clientOutputShape(
  config: ModelConfig,
  name: string,
  modelShape: readonly number[],
): readonly number[] {
  const output = config.output.find((candidate) => candidate.name === name);
  if (output?.reshape === undefined) return modelShape;
  const batch = config.maxBatchSize > 0 ? modelShape.slice(0, 1) : [];
  return [...batch, ...mapReshape(modelShape.slice(batch.length), output.reshape.shape, output.dims)];
}
