// Reads a tritonserver command, or a docker run around one: which of its options are settings here, which repositories
// it names, and which options have no counterpart. Paths and ports inside a container are those of this machine after
// its -v and -p. Pure.

import type { ImportedCommand } from '../../src-shared/contract/observe-views.ts';
import type { SettingValue } from '../../src-shared/contract/setting-definition.ts';
import { DEFAULT_PORTS } from '../../src-shared/default-ports.ts';
import { scanArgv } from '../base/argv-scanner.ts';
import type { DockerMounts } from './docker-mounts.ts';
import { dockerMounts, hostPath, hostPort } from './docker-mounts.ts';
import type { OptionDefinition } from './option-definition.ts';
import { SERVER_OPTIONS } from './option-table.ts';

const REPOSITORY_OPTIONS: ReadonlySet<string> = new Set(['model-repository', 'model-store']);
const PORTS: Readonly<Record<string, number>> = {
  'server.httpPort': DEFAULT_PORTS.http,
  'server.grpcPort': DEFAULT_PORTS.grpc,
  'server.metricsPort': DEFAULT_PORTS.metrics,
};

type Changes = Record<string, SettingValue>;

/** What the command says. Throws a UsageError where it names no tritonserver or is no command at all. */
export function importCommand(command: string): ImportedCommand {
  const words = splitWords(command);
  const start = words.findIndex((word) => /(^|\/)tritonserver(\.exe)?$/.test(word));
  const mounts = dockerMounts(words.slice(0, Math.max(0, start)));
  const ignored: string[] = [];
  const { options } = scanArgv(words.slice(start + 1), SERVER_OPTIONS, (fault) => {
    ignored.push(fault.words);
  });
  const changes: Changes = {};
  const repositories: string[] = [];
  for (const { option, value } of options) {
    if (REPOSITORY_OPTIONS.has(option.name)) repositories.push(hostPath(mounts, value));
    else if (!changesBy(option, value, changes)) {
      ignored.push(option.argument === undefined ? `--${option.name}` : `--${option.name}=${value}`);
    }
  }
  applyPublishedPorts(changes, mounts);
  return { changes, repositories, ignored };
}

/** True when a setting says the same as the option. */
function changesBy({ settings = [] }: OptionDefinition, text: string, changes: Changes): boolean {
  for (const { definition, read } of settings) {
    const value = read(text, changes[definition.key]);
    if (value === undefined) continue;
    changes[definition.key] = value;
    return true;
  }
  return false;
}

/** A container publishes its ports under others, also those it was not told. */
function applyPublishedPorts(changes: Changes, mounts: DockerMounts): void {
  for (const [setting, usual] of Object.entries(PORTS)) {
    const inside = Number(changes[setting] ?? usual);
    const outside = hostPort(mounts, inside);
    if (outside !== undefined && (outside !== usual || setting in changes)) changes[setting] = outside;
  }
}

/** Splits like a shell: quotes hold words together, a backslash at the end of a line joins lines. */
export function splitWords(command: string): readonly string[] {
  const words: string[] = [];
  for (const match of command.replaceAll(/\\\r?\n/g, ' ').matchAll(/(?:"([^"]*)"|'([^']*)'|[^\s"'])+/g)) {
    words.push(match[0].replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
  }
  return words;
}
