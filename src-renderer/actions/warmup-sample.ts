// Puts a sample into config.pbtxt, and takes it out again while the file is still what was written.

import type { EngineClient } from '../engine/engine-client.ts';

/** Returns the undo. Rejects when the file changed on disk meanwhile. */
export async function insertSample(
  client: EngineClient,
  model: string,
  sampleText: string,
): Promise<() => Promise<unknown>> {
  const before = await client.call('config/read', { model });
  const { text } = await client.call('warmup/insert', { model, text: before.text, sampleText });
  const written = await client.call('config/write', { model, text, expectedHash: before.hash });
  return () => client.call('config/write', { model, text: before.text, expectedHash: written.hash });
}
