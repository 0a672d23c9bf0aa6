// The version policy of a configuration text: read, changed, and what it would serve. Everything else in the text stays
// as it is written. Pure.

import { editConfigValue } from '../../src-shared/config/config-edit.ts';
import type { ModelConfig, ModelVersionPolicy } from '../../src-shared/config/model-config.ts';
import { parseModelConfig } from '../../src-shared/config/parse-model-config.ts';
import { selectVersions } from '../../src-shared/config/rules/version-rules.ts';
import { applyTextEdits } from '../../src-shared/config/text-format/ast.ts';
import { parseText } from '../../src-shared/config/text-format/parser.ts';

/** Kinds of `version_policy`, in the order in which they are offered. */
export const POLICY_KINDS = ['default', 'latest', 'all', 'specific'] as const;

/** A kind of `version_policy`. */
export type PolicyKind = (typeof POLICY_KINDS)[number];

/** `latestCount` counts only for "latest", `versions` only for "specific". */
export interface VersionPolicy {
  readonly kind: PolicyKind;
  readonly latestCount: number;
  readonly versions: readonly number[];
}

/** What the configuration says; "default" where it says nothing. */
export function policyOf({ versionPolicy }: Pick<ModelConfig, 'versionPolicy'>): VersionPolicy {
  return {
    kind: kindOf(versionPolicy),
    latestCount: Math.max(1, versionPolicy?.latest?.numVersions ?? 1),
    versions: versionPolicy?.specific?.versions ?? [],
  };
}

function kindOf(policy: ModelVersionPolicy | undefined): PolicyKind {
  if (policy?.all !== undefined) return 'all';
  if (policy?.specific !== undefined) return 'specific';
  return policy?.latest === undefined ? 'default' : 'latest';
}

/** Of a text that may have mistakes: what can be read of it. */
export function readPolicy(text: string): VersionPolicy {
  return policyOf(parseModelConfig(text).config);
}

/** The old choice goes first: the three exclude each other. */
export function withPolicy(text: string, { kind, latestCount, versions }: VersionPolicy): string {
  const without = set(text, 'version_policy', undefined);
  switch (kind) {
    case 'default':
      return without;
    case 'all':
      return set(without, 'version_policy.all', {});
    case 'latest':
      return set(without, 'version_policy.latest.num_versions', latestCount);
    case 'specific':
      return set(without, 'version_policy.specific.versions', versions);
  }
}

/** Versions of `available` that the policy would serve, ascending. */
export function wouldServe(
  { kind, latestCount, versions }: VersionPolicy,
  available: readonly number[],
): readonly number[] {
  const policies = {
    default: undefined,
    all: { latest: undefined, all: {}, specific: undefined },
    latest: { latest: { numVersions: latestCount }, all: undefined, specific: undefined },
    specific: { latest: undefined, all: undefined, specific: { versions: [...versions] } },
  } as const;
  return selectVersions(policies[kind], available);
}

/** Of the same kind and with the same values, as far as that kind looks at them; the order of versions counts. */
export function isSamePolicy(a: VersionPolicy, b: VersionPolicy): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind === 'latest') return a.latestCount === b.latestCount;
  return a.kind !== 'specific' || a.versions.join() === b.versions.join();
}

function set(text: string, path: string, value: unknown): string {
  return applyTextEdits(text, editConfigValue(parseText(text), path, value));
}
