// Model configurations from the text of a config.pbtxt.

import { expect } from 'vitest';

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { parseModelConfig } from '../../src-shared/config/parse-model-config.ts';

/** The configuration of a model named `m` with `text` as the rest of its config.pbtxt; fails when it has an issue. */
export function configOf(text: string): ModelConfig {
  const parsed = parseModelConfig(`name: "m" ${text}`);
  expect(parsed.issues).toEqual([]);
  return parsed.config;
}
