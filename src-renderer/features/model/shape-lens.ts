// The shape lens: what the client sends, what the config says, what the model has, put under each other so that every
// dimension stands below its counterpart. Pure.

/** The three shapes of one tensor; undefined where one is not known. */
export interface LensShapes {
  /** As a client sees it, batch dimension included; -1 = any. */
  readonly client: readonly number[] | undefined;
  /** `dims` of the config. */
  readonly config: readonly number[] | undefined;
  /** `reshape.shape` of the config: what the model gets in place of `dims`; undefined = as they are. */
  readonly reshape?: readonly number[] | undefined;
  /** Shape in the model file. */
  readonly graph: readonly number[] | undefined;
  /** max_batch_size above 0: the server puts the batch dimension in front of `dims`. */
  readonly isBatched: boolean;
}

/** One dimension as it is written; "B" for the batch. */
export interface LensCell {
  readonly text: string;
  readonly isWrong: boolean;
}

/** The three shapes aligned: the same index is the same dimension. */
export interface Lens {
  /** Cells of a row are undefined where the row has no dimension. */
  readonly client: readonly (LensCell | undefined)[] | undefined;
  readonly config: readonly (LensCell | undefined)[] | undefined;
  /** Only where the config reshapes. */
  readonly reshape: readonly (LensCell | undefined)[] | undefined;
  readonly graph: readonly (LensCell | undefined)[] | undefined;
  readonly isConsistent: boolean;
}

/** Puts the shapes under each other; a dimension is wrong where config and file cannot both be right. */
export function shapeLens({ client, config, reshape, graph, isBatched }: LensShapes): Lens {
  const shift = isBatched ? 1 : 0;
  /** What must fit the model. */
  const handed = reshape ?? config;
  const ours = Math.max(config?.length ?? 0, reshape?.length ?? 0) + shift;
  const width = Math.max(client?.length ?? 0, ours, graph?.length ?? 0);
  const handedAt = (index: number): number | undefined => handed?.[index - shift];
  const wrong = Array.from({ length: width }, (_, index) => {
    if (handed === undefined || graph === undefined) return false;
    if (index >= Math.max(handed.length + shift, graph.length)) return false;
    if (isBatched && index === 0) return graph.length === 0 || (graph[0] ?? -1) !== -1;
    return disagree(handedAt(index), graph[index]);
  });
  const row = (shape: readonly number[], offset: number, canBeWrong: boolean): (LensCell | undefined)[] =>
    Array.from({ length: width }, (_, index) => {
      const size = shape[index - offset];
      if (index < offset || size === undefined) return undefined;
      const isBatch = isBatched && index === 0 && offset === 0 && size === -1 && !canBeWrong;
      return { text: isBatch ? 'B' : String(size), isWrong: canBeWrong && (wrong[index] ?? false) };
    });
  return {
    client: client === undefined ? undefined : row(client, 0, false),
    config: config === undefined ? undefined : row(config, shift, reshape === undefined),
    reshape: reshape === undefined ? undefined : row(reshape, shift, true),
    graph: graph === undefined ? undefined : row(graph, 0, true),
    isConsistent: !wrong.includes(true),
  };
}

function disagree(a: number | undefined, b: number | undefined): boolean {
  if (a === undefined || b === undefined) return true;
  return a !== -1 && b !== -1 && a !== b;
}
