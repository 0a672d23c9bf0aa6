// What the Effective view shows: lines of the text in use or of the text being typed, chosen by origin. Pure.

import type { EffectiveConfig, OriginKind } from '../../../src-shared/contract/config-calls.ts';
import type { EffectiveLine } from '../../config/language/language-protocol.ts';

/** In the order of the filter's buttons. */
export const ORIGINS: readonly OriginKind[] = ['file', 'auto-complete', 'default', 'flag', 'override'];

/** A line of the effective text with its number. */
export type ShownLine = Pick<EffectiveLine, 'text' | 'origin' | 'reason'> & {
  /** 1-based, in the whole effective text. */
  readonly number: number;
};

/** True for the first of lines that follow each other for the same reason: the one that says it. */
export function saysReason(lines: readonly ShownLine[], index: number): boolean {
  const { reason, number } = lines[index] ?? { reason: undefined, number: 0 };
  const before = lines[index - 1];
  return reason !== undefined && !(before?.reason === reason && before.number === number - 1);
}

/** Lines of what the engine answered; an empty line behind the last is none. */
export function servedLines({ text, origins }: EffectiveConfig): readonly ShownLine[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line, index) => ({
    text: line,
    number: index + 1,
    origin: origins[index]?.kind ?? 'default',
    reason: origins[index]?.reason,
  }));
}

/** Lines of what the text being typed completes to. */
export function numbered(lines: readonly EffectiveLine[]): readonly ShownLine[] {
  return lines.map(({ text, origin, reason }, index) => ({ text, origin, reason, number: index + 1 }));
}

/** How many lines have each origin. */
export function originCounts(lines: readonly ShownLine[]): Readonly<Record<OriginKind, number>> {
  const counts = { file: 0, 'auto-complete': 0, default: 0, flag: 0, override: 0 };
  for (const { origin } of lines) counts[origin] += 1;
  return counts;
}

/** Undefined = every origin. */
export function linesOf(lines: readonly ShownLine[], origin: OriginKind | undefined): readonly ShownLine[] {
  return origin === undefined ? lines : lines.filter((line) => line.origin === origin);
}

/** A piece of a line with its colour; the pieces of a line are the whole line. */
export type LinePart = readonly [kind: 'key' | 'string' | 'number' | 'word' | 'plain', text: string];

const PARTS = /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|([A-Za-z_]\w*)(?=\s*[:{[])|([A-Za-z_]\w*)|(-?\d[\w.]*)/g;

/** A line cut into what is coloured differently; the parts joined are the line. */
export function lineParts(line: string): readonly LinePart[] {
  const parts: LinePart[] = [];
  let end = 0;
  for (const match of line.matchAll(PARTS)) {
    if (match.index > end) parts.push(['plain', line.slice(end, match.index)]);
    const [text, string, key, word] = match;
    const kind =
      string !== undefined ? 'string' : key !== undefined ? 'key' : word !== undefined ? 'word' : 'number';
    parts.push([kind, text]);
    end = match.index + text.length;
  }
  if (end < line.length) parts.push(['plain', line.slice(end)]);
  return parts;
}
