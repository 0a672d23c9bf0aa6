// The playground of a model `m` with an engine from memory.

import type { ModelInterface } from '../../src-shared/contract/inference-calls.ts';
import type { ModelView } from '../../src-shared/contract/model-view.ts';
import { PlaygroundTab } from '../features/playground/playground-view.tsx';
import { modelAddress } from '../lib/address.ts';
import { FakeEngine } from './fake-engine.ts';
import { fakeModel, fakeSnapshot } from './fake-models.ts';
import { fakeInterface, fakeResult } from './fake-playground.ts';
import type { Rendered } from './render.tsx';
import { renderWithHosts, until } from './render.tsx';

/** An engine without saved requests, which gives every request the same answer. */
export function playgroundEngine(): FakeEngine {
  const fake = new FakeEngine();
  fake.overrides['playground/savedList'] = () => [];
  fake.overrides['playground/send'] = () => fakeResult();
  return fake;
}

/** Draws the tab, whatever becomes of it. */
export function drawPlayground(fake: FakeEngine): Promise<Rendered> {
  return renderWithHosts(
    <PlaygroundTab model="m" version="" address={modelAddress('m', 'playground')} />,
    fake,
  );
}

/** Draws the tab of a model that is ready, and waits until its request can be put together. */
export async function showPlayground(
  fake: FakeEngine,
  io: ModelInterface = fakeInterface(),
  model: Partial<ModelView> = {},
): Promise<Rendered> {
  fake.overrides['playground/interface'] = () => io;
  fake.snapshot = fakeSnapshot([fakeModel('m', model)]);
  const page = await drawPlayground(fake);
  await until(() => page.get('pg-send'));
  return page;
}
