// What the overview reads from the configuration JSON that GET config answers: tensors, batching, instances. Unknown
// parts are ignored; a text that is no such JSON gives undefined. Pure.

export interface ServedTensor {
  readonly name: string;
  /** "TYPE_FP32". */
  readonly dataType: string;
  readonly dims: readonly number[];
  /** Undefined where the config has none. */
  readonly reshape: readonly number[] | undefined;
}

export interface ServedConfig {
  readonly maxBatchSize: number;
  readonly inputs: readonly ServedTensor[];
  readonly outputs: readonly ServedTensor[];
  readonly scheduler: 'none' | 'dynamic' | 'sequence' | 'ensemble';
  readonly queueDelayUs: number;
  readonly stepCount: number;
}

type Json = Readonly<Record<string, unknown>>;

export function readServedConfig(json: string): ServedConfig | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const dynamic = value['dynamic_batching'];
  const ensemble = value['ensemble_scheduling'];
  return {
    maxBatchSize: Number(value['max_batch_size'] ?? 0),
    inputs: tensors(value['input']),
    outputs: tensors(value['output']),
    scheduler: isObject(ensemble)
      ? 'ensemble'
      : isObject(value['sequence_batching'])
        ? 'sequence'
        : isObject(dynamic)
          ? 'dynamic'
          : 'none',
    queueDelayUs: isObject(dynamic) ? Number(dynamic['max_queue_delay_microseconds'] ?? 0) : 0,
    stepCount: isObject(ensemble) && Array.isArray(ensemble['step']) ? ensemble['step'].length : 0,
  };
}

function tensors(value: unknown): readonly ServedTensor[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).map((tensor) => ({
    name: String(tensor['name'] ?? ''),
    dataType: String(tensor['data_type'] ?? ''),
    dims: numbers(tensor['dims']) ?? [],
    reshape: isObject(tensor['reshape']) ? (numbers(tensor['reshape']['shape']) ?? []) : undefined,
  }));
}

function numbers(value: unknown): readonly number[] | undefined {
  return Array.isArray(value) ? value.map(Number) : undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
