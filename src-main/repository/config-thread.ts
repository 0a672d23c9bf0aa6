// Reads long configurations in a thread of their own, which is made for one and ends with it: reading takes a second for
// each ten megabytes, and the event loop has requests to serve meanwhile.

import { Worker } from 'node:worker_threads';

import { errorFromWire, internal } from '../../src-shared/errors.ts';
import { workerEntryUrl } from '../base/worker-entry.ts';
import type { ConfigAnswer, ConfigSource } from './config-reading.ts';
import { readConfigHere } from './config-reading.ts';
import type { ExplainedConfig } from './config-rules.ts';

/** Characters above which reading leaves the loop; below it takes a few milliseconds. */
const ASIDE_MIN_LENGTH = 128 * 1024;

/** Enough for the longest text that is read; a thread that needs more ends, and only the load that it works for fails. */
const HEAP_MB = 3072;
/** Room for objects that live as long as the result does, so that they are not copied again and again. */
const YOUNG_HEAP_MB = 64;

/** As readConfigHere, aside where it would take long. Rejects INTERNAL when the thread ends without an answer. */
export async function readConfig(source: ConfigSource): Promise<ExplainedConfig> {
  if (source.content.length < ASIDE_MIN_LENGTH) return readConfigHere(source);
  const worker = new Worker(workerEntryUrl('config'), {
    name: 'config',
    workerData: source,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
  });
  try {
    const answer = await new Promise<ConfigAnswer>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', (error) =>
        reject(internal(`the configuration could not be read: ${error.message}`, { cause: error })),
      );
      worker.once('exit', () => reject(internal('the reader of the configuration ended without an answer')));
    });
    if ('failure' in answer) throw errorFromWire(answer.failure);
    return answer.read;
  } finally {
    worker.removeAllListeners();
    worker.on('error', () => undefined);
    void worker.terminate();
  }
}
