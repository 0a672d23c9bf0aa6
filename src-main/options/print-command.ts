// The running server as a command line of the reference: every option that differs from its default, so that the same
// server can be started elsewhere. What only Conch has is left out, since the reference would refuse it.

import type { EngineOptions } from './engine-options.ts';
import type { OptionDefinition } from './option-definition.ts';
import { withNamedSecrets } from './named-secrets.ts';
import { OPTION_GROUPS } from './option-definition.ts';
import { SERVER_OPTIONS } from './option-table.ts';

/** What a running server knows better than its options. */
export interface CommandFacts {
  /** Ports that are open, where they are others than those asked for. */
  readonly http?: number | undefined;
  readonly grpc?: number | undefined;
  readonly metrics?: number | undefined;
  /** Repositories that are open now. */
  readonly repositories: readonly string[];
}

const FIRST = 'model-repository';
const OURS: readonly OptionDefinition['group'][] = ['OpenAI', 'Conch', 'DEPRECATED'];

/** `tritonserver --model-repository=... ...`, quoted for a shell. */
export function tritonCommand(engine: EngineOptions, facts: CommandFacts): string {
  const running = asItRuns(engine, facts);
  const words = [...SERVER_OPTIONS]
    .filter(({ group }) => !OURS.includes(group))
    .sort((a, b) => place(a) - place(b))
    .flatMap((option) => printed(option, running));
  return ['tritonserver', ...words.map(quoted)].join(' ');
}

/** The same for eyes: a name stands in the place of each secret. The repositories are as they may be shown. */
export function shownCommand(engine: EngineOptions, facts: CommandFacts): string {
  return tritonCommand(
    withNamedSecrets(engine, (name) => `<${name}>`),
    facts,
  );
}

/** The repositories first, then in the order of the usage text. */
function place({ name, group }: OptionDefinition): number {
  return name === FIRST ? -1 : OPTION_GROUPS.indexOf(group);
}

/** The options with the ports and the repositories that are open now. */
export function asItRuns(
  engine: EngineOptions,
  { http, grpc, metrics, repositories }: CommandFacts,
): EngineOptions {
  return {
    ...engine,
    repository: { ...engine.repository, paths: repositories },
    http: { ...engine.http, port: http ?? engine.http.port },
    grpc: { ...engine.grpc, port: grpc ?? engine.grpc.port },
    metrics: { ...engine.metrics, port: metrics ?? engine.metrics.port },
  };
}

function printed({ name, argument, print }: OptionDefinition, engine: EngineOptions): readonly string[] {
  return (print?.(engine) ?? []).map((text) => (argument === undefined ? `--${name}` : `--${name}=${text}`));
}

function quoted(word: string): string {
  return /^[\w./:=,+@%-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
