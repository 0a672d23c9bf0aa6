// One finding of the editor with one repair, asked for as the editor asks. Fails when the finding, its hint or the repair
// is missing, or when the repaired text still has the finding.

import { expect } from 'vitest';

import type { ModelDescription } from '../../src-shared/config/model-description.ts';
import { describeTensor } from '../../src-shared/config/model-description.ts';
import { applyTextEdits } from '../../src-shared/config/text-format/ast.ts';
import { ConfigLanguage } from '../config/language/config-language.ts';
import type { LanguageContext } from '../config/language/language-protocol.ts';
import { SOME_BACKENDS } from '../../src-shared/testing/some-backends.ts';

/** What the model's file says: FP32 IN [-1, 16] and OUT [-1, 4]. */
export const MLP: ModelDescription = {
  inputs: [describeTensor('IN', 'FP32', [-1, 16])],
  outputs: [describeTensor('OUT', 'FP32', [-1, 4])],
};

const CONTEXT: LanguageContext = {
  modelName: 'mlp',
  versions: ['1'],
  descriptions: [{ version: '1', description: MLP }],
  gpuIds: [],
  backends: SOME_BACKENDS,
  physicalCores: 8,
  isAutoCompleteEnabled: true,
  defaultMaxBatchSize: 4,
  models: [],
  files: ['1/model.onnx', 'config.pbtxt', 'warmup/image.raw'],
  inspectedEntries: [{ name: 'model.onnx', isDirectory: false }],
  gpuPolicy: 'fallback',
  readiness: {},
};

/** An input and an output of FP32; an empty text leaves `dims` empty. */
export const tensors = (inDims = '16', outDims = '4'): string =>
  `input { name: "IN" data_type: TYPE_FP32 dims: [ ${inDims} ] } output { name: "OUT" data_type: TYPE_FP32 dims: [ ${outDims} ] }`;
/** `tensors` with max_batch_size 8 and `extra` in front of them. */
export const batched = (extra = ''): string => `max_batch_size: 8 ${extra} ${tensors()}`;

/** Facts of a folder whose only version has a model with this interface. */
export const described = (description: ModelDescription): Partial<LanguageContext> => ({
  descriptions: [{ version: '1', description }],
});

/** A text with one finding, and what repairing it must give. */
export interface RepairRow {
  readonly code: string;
  readonly text: string;
  readonly facts?: Partial<LanguageContext>;
  /** Part of the sentence, Triton's own where it has one. */
  readonly says: string;
  readonly fix: string;
  /** What the repaired text holds; for an action what it is about. */
  readonly leaves?: string;
  readonly action?: string;
}

/** Facts about the document `mlp`; what `context` leaves out is as of a folder without faults. */
export function languageFor(context: Partial<LanguageContext> = {}): ConfigLanguage {
  const language = new ConfigLanguage();
  language.setContext('mlp', { ...CONTEXT, ...context });
  return language;
}

/** `leaves`: what the text must hold after the repair, or for a repair that is an action, its target. */
export function checkRepair({ code, text, facts, says, fix: title, leaves, action }: RepairRow): void {
  const language = languageFor(facts);
  const found = language.answers.check('mlp', text);
  const issue = found.find((each) => each.code === code && each.message.includes(says));
  expect(found.map(({ code: each, message }) => `${each} ${message}`).join('\n')).toContain(says);
  expect(issue?.hint).not.toBe('');
  const fix = issue?.fixes.find((each) => each.title === title);
  expect(issue?.fixes.map((each) => each.title)).toContain(title);
  expect(fix?.action).toBe(action);
  if (action !== undefined) {
    expect(fix?.target ?? '').toBe(leaves ?? '');
    return;
  }
  const repaired = applyTextEdits(text, fix?.edits ?? []);
  expect(repaired).toContain(leaves);
  expect(repaired).not.toBe(text);
  const left = language.answers.check('mlp', repaired);
  expect(left.filter((each) => each.code === code && each.message === issue?.message)).toEqual([]);
  expect(left.filter((each) => each.code === 'D01')).toEqual([]);
}

/** How many different repairs the rows have for `code`. */
export function repairCount(rows: readonly RepairRow[], code: string): number {
  return new Set(rows.filter((row) => row.code === code).map(({ fix }) => fix)).size;
}
