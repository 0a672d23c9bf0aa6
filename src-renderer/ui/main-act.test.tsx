// Who has the one filled button of a screen.

import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';

import { FakeEngine } from '../testing/fake-engine.ts';
import type { Rendered } from '../testing/render.tsx';
import { click, renderView, until } from '../testing/render.tsx';
import type { MainActKind } from './main-act.tsx';
import { MainActScope, useIsMainActTaken, useMainAct } from './main-act.tsx';

let page: Rendered | undefined;
afterEach(() => page?.close());

function Around() {
  return <output data-testid="around">{String(useIsMainActTaken())}</output>;
}

function Inside({ name, kind = 'sends' }: { readonly name: string; readonly kind?: MainActKind }) {
  const [isMain, setIsMain] = useState(false);
  const hasIt = useMainAct(isMain, kind);
  return (
    <button
      type="button"
      data-testid={name}
      data-state={hasIt ? 'main' : 'plain'}
      onClick={() => setIsMain(!isMain)}
    >
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

test('of several one has it: keeping a change before mending, and mending before sending', async () => {
  page = await renderView(
    <MainActScope>
      <Inside name="send" />
      <Inside name="mend" kind="mends" />
      <Inside name="keep" kind="keeps" />
    </MainActScope>,
    new FakeEngine(),
  );
  const { get } = page;
  const main = (): string[] =>
    ['send', 'mend', 'keep'].filter((name) => get(name).dataset['state'] === 'main');
  for (const name of ['send', 'mend', 'keep']) {
    await click(get(name));
    await until(() => expect(main()).toEqual([name]));
  }
  await click(get('keep'));
  await until(() => expect(main()).toEqual(['mend']));
});
