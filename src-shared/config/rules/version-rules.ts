// Which versions a policy selects, and whether that leaves any.

import {
  actionFix,
  configIssue,
  explainedIssue,
  setTo,
  type ConfigChange,
  type ConfigIssue,
} from '../config-issue.ts';
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
  if (specific === undefined) return sorted;
  const wanted = new Set(specific);
  return sorted.filter((version) => wanted.has(version));
}

/** Listed versions without a folder; a server logs each of them and goes on. */
export function missingVersions(
  policy: ModelVersionPolicy | undefined,
  available: readonly number[],
): readonly number[] {
  const present = new Set(available);
  return (policy?.specific?.versions ?? []).filter((version) => !present.has(version));
}

/** Findings about version_policy; `available` are the versions on disk, undefined where nobody looked. */
export function checkVersions(config: ModelConfig, available: readonly number[] | undefined): ConfigIssue[] {
  if (available === undefined) return [];
  const { name, versionPolicy } = config;
  const issues: ConfigIssue[] = missingVersions(versionPolicy, available).map((version) =>
    explainedIssue(
      'D45',
      `version ${version} is specified for model '${name}', but the version directory is not present`,
      { path: 'version_policy.specific.versions', severity: 'warning' },
      () => ({ hint: folderHint(available), changes: existingVersions(versionPolicy, available) }),
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
              ? [actionFix('create-version-folder', 'Create version folder', '1')]
              : [
                  ...existingVersions(versionPolicy, available),
                  setTo('version_policy', { latest: { numVersions: 1 } }, 'Serve the highest version'),
                ],
        },
      ),
    );
  }
  return issues;
}

/** The listed versions that exist; all that exist where none of the listed does. */
function existingVersions(
  policy: ModelVersionPolicy | undefined,
  available: readonly number[],
): ConfigChange[] {
  if (policy?.specific === undefined || available.length === 0) return [];
  const selected = selectVersions(policy, available);
  const versions = selected.length > 0 ? selected : [...available].sort((a, b) => a - b);
  return [setTo('version_policy.specific.versions', versions, `Serve ${versions.join(', ')}`)];
}

function folderHint(available: readonly number[]): string {
  return available.length === 0
    ? 'The model has no version folder; create one named 1.'
    : `Version folders: ${available.join(', ')}.`;
}
