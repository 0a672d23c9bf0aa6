// What goes on beside the traffic: models are loaded anew, a configuration is edited, clients disappear.

import { utimes, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { callHeaders, FLAG, FRAME, frame, headerBlock, PREFACE } from '../../tests/hostile/http2-frames.ts';
import { queuedConfig } from './models.ts';

const RELOAD_EVERY_MS = 5000;
const EDIT_EVERY_MS = 10_000;
const VANISH_EVERY_MS = 1000;

interface Disturbed {
  readonly http: string;
  readonly grpc: string;
  readonly models: string;
  readonly reloaded: readonly string[];
  readonly random: () => number;
}

/** `run` ends with the signal. What the server refuses is noted in `faults`, not thrown. */
export class Disturbances {
  readonly counts = { reloads: 0, edits: 0, vanished: 0 };
  /** Reloads and edits that the server refused. */
  readonly faults: string[] = [];
  readonly #server: Disturbed;

  constructor(server: Disturbed) {
    this.#server = server;
  }

  /** Resolves when `signal` has ended all of them. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([
      this.#every(RELOAD_EVERY_MS, signal, () => this.#reload()),
      this.#every(EDIT_EVERY_MS, signal, () => this.#edit()),
      this.#every(VANISH_EVERY_MS, signal, () => this.#vanish()),
    ]);
  }

  async #every(periodMs: number, signal: AbortSignal, act: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await pause(periodMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await act().catch((thrown: unknown) => this.faults.push(String(thrown)));
    }
  }

  async #load(model: string): Promise<void> {
    const address = `http://${this.#server.http}/v2/repository/models/${model}/load`;
    const answer = await fetch(address, { method: 'POST', body: '{}' });
    if (answer.status !== 200) this.faults.push(`${model}: ${answer.status} ${await answer.text()}`);
    else await answer.arrayBuffer();
  }

  async #reload(): Promise<void> {
    const { reloaded, random, models } = this.#server;
    const model = reloaded[Math.floor(random() * reloaded.length)] ?? '';
    // Without a change a load of what is loaded does nothing.
    const now = new Date();
    await utimes(path.join(models, model, '1'), now, now);
    await this.#load(model);
    this.counts.reloads += 1;
  }

  async #edit(): Promise<void> {
    const { models, random } = this.#server;
    const text = queuedConfig(100 + Math.floor(random() * 900), 1 + Math.floor(random() * 3));
    await writeFile(path.join(models, 'queued/config.pbtxt'), text);
    await this.#load('queued');
    this.counts.edits += 1;
  }

  /** In the middle of a request, a stream, an answer. */
  async #vanish(): Promise<void> {
    const { http, grpc, random } = this.#server;
    const body = JSON.stringify({
      inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [1, 4], data: [1, 2, 3, 4] }],
    });
    const request = `POST /v2/models/queued/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const stream = Buffer.concat([
      PREFACE,
      frame(FRAME.settings, 0, 0),
      frame(FRAME.headers, FLAG.endHeaders, 1, headerBlock(callHeaders('ModelStreamInfer'))),
    ]);
    const isHttp = random() < 0.5;
    const bytes = isHttp ? Buffer.from(request) : stream;
    const [host = '', port = ''] = (isHttp ? http : grpc).split(':');
    const socket = net.connect(Number(port), host);
    socket.on('error', () => undefined);
    socket.write(bytes.subarray(0, Math.ceil(bytes.length * (0.3 + 0.7 * random()))));
    await pause(random() * 10);
    socket.resetAndDestroy();
    this.counts.vanished += 1;
  }
}
