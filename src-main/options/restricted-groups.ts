// `--http-restricted-api` and `--grpc-restricted-protocol`: `<category>[,<category>...]:<header>=<value>`.

import { API_CATEGORIES } from '../protocol/http/restricted-api.ts';
import { UsageError } from './option-definition.ts';
import { parsePair } from './option-values.ts';

const CATEGORIES: ReadonlySet<string> = new Set(API_CATEGORIES);

interface Group {
  categories: string[];
  header: string;
  value: string;
}

/** Adds one group. `noun` is the reference's word for a category: "api" on HTTP, "protocol" on gRPC. */
export function addRestrictedGroup(groups: Group[], text: string, noun: 'api' | 'protocol'): void {
  const [names, rule] = parsePair(text, ':');
  const [header, value] = parsePair(rule, '=');
  const categories = names.split(',');
  for (const category of categories) {
    if (!CATEGORIES.has(category)) throw new UsageError(`unknown restricted ${noun} '${category}'`);
    const isTaken = groups.some((group) => group.categories.includes(category));
    if (isTaken || categories.indexOf(category) !== categories.lastIndexOf(category)) {
      throw new UsageError(`restricted ${noun} '${category}' can not be specified in multiple config groups`);
    }
  }
  groups.push({ categories, header, value });
}

/** Refuses a pattern that the engine could not use later. Triton's `(?i)` prefix is understood. */
export function checkHeaderPattern(pattern: string): string {
  try {
    new RegExp(pattern.replace(/^\(\?i\)/, ''), 'i');
  } catch (thrown) {
    throw new UsageError(`invalid regular expression: ${(thrown as Error).message}`);
  }
  return pattern;
}
