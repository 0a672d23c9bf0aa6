// A warm-up sample while it is edited: fields as typed, what is wrong with them, and the way from and to the text of a
// model_warmup entry. Pure.

import type { ModelWarmup, WarmupInput } from '../../../src-shared/config/model-config.ts';
import { parseWarmup, warmupText } from '../../../src-shared/config/warmup-text.ts';
import { t } from '../../texts/translate.ts';

/** What an input of a sample is filled with. */
export type Fill = 'zero' | 'random' | 'file';

/** One input of a sample as it is typed. */
export interface InputDraft {
  readonly name: string;
  readonly dataType: WarmupInput['dataType'];
  /** As typed, "3, 224, 224". */
  readonly dims: string;
  readonly fill: Fill;
  /** Below the model's `warmup` folder. */
  readonly file: string;
}

/** A sample: `count` runs of a batch of `batchSize`. */
export interface WarmupDraft {
  readonly name: string;
  readonly batchSize: number;
  readonly count: number;
  readonly inputs: readonly InputDraft[];
}

/** From the text of one model_warmup entry. */
export function draftOf(configText: string): WarmupDraft {
  const { name, batchSize, count, inputs } = parseWarmup(configText);
  return {
    name,
    batchSize,
    count: Math.max(1, count),
    inputs: Object.entries(inputs).map(([input, { dataType, dims, randomData, inputDataFile }]) => ({
      name: input,
      dataType,
      dims: dims.join(', '),
      fill: inputDataFile !== undefined ? 'file' : randomData !== undefined ? 'random' : 'zero',
      file: inputDataFile ?? '',
    })),
  };
}

/** The text of the entry; dims that cannot be read are left out. */
export function textOf({ name, batchSize, count, inputs }: WarmupDraft): string {
  const sample: ModelWarmup = {
    name,
    batchSize,
    count,
    inputs: Object.fromEntries(inputs.map((input) => [input.name, settingOf(input)])),
  };
  return warmupText(sample);
}

function settingOf({ dataType, dims, fill, file }: InputDraft): WarmupInput {
  return {
    dataType,
    dims: dimsOf(dims) ?? [],
    zeroData: fill === 'zero' ? true : undefined,
    randomData: fill === 'random' ? true : undefined,
    inputDataFile: fill === 'file' ? file : undefined,
  };
}

/** Undefined when it is no list of positive whole numbers. */
export function dimsOf(text: string): readonly number[] | undefined {
  if (text.trim() === '') return [];
  const parts = text.split(/[\s,x×]+/).filter((part) => part !== '');
  return parts.every((part) => /^[1-9]\d*$/.test(part)) ? parts.map(Number) : undefined;
}

/** Why the sample cannot run; undefined = it can. */
export function draftIssue({ name, batchSize, inputs }: WarmupDraft): string | undefined {
  if (name.trim() === '') return t('warmup.issue.name');
  if (batchSize < 1) return t('warmup.issue.batch');
  const faulty = inputs.find((input) => inputIssue(input) !== undefined);
  return faulty === undefined ? undefined : `${faulty.name}: ${inputIssue(faulty)}`;
}

/** Why the input cannot be filled; undefined = it can. */
export function inputIssue({ dims, fill, file }: InputDraft): string | undefined {
  if (dimsOf(dims) === undefined) return t('warmup.issue.dims');
  return fill === 'file' && file === '' ? t('warmup.issue.file') : undefined;
}

/** A name that no sample has. */
export function freeName(taken: readonly string[]): string {
  for (let number = 1; ; number += 1) if (!taken.includes(`sample_${number}`)) return `sample_${number}`;
}
