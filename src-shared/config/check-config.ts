// Everything that can be said about a config text in one call: parsed, completed, validated, compared with the model
// file and with the composing models. Used by the editor, by `conch check` and by tests.

import { completeModelConfig, type LoadFacts, type PollFacts } from './complete-model-config.ts';
import type { ModelLookup } from './composing-model.ts';
import type { ConfigIssue } from './config-issue.ts';
import { firstError } from './config-issue.ts';
import { originOf, originsOfTree, type ConfigOrigins } from './config-origins.ts';
import { validateModelConfig, withSpans } from './config-validator.ts';
import type { ModelConfig } from './model-config.ts';
import { parseModelConfig, type ParsedModelConfig } from './parse-model-config.ts';
import { checkEnsembleDependencies, checkEnsembleInterfaces } from './rules/ensemble-interface-rules.ts';
import { isEnsembleDecoupled } from './rules/ensemble-decoupled-rules.ts';
import { checkInterface } from './rules/interface-rules.ts';
import type { ValidationContext } from './validation-context.ts';

/** What is known besides the text. The more is known, the more is checked. */
export interface CheckFacts
  extends Omit<PollFacts, 'origins'>, Omit<LoadFacts, 'origins'>, Partial<Omit<ValidationContext, 'stage'>> {
  readonly directoryName: string;
  /** Composing models; leave out when the repository is not known. */
  readonly lookup?: ModelLookup;
  /** Names that a step of an ensemble could mean. */
  readonly modelNames?: readonly string[];
}

/** What came of a check. */
export interface CheckedConfig {
  readonly parsed: ParsedModelConfig;
  /** The effective configuration, as far as it could be completed. */
  readonly config: ModelConfig;
  readonly origins: ConfigOrigins;
  /** Text mistakes alone while there are any; otherwise in the order in which a server finds them. */
  readonly issues: readonly ConfigIssue[];
}

/** Never throws. */
export function checkConfigText(text: string, facts: CheckFacts): CheckedConfig {
  const parsed = parseModelConfig(text);
  const written = originsOfTree(parsed.tree);
  const { lookup } = facts;
  const completed = completeModelConfig(parsed.config, {
    ...facts,
    origins: written,
    description: facts.isStrict === true ? undefined : facts.description,
    isAnyStepDecoupled:
      lookup !== undefined && isEnsembleDecoupled(parsed.config, (name) => lookup(name)?.config),
  });
  const { config, origins } = completed;
  if (firstError(parsed.issues) !== undefined) return { parsed, config, origins, issues: parsed.issues };
  const isServable = config.ensembleScheduling === undefined && facts.description !== undefined;
  const issues = [
    ...completed.issues,
    ...(completed.issues.length > 0
      ? []
      : validateModelConfig(config, { ...facts, stage: 'all' }).filter(
          (issue) => !isAboutDefaults(issue, config, origins),
        )),
    ...(isServable && completed.issues.length === 0 && facts.description !== undefined
      ? checkInterface(config, facts.description)
      : []),
    ...(lookup === undefined
      ? []
      : [
          ...checkEnsembleDependencies(config, lookup, facts.modelNames),
          ...checkEnsembleInterfaces(config, lookup),
        ]),
  ];
  return { parsed, config, origins, issues: [...parsed.issues, ...withSpans(issues, parsed.tree)] };
}

/** Advice about threads where neither they nor the number of instances are the user's: the server chose both. */
function isAboutDefaults(
  { code, severity }: ConfigIssue,
  { instanceGroup }: ModelConfig,
  origins: ConfigOrigins,
): boolean {
  if (code !== 'D41' || severity !== 'info') return false;
  return instanceGroup.every((_, at) => originOf(origins, `instance_group[${at}].count`).kind === 'default');
}
