// The samples, from wherever they are asked for: server on, playground open, the first inference one click away.

import type { Engine } from '../engine/engine-context.tsx';
import { address, modelAddress } from '../lib/address.ts';
import { hasModelTab } from '../lib/areas.ts';
import { close, open } from '../lib/workspace-store.ts';
import { coach } from './coach-store.ts';
import { startServer } from './server-actions.ts';

/** A picture in, words out: what everybody understands at once. */
const FIRST_MODEL = 'image_tiny';

/** Rejects when they cannot be made; a server that does not start is told of. */
export async function openSamples(engine: Engine): Promise<void> {
  await engine.client.call('repository/openSamples', {});
  if (engine.state.server.getState().view?.state === 'stopped') await startServer(engine);
  coach.setState({ isShown: true });
  close('first-run');
  open(address('models'));
  if (hasModelTab('playground')) open(modelAddress(FIRST_MODEL, 'playground'));
}
