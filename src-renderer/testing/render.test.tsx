import { afterEach, expect, test } from 'vitest';

import type { Rendered } from './render.tsx';
import { accessibilityFaults, renderView } from './render.tsx';

let page: Rendered | undefined;
afterEach(() => page?.close());

test('what nobody can hear is a fault, with the element that has it', async () => {
  page = await renderView(
    <div>
      <button type="button" data-of="nobody" />
      <button type="button">Load</button>
    </div>,
  );
  expect(await accessibilityFaults()).toEqual([
    'button-name: <button type="button" data-of="nobody"></button>',
  ]);
});
