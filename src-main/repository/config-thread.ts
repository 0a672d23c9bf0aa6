// Reads long configurations in a thread of their own, one after the other; the thread is made for one and ends with it.
// Reading takes up to a second for each ten megabytes, and the event loop has requests to serve meanwhile. Long lists and
// maps come back in parts.

import { setImmediate as turn } from 'node:timers/promises';
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';

import { errorFromWire, internal } from '../../src-shared/errors.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { workerEntryUrl } from '../base/worker-entry.ts';
import { putBack, type ConfigAnswer, type ConfigPart, type ConfigWork } from './config-parts.ts';
import type { ConfigSource } from './config-reading.ts';
import { readConfigHere } from './config-reading.ts';
import type { ExplainedConfig } from './config-rules.ts';
import { loadErrors } from './load-errors.ts';

/** Characters above which reading leaves the loop; below it takes a few milliseconds. */
const ASIDE_MIN_LENGTH = 128 * 1024;

/** Enough for the longest text that is read; a thread that needs more ends, and only the load that it works for fails. */
const HEAP_MB = 3072;
/** Room for objects that live as long as the result does, so that they are not copied again and again. */
const YOUNG_HEAP_MB = 64;

/** One at a time: each may need much memory. */
const queue = new SerialQueue();

/** As readConfigHere, aside where it would take long. Rejects INTERNAL when the thread ends without an answer. */
export async function readConfig(source: ConfigSource): Promise<ExplainedConfig> {
  if (source.content.length < ASIDE_MIN_LENGTH) return readConfigHere(source);
  return await queue.run('config', () => readAside(source));
}

async function readAside(source: ConfigSource): Promise<ExplainedConfig> {
  const { port1: near, port2: parts } = new MessageChannel();
  const work: ConfigWork = { source, parts };
  const worker = new Worker(workerEntryUrl('config'), {
    name: 'config',
    workerData: work,
    transferList: [parts],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
  });
  try {
    const answer = await answerOf(worker);
    if ('failure' in answer) throw errorFromWire(answer.failure);
    await takeParts(answer.read, answer.partCount, near);
    return answer.read;
  } finally {
    near.close();
    worker.removeAllListeners();
    worker.on('error', () => undefined);
    void worker.terminate();
  }
}

async function answerOf(worker: Worker): Promise<ConfigAnswer> {
  return await new Promise<ConfigAnswer>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', (error) => reject(loadErrors.notRead({ reason: error.message }, { cause: error })));
    worker.once('exit', () => reject(loadErrors.readerEnded()));
  });
}

/** Takes over one part, lets others have their turn, takes over the next. */
async function takeParts({ config }: ExplainedConfig, count: number, port: MessagePort): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const received = receiveMessageOnPort(port) as { readonly message: ConfigPart } | undefined;
    if (received === undefined) throw internal(`part ${at + 1} of ${count} of the configuration is missing`);
    putBack(config, received.message);
    await turn();
  }
}
