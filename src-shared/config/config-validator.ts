// Runs the rules over a completed configuration, in the reference's order: the first error is the one the wire shows.

import { findBackend } from './backend-description.ts';
import { editConfigValue, renameConfigEntry } from './config-edit.ts';
import { shownIssues, type ConfigChange, type ConfigFix, type ConfigIssue } from './config-issue.ts';
import { spanOfPath } from './config-path.ts';
import type { ModelConfig } from './model-config.ts';
import { isEnsemble } from './model-config.ts';
import { adviseDynamicBatching, checkCache, checkDynamicBatching } from './rules/batching-rules.ts';
import { checkBatchInputTypes } from './rules/batch-io-rules.ts';
import { checkEnsemble } from './rules/ensemble-rules.ts';
import { checkBackendExists, checkDirectoryName, checkIdentity } from './rules/identity-rules.ts';
import { checkInstanceGroups } from './rules/instance-rules.ts';
import { checkInputsAndOutputs } from './rules/io-rules.ts';
import { checkLimits } from './rules/limit-rules.ts';
import { checkMetrics } from './rules/metrics-rules.ts';
import { checkParameterValues } from './rules/parameter-rules.ts';
import { checkSequenceBatching, checkSequenceStates } from './rules/sequence-rules.ts';
import { adviseMachine } from './rules/machine-rules.ts';
import { checkWarmup } from './rules/warmup-rules.ts';
import { checkVersions } from './rules/version-rules.ts';
import type { TextTree } from './text-format/ast.ts';
import { DEFAULT_VALIDATION_CONTEXT, type ValidationContext } from './validation-context.ts';

/**
 * All findings about `config`, which has been completed and normalised before (see complete-model-config.ts). With the
 * `tree` it was read from, each finding has its place in the text.
 */
export function validateModelConfig(
  config: ModelConfig,
  context: Partial<ValidationContext> = {},
  tree?: TextTree,
): ConfigIssue[] {
  const full = { ...DEFAULT_VALIDATION_CONTEXT, ...context };
  const issues = checksOf(config, full);
  return tree === undefined ? issues : withSpans(issues, tree);
}

/**
 * The same findings, as far as they are shown, with their place in `tree` (where their path or a field around it is
 * written) and their fixes.
 */
export function withSpans(issues: readonly ConfigIssue[], tree: TextTree): ConfigIssue[] {
  return shownIssues(issues).map((issue) => ({
    ...issue,
    span: issue.span ?? spanOfPath(tree.root, issue.path),
    fixes: [...issue.fixes, ...issue.changes.flatMap((change) => fixOf(tree, change))],
  }));
}

/** None when there is nothing to change, as for a field that was completed and is not written. */
function fixOf(tree: TextTree, { title, sets, action, target = '' }: ConfigChange): ConfigFix[] {
  const edits = sets.flatMap((change) =>
    'newKey' in change
      ? renameConfigEntry(tree, change.path, change.newKey)
      : editConfigValue(tree, change.path, change.value),
  );
  if (action !== undefined && (sets.length === 0 || edits.length > 0))
    return [{ title, edits, action, target }];
  return edits.length === 0 ? [] : [{ title, edits }];
}

function checksOf(config: ModelConfig, context: ValidationContext): ConfigIssue[] {
  const io = (): ConfigIssue[] =>
    checkInputsAndOutputs(
      config,
      findBackend(context.backends ?? [], config.backend)?.supportsOptionalInputs ?? true,
    );
  const name = checkDirectoryName(config, context.directoryName);
  const instances = isEnsemble(config) ? [] : checkInstanceGroups(config, context);
  switch (context.stage) {
    case 'poll':
      return [...checkStatic(config, context), ...(context.isStrict ? io() : []), ...name];
    case 'load':
      return [
        ...checkVersions(config, context.availableVersions),
        ...instances,
        ...checkStatic(config, context),
        ...io(),
        ...checkLimits(config),
      ];
    case 'all': {
      const types = isEnsemble(config) ? [] : checkBatchInputTypes(config);
      const told = new Set(types.map(({ path }) => path));
      const load = [
        ...checkVersions(config, context.availableVersions),
        ...instances,
        ...types,
        ...(context.isStrict ? [] : io().filter(({ path }) => !told.has(path))),
        ...checkSequenceStates(config),
      ];
      return [
        ...checkStatic(config, context),
        ...(context.isStrict ? io() : []),
        ...name,
        ...load,
        ...checkBackendExists(config, context.backends),
        ...checkLimits(config),
        ...checkParameterValues(config),
        ...checkWarmup(config, context.files),
        ...adviseDynamicBatching(config),
        ...adviseMachine(config, context),
      ];
    }
  }
}

/** Checks that need nothing but the configuration itself. */
function checkStatic(config: ModelConfig, { lookup }: ValidationContext): ConfigIssue[] {
  return [
    ...checkIdentity(config),
    ...checkDynamicBatching(config),
    ...checkSequenceBatching(config),
    ...checkEnsemble(config, lookup),
    ...checkCache(config),
    ...checkMetrics(config),
  ];
}
