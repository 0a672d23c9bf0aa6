// `--http-restricted-api` and `--grpc-restricted-protocol`: `<category>[,<category>...]:<header>=<value>`.

import { API_CATEGORIES } from '../protocol/http/restricted-api.ts';
import type { RestrictedGroup } from './engine-options.ts';
import { UsageError } from './usage-error.ts';

const CATEGORIES: ReadonlySet<string> = new Set(API_CATEGORIES);

/** The parts of the text; which categories there are is not looked at. Throws UsageError. */
export function splitRestrictedGroup(text: string, option: string): RestrictedGroup {
  const [, names = '', header = '', value = ''] = /^([^:]+):([^=]+)=([\s\S]+)$/.exec(text) ?? [];
  if (names === '') {
    throw new UsageError(`--${option} option format is '<config name>:<setting>=<value>'. Got ${text}`);
  }
  return { categories: names.split(','), header, value };
}

/** `noun` is the reference's word for a category: "api" on HTTP, "protocol" on gRPC. Throws UsageError. */
export function parseRestrictedGroup(
  text: string,
  before: readonly RestrictedGroup[],
  option: string,
  noun: 'api' | 'protocol',
): RestrictedGroup {
  const { categories, header, value } = splitRestrictedGroup(text, option);
  for (const category of categories) {
    if (!CATEGORIES.has(category)) throw new UsageError(`unknown restricted ${noun} '${category}' `);
    const isTaken = before.some((group) => group.categories.includes(category));
    if (isTaken || categories.indexOf(category) !== categories.lastIndexOf(category)) {
      throw new UsageError(`restricted ${noun} '${category}' can not be specified in multiple config groups`);
    }
  }
  return { categories, header, value };
}

/** The text that reads as this group. */
export function printRestrictedGroup({ categories, header, value }: RestrictedGroup): string {
  return `${categories.join(',')}:${header}=${value}`;
}
