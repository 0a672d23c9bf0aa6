// Configurations that are fine unless what a test adds to them is not, and what the rules say to them.

import { expect } from 'vitest';
import { completeModelConfig } from '../config/complete-model-config.ts';
import { firstError, type ConfigIssue } from '../config/config-issue.ts';
import { validateModelConfig } from '../config/config-validator.ts';
import { parseModelConfig } from '../config/parse-model-config.ts';
import type { ValidationContext } from '../config/validation-context.ts';
import { SOME_BACKENDS } from './some-backends.ts';

/** An input A and an output B of FP32. */
export const IO =
  'input { name: "A" data_type: TYPE_FP32 dims: 1 } output { name: "B" data_type: TYPE_FP32 dims: 1 }';

/** What the rules say to the text of a config.pbtxt that can be read; `context` is what they know besides. */
export function issuesOf(text: string, context: Partial<ValidationContext> = {}): ConfigIssue[] {
  const parsed = parseModelConfig(text);
  expect(parsed.issues).toEqual([]);
  const { config } = completeModelConfig(parsed.config, {
    directoryName: 'm',
    gpuInventory: context.gpuInventory ?? [],
    backends: SOME_BACKENDS,
  });
  return validateModelConfig(config, context, parsed.tree);
}

/** The first error among `issuesOf`. */
export const errorOf = (text: string, context?: Partial<ValidationContext>): ConfigIssue | undefined =>
  firstError(issuesOf(text, context));

/** A batching model with `extra` in its text. */
export const identity = (extra: string): string => `backend: "identity" max_batch_size: 8 ${extra} ${IO}`;

/** A batching model with `body` in its dynamic batching. */
export const dynamic = (body: string): string => identity(`dynamic_batching { ${body} }`);
