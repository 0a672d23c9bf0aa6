/** The percentiles that tiles and tables of a run show, as keys of `percentilesUs`. */
export const SHOWN_RANKS: readonly string[] = ['50', '90', '95', '99'];
