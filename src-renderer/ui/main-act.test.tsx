// Who has the one filled button of a screen.

import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';

import { FakeEngine } from '../testing/fake-engine.ts';
import type { Rendered } from '../testing/render.tsx';
import { click, renderView, until } from '../testing/render.tsx';
import { MainActScope, useIsMainActTaken, useMainAct } from './main-act.tsx';

let page: Rendered | undefined;
afterEach(() => page?.close());

function Around() {
  return <output data-testid="around">{String(useIsMainActTaken())}</output>;
}

function Inside({ name }: { readonly name: string }) {
  const [isMain, setIsMain] = useState(false);
  useMainAct(isMain);
  return (
    <button type="button" data-testid={name} onClick={() => setIsMain(!isMain)}>
      {name}
    </button>
  );
}

test('the screen has it again once nothing inside needs it any more', async () => {
  page = await renderView(
    <MainActScope>
      <Around />
      <Inside name="a" />
      <Inside name="b" />
    </MainActScope>,
    new FakeEngine(),
  );
  const { get } = page;
  const expectTaken = (isTaken: boolean) =>
    until(() => expect(get('around').textContent).toBe(String(isTaken)));
  await expectTaken(false);
  await click(get('a'));
  await expectTaken(true);
  await click(get('b'));
  await click(get('a'));
  await expectTaken(true);
  await click(get('b'));
  await expectTaken(false);
});
