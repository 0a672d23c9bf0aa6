// Restricted APIs: categories of routes that need a header with a secret value (`--http-restricted-api`).

import { httpErrors } from './http-errors.ts';

/** As both frontends name them. */
export const API_CATEGORIES = [
  'health',
  'metadata',
  'inference',
  'shared-memory',
  'model-config',
  'model-repository',
  'statistics',
  'trace',
  'logging',
] as const;

/** A group of `--http-restricted-api`. */
export type ApiCategory = (typeof API_CATEGORIES)[number];

/** `header` in any case. Requests to the categories without exactly this `value` are answered with 403. */
export interface RestrictedGroup {
  readonly categories: readonly string[];
  readonly header: string;
  readonly value: string;
}

interface Requirement {
  /** As given by the user, for the message. */
  readonly header: string;
  /** Lower case, as Node keys headers. */
  readonly key: string;
  readonly value: string;
}

/** What each restricted group asks for. */
export type Restrictions = ReadonlyMap<ApiCategory, Requirement>;

/** Throws INVALID_ARG for an unknown category and for one that is in two groups. */
export function compileRestrictions(groups: readonly RestrictedGroup[]): Restrictions {
  const found = new Map<ApiCategory, Requirement>();
  for (const group of groups) {
    for (const name of group.categories) {
      const category = API_CATEGORIES.find((known) => known === name);
      if (category === undefined) throw httpErrors.unknownCategory({ name });
      if (found.has(category)) {
        throw httpErrors.repeatedCategory({ name });
      }
      found.set(category, { header: group.header, key: group.header.toLowerCase(), value: group.value });
    }
  }
  return found;
}

/** Undefined = allowed; else the message of a 403. */
export function restrictionFault(
  restrictions: Restrictions,
  category: ApiCategory,
  headers: NodeJS.Dict<string | string[]>,
): string | undefined {
  const required = restrictions.get(category);
  if (required === undefined || headers[required.key] === required.value) return undefined;
  return `This API is restricted, expecting header '${required.header}'`;
}
