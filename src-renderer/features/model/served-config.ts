// What the overview reads from the configuration JSON that GET config answers: tensors, batching, instances. Unknown
// parts are ignored; a text that is no such JSON gives undefined. Pure.

/** An input or output as the configuration has it; `dims` are without the batch dimension, -1 = any size. */
export interface ServedTensor {
  readonly name: string;
  /** "TYPE_FP32". */
  readonly dataType: string;
  readonly dims: readonly number[];
  /** Undefined where the config has none. */
  readonly reshape: readonly number[] | undefined;
}

/** What the server itself does with a tensor of the model that no client sees. */
export type ServerRole = 'control' | 'state-in' | 'state-out' | 'batch';

/** The parts of a served configuration that the overview needs. */
export interface ServedConfig {
  readonly maxBatchSize: number;
  readonly inputs: readonly ServedTensor[];
  readonly outputs: readonly ServedTensor[];
  readonly scheduler: 'none' | 'dynamic' | 'sequence' | 'ensemble';
  readonly queueDelayUs: number;
  readonly stepCount: number;
  /** Tensors that the server fills or keeps, by name. */
  readonly serverRoles: ReadonlyMap<string, ServerRole>;
}

type Json = Readonly<Record<string, unknown>>;

/** Undefined when the text is no JSON object; damaged parts are left out. */
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
    serverRoles: serverRoles(value),
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

function serverRoles(config: Json): ReadonlyMap<string, ServerRole> {
  const sequence = isObject(config['sequence_batching']) ? config['sequence_batching'] : {};
  const names = (list: unknown, field: string, role: ServerRole): (readonly [string, ServerRole])[] =>
    (Array.isArray(list) ? list.filter(isObject) : []).flatMap(({ [field]: name }) =>
      (Array.isArray(name) ? name : [name]).map((one) => [String(one), role] as const),
    );
  return new Map([
    ...names(sequence['control_input'], 'name', 'control'),
    ...names(sequence['state'], 'input_name', 'state-in'),
    ...names(sequence['state'], 'output_name', 'state-out'),
    ...names(config['batch_input'], 'target_name', 'batch'),
  ]);
}

function numbers(value: unknown): readonly number[] | undefined {
  return Array.isArray(value) ? value.map(Number) : undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
