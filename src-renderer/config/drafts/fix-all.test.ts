import { expect, test } from 'vitest';

import type { ConfigFix } from '../../../src-shared/contract/config-calls.ts';
import { applyTextEdits } from '../../../src-shared/config/text-format/ast.ts';
import { fixAllOf } from './fix-all.ts';

const TEXT = 'max_batch_size: -1 dims: [ 1, 3 ] kind: GPU';
const replace = (from: string, newText: string): ConfigFix => ({
  title: `Write ${newText}`,
  edits: [{ startOffset: TEXT.indexOf(from), endOffset: TEXT.indexOf(from) + from.length, newText }],
});
const error = (...fixes: readonly ConfigFix[]) => ({ severity: 'error' as const, fixes });

test('the first plain repair of every error is made', () => {
  const all = fixAllOf([error(replace('-1', '0'), replace('-1', '8')), error(replace('GPU', 'KIND_GPU'))]);
  expect(all.count).toBe(2);
  expect(applyTextEdits(TEXT, all.edits)).toBe('max_batch_size: 0 dims: [ 1, 3 ] kind: KIND_GPU');
});

test('a repair that touches what another one changes is left for the next time', () => {
  const all = fixAllOf([error(replace('[ 1, 3 ]', '[ 3 ]')), error(replace('1, 3', '-1'))]);
  expect(all.count).toBe(1);
  expect(applyTextEdits(TEXT, all.edits)).toContain('dims: [ 3 ]');
});

test('two findings with one repair are both repaired by it', () => {
  const all = fixAllOf([error(replace('-1', '0')), error(replace('-1', '0'))]);
  expect(all).toMatchObject({ count: 2, edits: [{ newText: '0' }] });
});

test('advice, and repairs that are more than an edit, stay with the user', () => {
  const rename: ConfigFix = { ...replace('-1', '0'), action: 'rename-folder' };
  expect(fixAllOf([{ severity: 'info', fixes: [replace('-1', '0')] }, error(rename)]).count).toBe(0);
});
