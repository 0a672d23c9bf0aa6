// Which versions a policy selects, and whether that leaves any.

import { configIssue, setTo, type ConfigIssue } from '../config-issue.ts';
import type { ModelConfig, ModelVersionPolicy } from '../model-config.ts';

/**
 * The versions of `available` that `policy` serves, in ascending order. No policy selects the highest one, a policy
 * without a choice all of them.
 */
export function selectVersions(
  policy: ModelVersionPolicy | undefined,
  available: readonly number[],
): readonly number[] {
  const sorted = [...new Set(available)].sort((a, b) => a - b);
  if (policy === undefined) return sorted.slice(-1);
  if (policy.latest !== undefined) {
    const { numVersions } = policy.latest;
    return numVersions === 0 ? [] : sorted.slice(-numVersions);
  }
  const specific = policy.specific?.versions;
  return specific === undefined ? sorted : sorted.filter((version) => specific.includes(version));
}

/** Listed versions without a folder; a server logs each of them and goes on. */
export function missingVersions(
  policy: ModelVersionPolicy | undefined,
  available: readonly number[],
): readonly number[] {
  return (policy?.specific?.versions ?? []).filter((version) => !available.includes(version));
}

export function checkVersions(config: ModelConfig, available: readonly number[] | undefined): ConfigIssue[] {
  if (available === undefined) return [];
  const { name, versionPolicy } = config;
  const issues: ConfigIssue[] = missingVersions(versionPolicy, available).map((version) =>
    configIssue(
      'D45',
      `version ${version} is specified for model '${name}', but the version directory is not present`,
      { path: 'version_policy.specific.versions', severity: 'warning', hint: folderHint(available) },
    ),
  );
  if (selectVersions(versionPolicy, available).length === 0) {
    issues.push(
      configIssue(
        'D45',
        `at least one version must be available under the version policy of model '${name}'`,
        {
          path: 'version_policy',
          hint: folderHint(available),
          changes:
            available.length === 0
              ? []
              : [setTo('version_policy', { latest: { numVersions: 1 } }, 'Serve the highest version')],
        },
      ),
    );
  }
  return issues;
}

function folderHint(available: readonly number[]): string {
  return available.length === 0
    ? 'The model has no version folder; create one named 1.'
    : `Version folders: ${available.join(', ')}.`;
}
