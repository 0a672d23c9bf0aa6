// Compares a configuration with what the model file really offers. The first contradiction is the reason a version fails; runs in every mode, also for configurations completed automatically.

import { firstError } from '../../../src-shared/config/config-issue.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { ModelDescription } from '../../../src-shared/config/model-description.ts';
import { checkInterface } from '../../../src-shared/config/rules/interface-rules.ts';
import { ServerError } from '../../../src-shared/errors.ts';

/** Throws the issue's code and text. */
export function requireInterface(config: ModelConfig, description: ModelDescription): void {
  const issue = firstError(checkInterface(config, description));
  if (issue !== undefined) throw new ServerError(issue.statusCode, issue.message);
}
