// A request to a model with 0..n responses: what has come is asked for while it runs, and ending it keeps that. Asking,
// and not being told, makes the pace that of the window.

import type { PlaygroundRequest, PlaygroundResult } from '../../../src-shared/contract/inference-calls.ts';
import type { EngineClient } from '../../engine/engine-client.ts';
import type { PlaygroundStore } from './playground-store.ts';

const LOOK_EVERY_MS = 250;

let lastStream = 0;

/** Of this window alone: others may stream at the same time. */
function newStreamId(): string {
  lastStream += 1;
  return `${lastStream} ${Math.random()}`;
}

/**
 * While it runs `stream` of the store has its progress, and stops it. Rejects as aborted when it was stopped before a
 * response came.
 */
export async function runStream(
  client: EngineClient,
  store: PlaygroundStore,
  request: PlaygroundRequest,
  signal: AbortSignal,
): Promise<PlaygroundResult> {
  const stream = newStreamId();
  const stop = (): void => {
    // Should it not be reachable, the next cancel ends the call itself.
    store.setState(({ stream: running }) => ({ stream: running && { ...running, stop: undefined } }));
    client.call('playground/stopStream', { stream }).catch(() => undefined);
  };
  store.setState({ stream: { progress: undefined, stop } });
  const look = async (): Promise<void> => {
    const progress = await client.call('playground/streamed', { stream }).catch(() => undefined);
    if (progress === undefined) return;
    store.setState(({ stream: running }) => ({ stream: running && { ...running, progress } }));
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  try {
    const result = await client.call('playground/sendStream', { stream, request }, { signal });
    if (result.streamed?.isStopped === true && result.streamed.count === 0)
      throw new DOMException('cancelled', 'AbortError');
    return result;
  } finally {
    clearInterval(timer);
    store.setState({ stream: undefined });
  }
}
