// Every setting of the app: key, where it is shown, what it means, its default. The Settings screen is drawn from
// this table, and the store refuses keys and values that do not fit it.

export type SettingValue = string | number | boolean;

export interface SettingDefinition {
  readonly key: string;
  readonly group: string;
  readonly title: string;
  readonly help: string;
  readonly kind: 'boolean' | 'number' | 'text' | 'choice';
  readonly choices: readonly string[];
  readonly defaultValue: SettingValue;
  /** Takes effect when the listeners or the app start again. */
  readonly needsRestart: boolean;
  /** Bounds of a number, both inclusive. */
  readonly min?: number;
  readonly max?: number;
}

type Extra = Partial<Pick<SettingDefinition, 'needsRestart' | 'min' | 'max'>>;

function define(
  kind: SettingDefinition['kind'],
  key: string,
  group: string,
  title: string,
  defaultValue: SettingValue,
  help: string,
  extra: Extra & { readonly choices?: readonly string[] } = {},
): SettingDefinition {
  return { kind, key, group, title, help, defaultValue, choices: [], needsRestart: false, ...extra };
}

const restart = { needsRestart: true } as const;
const port = { needsRestart: true, min: 0, max: 65535 } as const;

export const SETTINGS: readonly SettingDefinition[] = [
  define(
    'boolean',
    'general.restoreTabs',
    'General',
    'Restore tabs',
    true,
    'Open the tabs of the last session again.',
  ),
  define(
    'boolean',
    'general.loadAfterImport',
    'General',
    'Load after import',
    true,
    'Load a model as soon as it was copied into the repository.',
  ),
  define(
    'boolean',
    'general.keepServing',
    'General',
    'Keep serving when the window closes',
    false,
    'The server goes on in the background; the desktop app stays in the tray.',
  ),
  define('choice', 'appearance.theme', 'Appearance', 'Theme', 'system', 'System follows your desktop.', {
    choices: ['system', 'light', 'dark', 'high-contrast'],
  }),
  define(
    'choice',
    'appearance.density',
    'Appearance',
    'Density',
    'comfortable',
    'How tall rows of tables and lists are.',
    { choices: ['comfortable', 'compact'] },
  ),
  define('number', 'appearance.fontSize', 'Appearance', 'Font size', 13, 'Size of text in pixels.', {
    min: 10,
    max: 20,
  }),
  define(
    'choice',
    'appearance.motion',
    'Appearance',
    'Motion',
    'system',
    'Reduced switches all transitions off.',
    { choices: ['system', 'full', 'reduced'] },
  ),
  define(
    'number',
    'server.httpPort',
    'Server',
    'HTTP port',
    8000,
    'Port of the HTTP endpoint; 0 picks a free one.',
    port,
  ),
  define(
    'number',
    'server.grpcPort',
    'Server',
    'gRPC port',
    8001,
    'Port of the gRPC endpoint; 0 picks a free one.',
    port,
  ),
  define(
    'number',
    'server.metricsPort',
    'Server',
    'Metrics port',
    8002,
    'Port of the Prometheus endpoint; 0 picks a free one.',
    port,
  ),
  define(
    'text',
    'server.address',
    'Server',
    'Bind address',
    '127.0.0.1',
    'Address the server listens on. Anything but a loopback address opens it to your network.',
    restart,
  ),
  define(
    'boolean',
    'server.strictReadiness',
    'Server',
    'Strict readiness',
    true,
    'The server counts as ready only when every model of the start set is ready.',
    restart,
  ),
  define(
    'boolean',
    'server.autoComplete',
    'Server',
    'Complete configurations',
    true,
    'Fill in what config.pbtxt leaves out from the model file, as Triton does.',
    restart,
  ),
  define(
    'number',
    'server.defaultMaxBatchSize',
    'Server',
    'Default max batch size',
    4,
    'max_batch_size that completion gives to models that can batch.',
    { ...restart, min: 0, max: 65536 },
  ),
  define(
    'choice',
    'server.gpuPolicy',
    'Server',
    'Models that ask for a GPU',
    'fallback',
    'Fallback runs them on the CPU and marks them; strict refuses them, as Triton does.',
    { ...restart, choices: ['fallback', 'strict'] },
  ),
  define(
    'number',
    'server.responseCacheBytes',
    'Server',
    'Response cache',
    0,
    'Bytes of the response cache; 0 switches it off.',
    { ...restart, min: 0, max: 2 ** 40 },
  ),
  define(
    'boolean',
    'server.allowClientShm',
    'Server',
    'Shared memory',
    false,
    'Let clients register shared-memory regions.',
    restart,
  ),
  define(
    'number',
    'server.exitTimeoutSecs',
    'Server',
    'Time to finish requests',
    30,
    'Seconds the server waits for running requests when it stops.',
    { ...restart, min: 0, max: 86400 },
  ),
  define(
    'number',
    'logs.verboseLevel',
    'Logs',
    'Verbose level',
    0,
    '0 prints errors, warnings and notices only.',
    { min: 0, max: 3 },
  ),
  define(
    'choice',
    'logs.format',
    'Logs',
    'Line format',
    'default',
    'Form of the lines in the log file and the console.',
    { choices: ['default', 'ISO8601'] },
  ),
  define(
    'number',
    'perf.windowMs',
    'Performance tests',
    'Measurement window',
    5000,
    'Milliseconds of one measurement window.',
    { min: 100, max: 600000 },
  ),
  define(
    'number',
    'perf.stabilityPercent',
    'Performance tests',
    'Stability',
    10,
    'Windows that differ by at most this many percent count as stable.',
    { min: 1, max: 100 },
  ),
  define(
    'number',
    'perf.maxTrials',
    'Performance tests',
    'Windows at most',
    10,
    'After so many windows a level ends as not stable.',
    { min: 3, max: 100 },
  ),
  define(
    'number',
    'data.keepRuns',
    'Data',
    'Performance runs kept',
    200,
    'Older runs without a star are removed.',
    { min: 1, max: 10000 },
  ),
  define(
    'text',
    'shortcuts.overrides',
    'Shortcuts',
    'Changed shortcuts',
    '{}',
    'Shortcuts that differ from the defaults, as JSON; edited on the shortcut sheet.',
  ),
];

const BY_KEY = new Map(SETTINGS.map((setting) => [setting.key, setting]));

export function settingDefinition(key: string): SettingDefinition | undefined {
  return BY_KEY.get(key);
}

/** Why `value` does not fit the setting, or undefined when it does. */
export function settingFault(setting: SettingDefinition, value: unknown): string | undefined {
  const { key, kind, choices, min, max } = setting;
  if (kind === 'boolean') return typeof value === 'boolean' ? undefined : `${key} must be true or false`;
  if (kind === 'number') {
    if (typeof value !== 'number' || !Number.isInteger(value)) return `${key} must be a whole number`;
    const isInside = value >= (min ?? -Infinity) && value <= (max ?? Infinity);
    return isInside ? undefined : `${key} must be between ${min} and ${max}, got ${value}`;
  }
  if (typeof value !== 'string') return `${key} must be a text`;
  if (kind === 'choice' && !choices.includes(value))
    return `${key} must be one of ${choices.join(', ')}, got '${value}'`;
  return undefined;
}
