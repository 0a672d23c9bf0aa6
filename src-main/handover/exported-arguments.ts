// The options of the server as another engine is to be given them: the same text wherever the engine has the option, a
// finding for each one that it has not. A secret among them is named, never written.

import type { Finding } from '../../src-shared/contract/finding.ts';
import type { EngineOptions } from '../options/engine-options.ts';
import { withNamedSecrets } from '../options/named-secrets.ts';
import type { OptionDefinition } from '../options/option-definition.ts';
import { SERVER_OPTIONS } from '../options/option-table.ts';
import { serverFinding } from './handover-finding.ts';

/** What a server was told. */
export interface ServedOptions {
  readonly engine: EngineOptions;
  /** Names of the options that were given, without dashes. */
  readonly given: ReadonlySet<string>;
  /** Texts of given options that change nothing here and do something there: `--http-thread-count=4`. */
  readonly untouched: readonly string[];
  /** Names of the variables that were set; their values are nobody's business. */
  readonly variables: ReadonlySet<string>;
}

/** How a target writes down a secret that it is given by name, and any other text so that it is not taken for one. */
export interface ArgumentStyle {
  /** How the target gets the secret of that name; its value is written nowhere. */
  readonly secret: (name: string) => string;
  /** A text of which the target takes nothing for a reference of its own. */
  readonly escape: (text: string) => string;
}

/** The options as the target is given them, and what did not come along. */
export interface ExportedArguments {
  readonly arguments: readonly string[];
  /** Names of the secrets among them. */
  readonly secrets: readonly string[];
  /** Files of this machine that the arguments name, by the name they have beside the server. */
  readonly certificates: ReadonlyMap<string, string>;
  readonly findings: readonly Finding[];
}

/** Containers listen on all interfaces, at the usual ports; the repository is where the target puts it. */
const LEFT_TO_TARGET: ReadonlySet<string> = new Set([
  'http-address',
  'grpc-address',
  'metrics-address',
  'http-port',
  'grpc-port',
  'metrics-port',
  'model-repository',
  'model-store',
]);
const FOLDERS_OF_IMAGE: ReadonlySet<string> = new Set([
  'backend-directory',
  'cache-directory',
  'repoagent-directory',
]);
const CERTIFICATES: ReadonlySet<string> = new Set(['grpc-server-cert', 'grpc-server-key', 'grpc-root-cert']);
/** Keys of --backend-config that only this server has. */
const OWN_KEYS: ReadonlySet<string> = new Set([
  'gpu-providers',
  'gpu-comparison',
  'gpu-steady-batches',
  'inline-runs',
  'direct-runs',
  'python-executable',
]);
/** Stand for the name of a secret while options are printed; no option can hold such a character. */
const [OPEN, CLOSE] = ['\u0001', '\u0002'];
const CERTIFICATE_FOLDER = '/certificates';

/** Arguments without those for repositories, in the order of the usage text. */
export function exportedArguments(
  served: ServedOptions,
  { secret, escape }: ArgumentStyle,
): ExportedArguments {
  const secrets: string[] = [];
  const findings: Finding[] = ownKeyFindings(served.engine);
  const certificates = new Map<string, string>();
  const engine = withNamedSecrets(withoutOwnKeys(served.engine), (name) => {
    if (!secrets.includes(name)) secrets.push(name);
    return `${OPEN}${name}${CLOSE}`;
  });
  const printed = SERVER_OPTIONS.flatMap((option) => {
    const texts = option.print?.(engine) ?? [];
    const isGiven = served.given.has(option.name);
    const refusal = refused(option);
    if (refusal !== undefined && (isGiven || texts.length > 0)) findings.push(dropped(option, refusal));
    if (refusal !== undefined || LEFT_TO_TARGET.has(option.name)) return [];
    return texts.map((text) => {
      if (option.argument === undefined) return `--${option.name}`;
      if (!CERTIFICATES.has(option.name)) return `--${option.name}=${text}`;
      const inside = `${CERTIFICATE_FOLDER}/${text.split(/[\\/]/).at(-1)}`;
      certificates.set(inside, text);
      return `--${option.name}=${inside}`;
    });
  });
  findings.push(...forgottenFindings(served));
  const written = [...printed, ...served.untouched].map((text) => named(text, secret, escape));
  findings.push(...written.filter(isOfThisMachine).map(pathFinding));
  return { arguments: written, secrets, certificates, findings };
}

/** The text with secrets as the target writes them. */
function named(text: string, secret: ArgumentStyle['secret'], escape: ArgumentStyle['escape']): string {
  return text
    .split(new RegExp(`${OPEN}([^${CLOSE}]*)${CLOSE}`))
    .map((part, at) => (at % 2 === 1 ? secret(part) : escape(part)))
    .join('');
}

function refused({ name, group }: OptionDefinition): string | undefined {
  if (group === 'Conch') return 'only Conch has this option';
  if (group === 'OpenAI')
    return "the reference's OpenAI-compatible frontend is a program of its own, with options of its own";
  if (FOLDERS_OF_IMAGE.has(name))
    return 'it names a folder of this machine, and the image has one of its own';
  return name === 'log-file' ? 'containers log to standard error, which the platform collects' : undefined;
}

function dropped({ name }: OptionDefinition, reason: string): Finding {
  return serverFinding(
    'info',
    'H19',
    `--${name} was left out: ${reason}`,
    'Nothing is to be done unless the other engine has to do the same.',
  );
}

/** A server that runs no longer knows the values of options that change nothing in it. */
function forgottenFindings({ given, untouched }: ServedOptions): readonly Finding[] {
  return SERVER_OPTIONS.filter(
    ({ name, print, noEffect }) =>
      given.has(name) &&
      print === undefined &&
      noEffect !== undefined &&
      !untouched.some((text) => text === `--${name}` || text.startsWith(`--${name}=`)),
  ).map((option) => dropped(option, 'it changes nothing here, so its value was not kept'));
}

function ownKeyFindings({ backends }: EngineOptions): Finding[] {
  return backends.settings
    .filter(isOwnKey)
    .map(({ backend, key }) =>
      serverFinding(
        'info',
        'H19',
        `--backend-config=${backend === '' ? '' : `${backend},`}${key} was left out: only Conch has this setting`,
        'Nothing is to be done unless the other engine has to do the same.',
      ),
    );
}

function isOwnKey({ backend, key }: EngineOptions['backends']['settings'][number]): boolean {
  return backend === 'javascript' || OWN_KEYS.has(key);
}

function isOfThisMachine(argument: string): boolean {
  const value = argument.slice(argument.lastIndexOf('=') + 1);
  return /^(\/(?!opt\/tritonserver)|[a-z]:\\)/i.test(value) && !value.startsWith(`${CERTIFICATE_FOLDER}/`);
}

function pathFinding(argument: string): Finding {
  return serverFinding(
    'warning',
    'H13',
    `${argument} names a path of this machine`,
    'Mount what it names at the same path of the container, or leave the option out there.',
  );
}

function withoutOwnKeys(engine: EngineOptions): EngineOptions {
  const settings = engine.backends.settings.filter((setting) => !isOwnKey(setting));
  return { ...engine, backends: { ...engine.backends, settings } };
}
