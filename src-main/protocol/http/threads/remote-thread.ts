// One thread in front of the engine's loop, as the loop sees it. Invariant: `onEnd` is called once, whatever ends the
// thread, and every request that it had handed over has been given up by then.

import { Worker } from 'node:worker_threads';

import { errorFromWire } from '../../../../src-shared/errors.ts';
import { systemClock } from '../../../base/clock.ts';
import { getLogger } from '../../../base/log.ts';
import { workerEntryUrl } from '../../../base/worker-entry.ts';
import type { ArrivedRecord, ChannelUser } from '../../../wire-threads/thread-channel.ts';
import { createChannel, ThreadChannel } from '../../../wire-threads/thread-channel.ts';
import { httpErrors } from '../http-errors.ts';
import type { HttpServerOptions } from '../http-options.ts';
import { BodyBytes } from '../infer-binary.ts';
import type { RemoteRules } from './remote-requests.ts';
import { RemoteRequests } from './remote-requests.ts';
import type { ToEngine, ToThread, WireThreadSetup } from './wire-protocol.ts';
import { COUNT, RECORD } from './wire-protocol.ts';

/** A thread that has been told to cut its connections has this long to end by itself. */
const CUT_MS = 1000;

/** Listens once `listening` resolves. */
export class RemoteThread implements ChannelUser {
  /** The port; rejects with what kept the thread from listening. */
  readonly listening: Promise<number>;
  readonly #opened = Promise.withResolvers<number>();
  readonly #quiet = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  readonly #worker: Worker;
  readonly #channel: ThreadChannel;
  readonly #requests: RemoteRequests;
  readonly #counts = new Int32Array(new SharedArrayBuffer(4 * COUNT.length));
  readonly #onEnd: (reason: string) => void;
  #lastError: Error | undefined;

  constructor(
    rules: RemoteRules,
    options: HttpServerOptions,
    enginePath: string,
    onEnd: (reason: string) => void,
  ) {
    this.#onEnd = onEnd;
    this.listening = this.#opened.promise;
    // Whoever waits for it hears of it; nobody has to.
    this.listening.catch(() => undefined);
    const [here, there] = createChannel();
    const counts = this.#counts.buffer as SharedArrayBuffer;
    const setup: WireThreadSetup = { channel: there, options, enginePath, counts };
    this.#channel = new ThreadChannel(here, this);
    this.#channel.unref();
    this.#requests = new RemoteRequests(rules, this.#channel);
    this.#worker = new Worker(workerEntryUrl('http-wire'), {
      name: 'http-wire',
      workerData: setup,
      transferList: [there.port, there.alarm],
    });
    this.#worker.unref();
    this.#worker.on('error', (thrown: Error) => (this.#lastError = thrown));
    this.#worker.on('exit', (code) => this.#ended(code));
  }

  /** As the thread counted last, tunnelled ones included; read without asking it. */
  get connectionCount(): number {
    return Atomics.load(this.#counts, COUNT.connections);
  }

  /** Requests whose body is still arriving. */
  get readingCount(): number {
    return Atomics.load(this.#counts, COUNT.reading);
  }

  /** Reads nothing and accepts who has connected by now; resolves when that is so. */
  drain(): Promise<void> {
    this.#tell({ kind: 'drain' });
    return this.#quiet.promise;
  }

  /** Accepts no further connection, and still reads nothing; resolves when that is so. */
  closeListener(): Promise<void> {
    this.#tell({ kind: 'closeListener' });
    return this.#closed.promise;
  }

  /** Ends with its last connection. */
  readOn(): void {
    this.#tell({ kind: 'readOn' });
  }

  /** Ends all its connections, and with them a thread that drains. */
  cut(): void {
    this.#tell({ kind: 'cut' });
    systemClock.after(CUT_MS, () => void this.#worker.terminate());
  }

  record(record: ArrivedRecord): void {
    const { kind, number } = record;
    if (kind === RECORD.settle) this.#channel.send(RECORD.settle, number);
    else if (kind === RECORD.gone) this.#requests.giveUp(number);
    else if (kind === RECORD.request) {
      const { a, time, byteSize } = record;
      const body = new BodyBytes(byteSize === 0 ? [] : [record.copyBytes()], byteSize);
      this.#requests.start(number, a, time, body);
    }
  }

  message(message: unknown): void {
    const said = message as ToEngine;
    switch (said.kind) {
      case 'listening':
        this.#opened.resolve(said.port);
        break;
      case 'failed':
        this.#opened.reject(errorFromWire(said.error));
        break;
      case 'head':
        this.#requests.addHead(said.number, said.head);
        break;
      case 'forgetHeads':
        this.#requests.forgetHeads();
        break;
      case 'request': {
        const chunks = said.chunks.map((chunk) =>
          Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength),
        );
        this.#requests.start(said.number, said.head, said.receivedAtNs, new BodyBytes(chunks, said.byteSize));
        break;
      }
      case 'log':
        if (said.record.level !== 'verbose') {
          getLogger(said.record.room)[said.record.level](said.record.message, said.record.fields);
        }
        break;
      case 'quiet':
        this.#quiet.resolve();
        break;
      case 'listenerClosed':
        this.#closed.resolve();
        break;
    }
  }

  #tell(message: ToThread): void {
    this.#channel.post(message);
  }

  #ended(code: number): void {
    this.#channel.takeRest();
    this.#channel.close();
    this.#counts.fill(0);
    this.#requests.giveUpAll();
    const reason = this.#lastError === undefined ? `exit code ${code}` : this.#lastError.message;
    this.#opened.reject(httpErrors.threadEnded({ reason }));
    this.#quiet.resolve();
    this.#closed.resolve();
    this.#onEnd(reason);
  }
}
