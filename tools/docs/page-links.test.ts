import { describe, expect, test } from 'vitest';

import { anchorsOf, brokenInPage, brokenInSource } from './page-links.ts';

const known = {
  exists: (file: string) => ['docs/a.md', 'docs/b.md', 'src-main/base/clock.ts'].includes(file),
  anchors: (page: string) => (page === 'docs/b.md' ? new Set(['the-rules']) : undefined),
};

test('anchors are made of headings as GitHub makes them', () => {
  const text = '# Which scheduler?\n\n## `state` & more\n\n## Twice\n\n## Twice\n\n```\n# no heading\n```\n';
  expect([...anchorsOf(text)]).toEqual(['which-scheduler', 'state--more', 'twice', 'twice-1']);
});

describe('a page', () => {
  const broken = (text: string): readonly string[] => brokenInPage('docs/a.md', text, known);

  test('may link to pages, headings, and the outside', () => {
    expect(broken('[b](b.md), [b](../docs/b.md#the-rules), [x](https://example.com/y.md)')).toEqual([]);
  });

  test('may not link to what is not there', () => {
    expect(broken('[c](c.md) [b](b.md#no-rules) [own](#nothing)')).toEqual([
      'docs/c.md is not there',
      'docs/b.md has no heading "no-rules"',
      'docs/a.md has no heading "nothing"',
    ]);
  });

  test('names files that are there, from the root or from src-main', () => {
    expect(broken('`src-main/base/clock.ts`, `base/clock.ts`, `src-main/base/gone.ts`')).toEqual([
      'src-main/base/gone.ts is not there',
    ]);
  });

  test('may speak of files in general', () => {
    expect(
      broken('`model.py`, `src-main/*/x.ts`, `models/NAME/1/model.onnx`, `src-shared/contract/<n>.ts`'),
    ).toEqual([]);
  });
});

test('comments cite pages and headings that are there', () => {
  const source = [
    '// See docs/b.md#the-rules and docs/b.md#others.',
    "const text = 'docs/none.md';",
    ' * As protocol.md 16.4 says.',
  ].join('\n');
  expect(brokenInSource(source, known)).toEqual([
    'docs/b.md has no heading "others"',
    'protocol.md is not there',
  ]);
});
