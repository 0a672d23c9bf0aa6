// Reads a tritonserver command, or a docker run around one: which of its options are settings here, which repositories
// it names, and which options have no counterpart. Pure.

export interface ImportedCommand {
  readonly changes: Readonly<Record<string, string | number | boolean>>;
  readonly repositories: readonly string[];
  /** Options without a setting here, as they were written. */
  readonly ignored: readonly string[];
}

type Convert = (value: string) => string | number | boolean | undefined;

const number: Convert = (value) => (/^\d+$/.test(value) ? Number(value) : undefined);
const truth: Convert = (value) =>
  /^(true|1|on|)$/i.test(value) ? true : /^(false|0|off)$/i.test(value) ? false : undefined;
const text: Convert = (value) => (value === '' ? undefined : value);

const OPTIONS: Readonly<Record<string, readonly [setting: string, convert: Convert]>> = {
  'http-port': ['server.httpPort', number],
  'grpc-port': ['server.grpcPort', number],
  'metrics-port': ['server.metricsPort', number],
  'http-address': ['server.address', text],
  'strict-readiness': ['server.strictReadiness', truth],
  'disable-auto-complete-config': [
    'server.autoComplete',
    (value) => (truth(value) === true ? false : undefined),
  ],
  'strict-model-config': [
    'server.autoComplete',
    (value) => (truth(value) === undefined ? undefined : truth(value) === false),
  ],
  'log-verbose': ['logs.verboseLevel', number],
  'exit-timeout-secs': ['server.exitTimeoutSecs', number],
};

const REPOSITORY_OPTIONS: ReadonlySet<string> = new Set(['model-repository', 'model-store']);

export function importCommand(command: string, knownSettings: ReadonlySet<string>): ImportedCommand {
  const words = splitWords(command);
  const start = words.findIndex((word) => /(^|\/)tritonserver(\.exe)?$/.test(word));
  const changes: Record<string, string | number | boolean> = {};
  const repositories: string[] = [];
  const ignored: string[] = [];
  const options = joinValues(words.slice(start < 0 ? 0 : start + 1));
  for (const [name, value] of options) {
    const [setting, convert] = OPTIONS[name] ?? [];
    const converted = convert?.(value);
    if (REPOSITORY_OPTIONS.has(name)) repositories.push(value);
    else if (setting !== undefined && converted !== undefined && knownSettings.has(setting))
      changes[setting] = converted;
    else ignored.push(value === '' ? `--${name}` : `--${name}=${value}`);
  }
  return { changes, repositories, ignored };
}

/** "--a=b", "--a b" and "--a" as name and value. */
function joinValues(words: readonly string[]): readonly (readonly [name: string, value: string])[] {
  const options: (readonly [string, string])[] = [];
  words.forEach((word, index) => {
    const match = /^--([a-z0-9-]+)(?:=([\s\S]*))?$/.exec(word);
    if (match === null) return;
    const next = words[index + 1];
    const isNextValue = match[2] === undefined && next !== undefined && !next.startsWith('-');
    options.push([match[1] ?? '', match[2] ?? (isNextValue ? next : '')]);
  });
  return options;
}

/** Splits like a shell: quotes hold words together, a backslash at the end of a line joins lines. */
export function splitWords(command: string): readonly string[] {
  const words: string[] = [];
  for (const match of command.replaceAll(/\\\r?\n/g, ' ').matchAll(/(?:"([^"]*)"|'([^']*)'|[^\s"'])+/g)) {
    words.push(match[0].replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
  }
  return words;
}
