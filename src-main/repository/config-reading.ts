// Reads a configuration as it came, text or JSON, into values with their origins, or fails with the first fault.

import { decodeFaultlessText } from '../../src-shared/config/config-decoder.ts';
import { firstError, type ConfigIssue } from '../../src-shared/config/config-issue.ts';
import { modelConfigFromJson } from '../../src-shared/config/config-json.ts';
import { originsOfTree, originsOfWritten } from '../../src-shared/config/config-origins.ts';
import { withSpans } from '../../src-shared/config/config-validator.ts';
import { parseErrorLine, parseModelConfig } from '../../src-shared/config/parse-model-config.ts';
import { ServerError } from '../../src-shared/errors.ts';
import type { ExplainedConfig } from './config-rules.ts';

/** A configuration as it was found or sent. */
export interface ConfigSource {
  /** `text`: a config.pbtxt. `json`: what a load call brings. */
  readonly form: 'text' | 'json';
  readonly content: string;
}

/** Throws the first error among the findings: its code, and `message` or its own. */
export function throwFirstError(issues: readonly ConfigIssue[], message?: string): void {
  const issue = firstError(issues);
  if (issue === undefined) return;
  throw new ServerError(issue.statusCode, message ?? issue.message, { details: { issue } });
}

/** Each warning among the findings with its place, if it has one, and its remedy. */
export function warningTexts(issues: readonly ConfigIssue[]): readonly string[] {
  return issues
    .filter(({ severity }) => severity === 'warning')
    .map(({ message, hint, span }) => {
      const place = span === undefined ? '' : `line ${span.line}: `;
      const remedy = hint === '' ? '' : `${message.endsWith('.') ? '' : '.'} ${hint}`;
      return `${place}${message}${remedy}`;
    });
}

/** Reads at once. Throws INTERNAL with line and column for text, INVALID_ARG with the field's path for JSON. */
export function readConfigHere({ form, content }: ConfigSource): ExplainedConfig {
  if (form === 'text') {
    const faultless = decodeFaultlessText(content);
    if (faultless !== undefined) {
      const { config, written } = faultless;
      return { config, origins: originsOfWritten(written), warnings: [] };
    }
    const parsed = parseModelConfig(content);
    throwFirstError(parsed.issues, parseErrorLine(parsed));
    return {
      config: parsed.config,
      origins: originsOfTree(parsed.tree),
      warnings: warningTexts(withSpans(parsed.issues, parsed.tree)),
    };
  }
  const { config, issues } = modelConfigFromJson(content);
  throwFirstError(issues);
  const reason = 'sent with the load call';
  return {
    config,
    origins: new Map([['name', { kind: 'override', reason }]]),
    warnings: warningTexts(issues),
  };
}
