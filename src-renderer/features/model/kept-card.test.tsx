// What the user says of a model is kept, and nothing of it is lost to a slow or failed reading.

import { useEffect } from 'react';
import { afterEach, expect, test } from 'vitest';

import { internal } from '../../../src-shared/errors.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import type { Rendered } from '../../testing/render.tsx';
import { renderWithHosts, until } from '../../testing/render.tsx';
import type { KeptCard } from './kept-card.ts';
import { useKeptCard } from './kept-card.ts';

const KEY = 'card /models/m';
let page: Rendered | undefined;
let card: KeptCard;
let change: (changes: KeptCard) => void;

function Probe() {
  const [now, set] = useKeptCard('/models/m');
  useEffect(() => {
    card = now;
    change = set;
  });
  return null;
}

afterEach(async () => {
  await page?.close();
  page = undefined;
});

const kept = (fake: FakeEngine): unknown => JSON.parse(fake.layouts.get(KEY) ?? '{}');

async function show(fake: FakeEngine): Promise<void> {
  page = await renderWithHosts(<Probe />, fake);
}

test('what was kept is shown, and a change leaves the rest', async () => {
  const fake = new FakeEngine();
  fake.layouts.set(KEY, '{"task":"speech","licence":"MIT"}');
  await show(fake);
  await until(() => expect(card).toEqual({ task: 'speech', licence: 'MIT' }));
  change({ licence: 'Apache-2.0' });
  await until(() => expect(card).toEqual({ task: 'speech', licence: 'Apache-2.0' }));
  await until(() => expect(kept(fake)).toEqual({ task: 'speech', licence: 'Apache-2.0' }));
  change({ task: undefined });
  await until(() => expect(kept(fake)).toEqual({ licence: 'Apache-2.0' }));
});

test('a change that comes before the reading keeps what the reading brings', async () => {
  const fake = new FakeEngine();
  fake.layouts.set(KEY, '{"task":"speech","licence":"MIT"}');
  const gate = Promise.withResolvers<undefined>();
  fake.overrides['settings/readLayout'] = async ({ key }) => {
    await gate.promise;
    return { json: fake.layouts.get(key) ?? '' };
  };
  await show(fake);
  change({ task: 'tabular' });
  await until(() => expect(card.task).toBe('tabular'));
  gate.resolve(undefined);
  await until(() => expect(kept(fake)).toEqual({ task: 'tabular', licence: 'MIT' }));
  await until(() => expect(card).toEqual({ task: 'tabular', licence: 'MIT' }));
});

test('nothing is written over what could not be read; that is told', async () => {
  const fake = new FakeEngine();
  fake.layouts.set(KEY, '{"task":"speech","licence":"MIT"}');
  fake.overrides['settings/readLayout'] = () => {
    throw internal('the disk is gone');
  };
  await show(fake);
  change({ task: 'tabular' });
  await until(() => expect(document.body.textContent).toContain('the disk is gone'));
  expect(fake.argsOf('settings/writeLayout')).toEqual([]);
  expect(kept(fake)).toEqual({ task: 'speech', licence: 'MIT' });
});

test('changes in quick succession are all kept', async () => {
  const fake = new FakeEngine();
  await show(fake);
  for (const licence of ['M', 'MI', 'MIT']) change({ licence });
  change({ task: 'speech' });
  await until(() => expect(kept(fake)).toEqual({ licence: 'MIT', task: 'speech' }));
});

test('what could not be written is told', async () => {
  const fake = new FakeEngine();
  fake.overrides['settings/writeLayout'] = () => {
    throw internal('no room left');
  };
  await show(fake);
  change({ licence: 'MIT' });
  await until(() => expect(document.body.textContent).toContain('no room left'));
});
