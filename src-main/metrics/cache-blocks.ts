// The key-value cache of a language model, as a backend publishes it: three series of one custom gauge family.

import type { CustomMetrics } from './custom-metrics.ts';

const FAMILY = 'nv_trt_llm_kv_cache_block_metrics';
const LABEL = 'kv_cache_block_type';

/** Undefined unless all three gauges exist. */
export function readCacheBlocks(
  custom: CustomMetrics,
): { readonly tokensPerBlock: number; readonly usedBlocks: number; readonly maxBlocks: number } | undefined {
  const family = custom.find(FAMILY);
  const tokensPerBlock = family?.valueWith(LABEL, 'tokens_per');
  const usedBlocks = family?.valueWith(LABEL, 'used');
  const maxBlocks = family?.valueWith(LABEL, 'max');
  if (tokensPerBlock === undefined || usedBlocks === undefined || maxBlocks === undefined) return undefined;
  return { tokensPerBlock, usedBlocks, maxBlocks };
}
