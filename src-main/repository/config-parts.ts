// What passes between the loop and the thread that reads a long configuration. On its way back it is in parts: lists and
// maps of very many entries come one part after the other, because a thread takes over a message in one go, and nothing
// else is answered meanwhile.

import type { MessagePort } from 'node:worker_threads';

import { setEntry } from '../../src-shared/config/message-value.ts';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { WireError } from '../../src-shared/errors.ts';
import type { ConfigSource } from './config-reading.ts';
import type { ExplainedConfig } from './config-rules.ts';

/** What the thread is given. */
export interface ConfigWork {
  readonly source: ConfigSource;
  /** Where the parts go, all of them before the answer. */
  readonly parts: MessagePort;
}

/** What it answers: a configuration whose `partCount` parts wait at the port, or why there is none. */
export type ConfigAnswer =
  | { readonly read: ExplainedConfig; readonly partCount: number }
  | { readonly failure: WireError };

/** Entries of one part; taking it over costs about two milliseconds. */
const PART_ENTRIES = 2000;

/** Some neighbouring entries of one field of the outermost level. */
export type ConfigPart =
  | { readonly property: string; readonly items: readonly unknown[] }
  | { readonly property: string; readonly entries: readonly (readonly [key: string, value: unknown])[] };

/** The configuration with its long lists and maps empty, and these in parts, in their order. */
export interface ConfigInParts {
  readonly trunk: ModelConfig;
  readonly parts: readonly ConfigPart[];
}

/** Takes apart the lists and maps of the outermost level that have more entries than one part. */
export function takeApart(config: ModelConfig): ConfigInParts {
  const emptied: Record<string, unknown> = {};
  const parts: ConfigPart[] = [];
  for (const [property, value] of Object.entries(config)) {
    if (Array.isArray(value)) {
      if (value.length <= PART_ENTRIES) continue;
      emptied[property] = [];
      for (const items of inSlices(value)) parts.push({ property, items });
    } else if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value as object);
      if (entries.length <= PART_ENTRIES) continue;
      emptied[property] = {};
      for (const slice of inSlices(entries)) parts.push({ property, entries: slice });
    }
  }
  return { trunk: { ...config, ...emptied }, parts };
}

/** Puts the next part of what `takeApart` gave back into its trunk. */
export function putBack(trunk: ModelConfig, part: ConfigPart): void {
  const target: unknown = Reflect.get(trunk, part.property);
  if ('items' in part) {
    for (const item of part.items) (target as unknown[]).push(item);
  } else {
    for (const [key, value] of part.entries) setEntry(target as Record<string, unknown>, key, value);
  }
}

function inSlices<T>(entries: readonly T[]): T[][] {
  const count = Math.ceil(entries.length / PART_ENTRIES);
  return Array.from({ length: count }, (_, at) => entries.slice(at * PART_ENTRIES, (at + 1) * PART_ENTRIES));
}
