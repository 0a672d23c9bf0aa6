// Whether a session of a GPU provider runs at all. Making one succeeds although the adapter lacks what its shaders need
// (FP16 arithmetic, say), and then every request would fail; so it runs once before requests come, which makes the
// shaders that the first request would wait for as well.

import { toServerError } from '../../../src-shared/errors.ts';
import { madeUpFeeds } from './made-up-feeds.ts';
import type { NativeSession, NativeTensor } from './native-ort.ts';
import { tensorInfo } from './session-info.ts';

/**
 * Throws what the provider said when it cannot run the session, which is released then. Accepts it when nothing can be
 * made up to run it with, or when the CPU fails on the same inputs, so that they are to blame.
 */
export function requireFirstRun(session: NativeSession, makeCpuSession: () => NativeSession): void {
  const feeds = madeUpFeeds(session.inputMetadata.map(tensorInfo));
  if (feeds === undefined) return;
  const failure = errorOf(session, feeds);
  if (failure === undefined) return;
  const cpu = makeCpuSession();
  const cpuFailure = errorOf(cpu, feeds);
  cpu.dispose();
  if (cpuFailure !== undefined) return;
  session.dispose();
  throw new Error(`it makes the session and cannot run it: ${failure}`);
}

/** Undefined when it runs. */
function errorOf(session: NativeSession, feeds: Readonly<Record<string, NativeTensor>>): string | undefined {
  try {
    session.run(feeds, Object.fromEntries(session.outputMetadata.map(({ name }) => [name, null])));
    return undefined;
  } catch (thrown) {
    return toServerError(thrown).message.trim();
  }
}
