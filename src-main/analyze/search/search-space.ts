// What a search may try of one model.

/** Both ends belong to it. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** What the user said about how far a search goes. */
export interface SearchLimits {
  readonly instanceCounts: Bounds;
  readonly maxBatchSizes: Bounds;
  /** Bounds that the user named, which a hill climb keeps to. */
  readonly isBounded: {
    readonly loads: boolean;
    readonly instanceCounts: boolean;
    readonly maxBatchSizes: boolean;
  };
  /** The rules that end a list of loads early hold for listed loads and parameters too. */
  readonly exitsEarly: boolean;
  /** Load = 2 x batch x instances instead of a list of loads. */
  readonly usesFormula: boolean;
}

/** Plain data, so that a search can be tried on paper. */
export interface SearchSpace extends SearchLimits {
  readonly unit: 'concurrency' | 'request-rate';
  /** Powers of two between these are tried where no loads are given. */
  readonly loads: Bounds;
  /** Loads the user listed; undefined = tried by the search. */
  readonly givenLoads: readonly number[] | undefined;
  readonly batchSizes: readonly number[];
  readonly instanceKind: 'KIND_CPU' | 'KIND_GPU';
  /** What the model's own configuration says. */
  readonly model: {
    readonly maxBatchSize: number;
    readonly instanceCount: number;
    /** It batches, and has neither a dynamic batcher nor a scheduler that would exclude one. */
    readonly takesDynamicBatching: boolean;
    /** Its dynamic batcher, as JSON has it. */
    readonly dynamicBatching: Readonly<Record<string, unknown>> | undefined;
  };
}

/** 2^i from the first power of two that is not below `min`. */
export function powersOfTwo({ min, max }: Bounds): number[] {
  const values: number[] = [];
  for (let value = 2 ** Math.ceil(Math.log2(Math.max(1, min))); value <= max; value *= 2) values.push(value);
  return values;
}

/** min, 2 x min, 4 x min ... */
export function doublings({ min, max }: Bounds): number[] {
  const values: number[] = [];
  for (let value = Math.max(1, min); value <= max; value *= 2) values.push(value);
  return values;
}

/** Fields of a variant that a search without listed parameters makes. */
export function variantFields(
  space: SearchSpace,
  { instances, maxBatchSize }: { readonly instances: number; readonly maxBatchSize: number | undefined },
): Readonly<Record<string, unknown>> {
  return {
    ...(maxBatchSize !== undefined && { max_batch_size: maxBatchSize }),
    instance_group: [{ kind: space.instanceKind, count: instances }],
    ...(space.model.takesDynamicBatching && { dynamic_batching: {} }),
    ...fittingBatcher(space, maxBatchSize ?? 0),
  };
}

/** A batcher stays as it is, but for preferred sizes that the batch cannot have. */
function fittingBatcher({ model }: SearchSpace, maxBatchSize: number): Readonly<Record<string, unknown>> {
  const preferred = preferredSizes(model.dynamicBatching);
  const fitting = preferred.filter((size) => size <= maxBatchSize);
  return fitting.length === preferred.length
    ? {}
    : { dynamic_batching: { ...model.dynamicBatching, preferred_batch_size: fitting } };
}

/** Of a dynamic batcher as JSON has it; none where there is no batcher. */
export function preferredSizes(batcher: unknown): readonly number[] {
  const { preferred_batch_size: sizes } = (batcher ?? {}) as { readonly preferred_batch_size?: unknown };
  return Array.isArray(sizes) ? sizes.map(Number) : [];
}
