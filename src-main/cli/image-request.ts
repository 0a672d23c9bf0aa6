// What an image client has to know about a model before it can send it a picture: which input, in which order of
// dimensions, whether batched, and which output holds the classes.

import { z } from 'zod';

import { cliErrors } from './cli-errors.ts';

const tensor = z.object({ name: z.string(), datatype: z.string(), shape: z.array(z.coerce.number()) });

export const metadataSchema = z.object({
  name: z.string(),
  versions: z.array(z.string()).default([]),
  inputs: z.array(tensor).default([]),
  outputs: z.array(tensor).default([]),
});

export const configSchema = z.object({
  max_batch_size: z.coerce.number().default(0),
  input: z.array(z.object({ format: z.string().default('FORMAT_NONE') })).default([]),
});

/** How a picture has to be made into a request for one model. */
export interface ImagePlan {
  readonly input: string;
  readonly datatype: string;
  /** Complete shape, a batch of one in front for batching models. */
  readonly shape: readonly number[];
  readonly layout: 'NHWC' | 'NCHW';
  readonly channels: 'RGB' | 'GRAY';
  readonly output: string;
}

function layoutOf(format: string, dims: readonly number[]): ImagePlan['layout'] {
  if (format === 'FORMAT_NHWC') return 'NHWC';
  if (format === 'FORMAT_NCHW') return 'NCHW';
  const [first = 0, , last = 0] = dims;
  return (last === 1 || last === 3) && first !== 1 && first !== 3 ? 'NHWC' : 'NCHW';
}

/** Throws INVALID_ARG for a model that does not take one picture and give one tensor. */
export function planImage(
  metadata: z.infer<typeof metadataSchema>,
  config: z.infer<typeof configSchema>,
): ImagePlan {
  const { name, inputs, outputs } = metadata;
  const [input] = inputs;
  const [output] = outputs;
  if (input === undefined || inputs.length !== 1) {
    throw cliErrors.inputCount({ model: name, count: inputs.length });
  }
  if (output === undefined || outputs.length !== 1) {
    throw cliErrors.outputCount({ model: name, count: outputs.length });
  }
  const dims = config.max_batch_size > 0 ? input.shape.slice(1) : input.shape;
  const image = dims.slice(-3);
  if (dims.length < 3 || image.some((dim) => dim <= 0)) {
    throw cliErrors.imageShape({ name: input.name, shape: input.shape.join(',') });
  }
  const layout = layoutOf(config.input[0]?.format ?? 'FORMAT_NONE', image);
  const channelCount = layout === 'NHWC' ? image[2] : image[0];
  const rest = dims.map((dim) => (dim <= 0 ? 1 : dim));
  return {
    input: input.name,
    datatype: input.datatype,
    shape: config.max_batch_size > 0 ? [1, ...rest] : rest,
    layout,
    channels: channelCount === 1 ? 'GRAY' : 'RGB',
    output: output.name,
  };
}
