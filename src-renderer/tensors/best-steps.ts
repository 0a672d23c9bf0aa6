// The best class of each step of a sequence: the letters that a recogniser hears or reads, the label of each token. Where
// one class means "nothing new", what is left without it is the text. Pure.

import { meaningOf, softmax } from './ranking.ts';

/** What is most likely at one step. */
export interface Step {
  readonly index: number;
  readonly value: number;
  /** 0..1; undefined when the values are no shares and cannot become some. */
  readonly share: number | undefined;
}

/** `values` are `count` rows of `length` classes. */
export function bestSteps(values: Float64Array, length: number): readonly Step[] {
  const count = Math.floor(values.length / length);
  const rows = Array.from({ length: count }, (_, at) => values.subarray(at * length, (at + 1) * length));
  const areShares = rows.every((row) => meaningOf(row) === 'shares');
  const areLogits = !areShares && rows.some((row) => meaningOf(row) === 'logits');
  return rows.map((row) => {
    let index = 0;
    for (let at = 1; at < length; at += 1) if ((row[at] ?? 0) > (row[index] ?? 0)) index = at;
    const value = row[index] ?? Number.NaN;
    return { index, value, share: areShares ? value : areLogits ? softmax(row)[index] : undefined };
  });
}

const BLANK = /^(<pad>|\[pad\]|<blank>|\[blank\]|<blk>|blank|<eps>|ε|ctc|_|-)$/i;

/** The class of "nothing new" among the labels; undefined when there is none. */
export function blankOf(labels: readonly string[]): number | undefined {
  // A space or a hyphen may be a letter like any other; as a blank it is the first or the last.
  const ends = [0, labels.length - 1];
  return ends.find((at) => BLANK.test(labels[at] ?? 'none'));
}

const SPACE = /^(\||<space>|\[space\]|▁)$/;
/** Begin and end of a sentence, and what is not known. */
const UNSAID = /^(<[a-z/]+>|\[[A-Z]+\])$/;

/** Equal classes that follow each other are one, and blanks are left out. Classes without a label are their numbers. */
export function collapsed(steps: readonly Step[], blank: number, labels: readonly string[]): string {
  const kept = steps.filter(({ index }, at) => index !== blank && index !== steps[at - 1]?.index);
  if (labels.length === 0) return kept.map(({ index }) => index).join(' ');
  return kept
    .map(({ index }) => labels[index] ?? `[${index}]`)
    .map((label) => (SPACE.test(label) ? ' ' : UNSAID.test(label) ? '' : label.replaceAll('▁', ' ')))
    .join('')
    .trim();
}
