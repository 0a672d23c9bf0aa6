// How a tensor made with or without a batch dimension is given to a consumer that wants the other. Pure.
// (docs/reference/ensembles.md#batched-and-unbatched-steps)

/** Full shape of the tensor for a consumer; dims are the consumer's, without batch dimension, -1 = any. */
export function adaptBatchDim(
  tensor: {
    readonly shape: readonly number[];
    /** 0 = made without batching. */
    readonly batchSize: number;
  },
  consumer: { readonly batches: boolean; readonly dims: readonly number[] },
): readonly number[] {
  const { shape, batchSize } = tensor;
  if (consumer.batches && batchSize === 0) {
    return dimsMatch(consumer.dims, shape) ? [1, ...shape] : shape;
  }
  if (!consumer.batches && batchSize > 0) {
    if (dimsMatch(consumer.dims, shape)) return shape;
    return batchSize === 1 ? shape.slice(1) : shape;
  }
  return shape;
}

function dimsMatch(dims: readonly number[], shape: readonly number[]): boolean {
  return dims.length === shape.length && dims.every((dim, index) => dim === -1 || dim === shape[index]);
}
