// The load report header (ORCA) of generate replies: how full the key-value cache of a language model is. Sent only
// when the client asks for a known format and a backend publishes all three gauges.

import { jsonDouble } from '../../tensor/json-writer.ts';

/** Blocks of the key-value cache as a backend reports them. */
export interface CacheBlocks {
  readonly tokensPerBlock: number;
  readonly usedBlocks: number;
  readonly maxBlocks: number;
}

/**
 * name, value; empty when there is nothing to report, which a gauge below zero counts as. The share has a decimal in JSON
 * and six in text; the capacity is a whole number in either.
 */
export function loadReportHeader(format: string | undefined, blocks: CacheBlocks | undefined): string[] {
  if (blocks === undefined || (format !== 'json' && format !== 'text')) return [];
  const { tokensPerBlock, usedBlocks, maxBlocks } = blocks;
  const tokens = maxBlocks * tokensPerBlock;
  if (![tokensPerBlock, usedBlocks, maxBlocks, tokens].every((value) => value >= 0 && value < Infinity))
    return [];
  const utilization = maxBlocks > 0 ? usedBlocks / maxBlocks : 0;
  const capacity = BigInt(Math.trunc(tokens));
  const value =
    format === 'json'
      ? `JSON {"named_metrics":{"kv_cache_utilization":${jsonDouble(utilization)},"max_token_capacity":${capacity}}}`
      : `TEXT named_metrics.kv_cache_utilization=${utilization.toFixed(6)}, named_metrics.max_token_capacity=${capacity}`;
  return ['endpoint-load-metrics', value];
}
