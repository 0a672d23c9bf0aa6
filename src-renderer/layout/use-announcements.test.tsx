// What is said of models to people who do not see the list: that one is ready, that one failed, and nothing else.

import { useEffect } from 'react';
import { afterEach, expect, test } from 'vitest';

import { loadModel } from '../actions/model-actions.ts';
import type { Engine } from '../engine/engine-context.tsx';
import { useEngine, useModel } from '../engine/engine-context.tsx';
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

test('what this window loads is said by its own report, and by nobody else', async () => {
  const fake = new FakeEngine();
  fake.snapshot = {
    ...fake.snapshot,
    models: ['mine', 'other'].map((name) => fakeModel(name, { state: 'unloaded' })),
  };
  fake.overrides['repository/load'] = () => ({ model: fakeModel('mine', { state: 'ready' }) });
  let engine: Engine | undefined;
  const Both = () => {
    const given = useEngine();
    useEffect(() => {
      engine = given;
    }, [given]);
    return <Listener />;
  };
  page = await renderView(<Both />, fake);
  await until(() => expect(engine?.state.models.getState().byName.has('mine')).toBe(true));
  await loadModel(engine!, 'mine');
  fake.change('mine', { state: 'ready' });
  fake.change('other', { state: 'ready' });
  await until(() => expect(page.get('announcer').textContent).toBe('other is ready'));
  // Each sentence is heard as it comes; the two places of the announcer have had one.
  expect([...page.get('announcer').children].map(({ textContent }) => textContent).sort()).toEqual([
    '',
    'other is ready',
  ]);
});

test('many that come within a moment are told by their number, behind the first ones', async () => {
  const fake = new FakeEngine();
  const names = Array.from({ length: 40 }, (_, index) => `m_${index}`);
  fake.snapshot = { ...fake.snapshot, models: names.map((name) => fakeModel(name, { state: 'loading' })) };
  fake.snapshot = {
    ...fake.snapshot,
    models: [...fake.snapshot.models, fakeModel('simple', { state: 'ready' })],
  };
  page = await renderView(<Listener />, fake);
  await until(() => expect(page.get('state').textContent).toBe('ready'));
  const region = page.get('announcer');
  const said: string[] = [];
  new MutationObserver(() => said.push(region.textContent)).observe(region, {
    childList: true,
    characterData: true,
    subtree: true,
  });
  for (const [index, name] of names.entries())
    fake.change(name, { state: index % 4 === 1 ? 'failed' : 'ready' });
  await until(() => expect(said).toContain('9 models failed to load'));
  expect(said.filter((text) => text !== '')).toEqual([
    'm_0 is ready',
    'm_1 failed to load',
    'm_2 is ready',
    '28 models are ready',
    '9 models failed to load',
  ]);
});
