// One `model_warmup` entry as text and back: the form in which samples travel between the runner and the engine.

import { emptyModelConfig } from './config-defaults.ts';
import { modelConfigToText } from './config-encoder.ts';
import { firstError } from './config-issue.ts';
import type { ModelWarmup } from './model-config.ts';
import { parseModelConfig } from './parse-model-config.ts';
import { sampleErrors } from './sample-errors.ts';

/** The sample in the text format of config.pbtxt. */
export function warmupText(sample: ModelWarmup): string {
  return modelConfigToText(emptyModelConfig({ modelWarmup: [sample] }));
}

/** The first entry of the text. INVALID_ARG when there is none or it cannot be read. */
export function parseWarmup(text: string): ModelWarmup {
  const { config, issues } = parseModelConfig(text);
  const error = firstError(issues);
  if (error !== undefined) throw sampleErrors.unreadable({ reason: error.message });
  const [sample] = config.modelWarmup;
  if (sample === undefined) throw sampleErrors.none();
  return sample;
}
