// What the icon of a tab says about what it stands for.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { address, modelAddress } from '../lib/address.ts';
import { INITIAL_WORKSPACE, open, workspace } from '../lib/workspace-store.ts';
import { FakeEngine } from '../testing/fake-engine.ts';
import type { Rendered } from '../testing/render.tsx';
import { renderWithHosts, until } from '../testing/render.tsx';
import { TabStrip } from './tab-strip.tsx';

let page: Rendered | undefined;

beforeEach(() => workspace.setState(INITIAL_WORKSPACE, true));
afterEach(() => page?.close());

const iconOf = (name: string): string => {
  const tabs = [...document.querySelectorAll('[data-tab]')];
  return (
    tabs
      .find(({ textContent }) => textContent === name)
      ?.querySelector('svg')
      ?.getAttribute('class') ?? ''
  );
};

test('a tab has the state of its model, and another icon when the model is gone', async () => {
  const fake = new FakeEngine();
  page = await renderWithHosts(<TabStrip features={[]} />, fake);
  open(modelAddress('batch_mlp'));
  open(modelAddress('simple'));
  open(address('models'));
  await until(() => expect(iconOf('batch_mlp')).toContain('text-good'));
  const unloaded = iconOf('simple');
  fake.publish('repository/models', { changed: [], removed: ['batch_mlp'] });
  await until(() => expect(iconOf('batch_mlp')).toContain('lucide-search-x'));
  expect(iconOf('simple')).toBe(unloaded);
});
