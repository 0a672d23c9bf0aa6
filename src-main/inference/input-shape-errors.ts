// Why an input's shape does not fit the configuration: the slow path behind a failed shape check.

import type { ServerError } from '../../src-shared/errors.ts';
import { formatShape, matchesShape } from '../../src-shared/tensor/shape.ts';
import type { InferenceRequest, InferInput } from './inference-request.ts';
import { inputErrors } from './input-errors.ts';
import type { InputPlan } from './input-plan.ts';

const BATCH_NOTE =
  'NOTE: Setting a non-zero max_batch_size in the model config requires a batch dimension to be prepended to each input shape. ' +
  'If you want to specify the full shape including the batch dim in your input dims config, try setting max_batch_size to zero. ' +
  'See the model configuration docs for more info on max_batch_size.';

/**
 * The INVALID_ARG with the reference's sentence. Call it only when the check has failed: a shape that fits the
 * configuration, wildcards included, is taken for one with a dimension below -1.
 */
export function shapeMismatch(
  model: { readonly modelName: string; readonly maxBatchSize: number },
  request: InferenceRequest,
  input: InferInput,
  plan: InputPlan,
): ServerError {
  const { clientShape, name } = input;
  const where = { prefix: request.logPrefix, name, model: model.modelName, shape: formatShape(clientShape) };
  const isBatched = model.maxBatchSize > 0 && !plan.isShapeTensor;
  const shape = isBatched ? clientShape.slice(1) : clientShape;
  if (meetsOpenDimension(shape, plan.dims)) return inputErrors.openDimension(where);
  if (matchesShape(shape, plan.dims)) return invalidDimension(input, plan);
  const expected = formatShape(isBatched ? [-1, ...plan.dims] : plan.dims);
  const note = model.maxBatchSize > 0 ? BATCH_NOTE : '';
  return inputErrors.shape({ ...where, expected, note });
}

/** Dimensions are compared in their order: the first that is -1 or does not fit is the one that is told of. */
function meetsOpenDimension(shape: readonly number[], dims: readonly number[]): boolean {
  if (shape.length !== dims.length) return false;
  const at = shape.findIndex((size, index) => size === -1 || (dims[index] !== -1 && dims[index] !== size));
  return at !== -1 && shape[at] === -1;
}

/** A dimension below -1, which a wildcard would otherwise accept. */
function invalidDimension(input: InferInput, plan: InputPlan): ServerError {
  const where = plan.datatype === 'BYTES' ? ' in shape' : '';
  return inputErrors.invalidDimension({ name: input.name, where, shape: formatShape(input.clientShape) });
}
