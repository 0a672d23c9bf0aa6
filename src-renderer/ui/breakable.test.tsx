// Where a long text may be broken, and that it stays the text it is.

import { afterEach, expect, test } from 'vitest';

import type { Rendered } from '../testing/render.tsx';
import { renderView } from '../testing/render.tsx';
import { Breakable } from './breakable.tsx';

let page: Rendered | undefined;
afterEach(() => page?.close());

const piecesOf = async (text: string): Promise<readonly string[]> => {
  page = await renderView(
    <p data-testid="shown">
      <Breakable text={text} />
    </p>,
  );
  const shown = page.get('shown');
  expect(shown.textContent).toBe(text);
  return shown.innerHTML.split('<wbr>');
};

test('a line may end behind what joins words', async () => {
  expect(await piecesOf("'http://host:80/v2/models/net_onnx/infer'")).toEqual([
    "'http://",
    'host:',
    '80/',
    'v2/',
    'models/',
    'net_',
    'onnx/',
    "infer'",
  ]);
});

test('no place is made where a space is one, nor in a text too long for it', async () => {
  expect(await piecesOf('a, b')).toEqual(['a, b']);
  await page?.close();
  const long = 'ab/'.repeat(10_000);
  expect(await piecesOf(long)).toEqual([long]);
});
