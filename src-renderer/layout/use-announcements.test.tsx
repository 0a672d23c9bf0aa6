// What is said of models to people who do not see the list: that one is ready, that one failed, and nothing else.

import { afterEach, expect, test } from 'vitest';

import { useModel } from '../engine/engine-context.tsx';
import { FakeEngine } from '../testing/fake-engine.ts';
import { fakeModel } from '../testing/fake-models.ts';
import type { Rendered } from '../testing/render.tsx';
import { renderView, until } from '../testing/render.tsx';
import { Announcer } from '../ui/announcer.tsx';
import { useAnnouncements } from './use-announcements.ts';

let page: Rendered;
afterEach(() => page.close());

function Listener() {
  useAnnouncements();
  return (
    <>
      <Announcer />
      <p data-testid="state">{useModel('simple')?.state}</p>
    </>
  );
}

test('a model that becomes ready or fails is announced once; what was so from the start and what goes on is not', async () => {
  const fake = new FakeEngine();
  fake.snapshot = { ...fake.snapshot, models: [fakeModel('simple', { state: 'ready' })] };
  page = await renderView(<Listener />, fake);
  const said = (): string => page.get('announcer').textContent;
  await until(() => expect(page.get('state').textContent).toBe('ready'));
  expect(said()).toBe('');
  fake.change('simple', { state: 'loading' });
  await until(() => expect(page.get('state').textContent).toBe('loading'));
  expect(said()).toBe('');
  fake.change('simple', { state: 'failed' });
  await until(() => expect(said()).toBe('simple failed to load'));
  fake.change('simple', { state: 'loading' });
  fake.change('simple', { state: 'ready' });
  await until(() => expect(said()).toBe('simple is ready'));
});
