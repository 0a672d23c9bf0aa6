// The load report header (ORCA) of generate replies: how full the key-value cache of a language model is. Sent only
// when the client asks for a known format and a backend publishes all three gauges.

/** Blocks of the key-value cache as a backend reports them. */
export interface CacheBlocks {
  readonly tokensPerBlock: number;
  readonly usedBlocks: number;
  readonly maxBlocks: number;
}

/** name, value; empty when there is nothing to report. */
export function loadReportHeader(format: string | undefined, blocks: CacheBlocks | undefined): string[] {
  if (blocks === undefined || (format !== 'json' && format !== 'text')) return [];
  const utilization = blocks.maxBlocks > 0 ? blocks.usedBlocks / blocks.maxBlocks : 0;
  const capacity = Math.trunc(blocks.maxBlocks * blocks.tokensPerBlock);
  const value =
    format === 'json'
      ? `JSON ${JSON.stringify({ named_metrics: { kv_cache_utilization: utilization, max_token_capacity: capacity } })}`
      : `TEXT named_metrics.kv_cache_utilization=${utilization.toFixed(6)}, named_metrics.max_token_capacity=${capacity}`;
  return ['endpoint-load-metrics', value];
}
