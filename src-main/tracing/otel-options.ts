// What mode opentelemetry can be told, read from the trace settings.

/** The mode opentelemetry as it is set; times are milliseconds. */
export interface OtelOptions {
  /** With scheme. */
  readonly url: string;
  /** The last value of a key counts. */
  readonly resource: ReadonlyMap<string, string>;
  readonly maxQueueSize: number;
  readonly scheduleDelayMs: number;
  readonly maxExportBatchSize: number;
}

/** Where spans go unless the options or the environment name another place. */
export const DEFAULT_URL = 'http://localhost:4318/v1/traces';

/** An address without a scheme, the usual form, is one of HTTP. */
function withScheme(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;
}

/**
 * Options of the mode, as the trace settings keep them. `resource` may stand several times, each `key=value`;
 * `endpoint` is where spans go when they name no `url`.
 */
export function readOtelOptions(
  settings: readonly (readonly [string, string])[],
  endpoint = DEFAULT_URL,
): OtelOptions {
  const values = new Map(settings);
  const resource = new Map([['service.name', 'triton-inference-server']]);
  for (const [key, entry] of settings) {
    const at = entry.indexOf('=');
    if (key === 'resource' && at > 0) resource.set(entry.slice(0, at), entry.slice(at + 1));
  }
  return {
    url: withScheme(values.get('url') ?? endpoint),
    resource,
    maxQueueSize: Number(values.get('bsp_max_queue_size') ?? 2048),
    scheduleDelayMs: Number(values.get('bsp_schedule_delay') ?? 5000),
    maxExportBatchSize: Math.max(1, Number(values.get('bsp_max_export_batch_size') ?? 512)),
  };
}
