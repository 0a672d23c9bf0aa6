// Clients that ask all the time while something breaks. Each request is told apart by its value: its answer is right,
// or an error in words, or the connection ended; anything else is a fault, and so is no end at all.

import http from 'node:http';

import { pause } from '../processes/served-process.ts';

const NO_END_AFTER_MS = 20_000;

export interface Counts {
  right: number;
  /** Error answers by their text, numbers left out. */
  readonly errors: Map<string, number>;
  /** Connections that were refused, or ended before the answer. */
  cut: number;
  readonly wrong: string[];
}

/** Resolves once the model serves. `address`: "host:port". */
export async function ready(address: string, model: string): Promise<void> {
  while (!(await fetch(`http://${address}/v2/models/${model}/ready`)).ok) await pause(50);
}

export class CheckedClients {
  readonly counts: Counts = { right: 0, errors: new Map(), cut: 0, wrong: [] };
  readonly #address: () => string;
  readonly #model: string;
  readonly #factor: number;
  readonly #agent = new http.Agent({ keepAlive: true });
  readonly #running: Promise<void>[];
  #next = 1;
  #isOver = false;

  /** `address`: "host:port", asked for each request. The model answers INPUT0 times `factor` as OUTPUT0. */
  constructor(address: () => string, model: string, { factor = 1, count = 6 } = {}) {
    this.#address = address;
    this.#model = model;
    this.#factor = factor;
    this.#running = Array.from({ length: count }, () => this.#run());
  }

  /** Resolves once so many further requests were answered right. */
  async answered(count: number, limitMs = 60_000): Promise<void> {
    const wanted = this.counts.right + count;
    const until = performance.now() + limitMs;
    while (this.counts.right < wanted) {
      if (performance.now() > until) {
        throw new Error(
          `only ${this.counts.right} of ${wanted} right answers: ${JSON.stringify([...this.counts.errors])}`,
        );
      }
      await pause(20);
    }
  }

  async stop(): Promise<Counts> {
    this.#isOver = true;
    await Promise.all(this.#running);
    this.#agent.destroy();
    return this.counts;
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      const value = this.#next++;
      const ended = await Promise.race([this.#ask(value), pause(NO_END_AFTER_MS).then(() => 'no end')]);
      if (ended === 'no end') this.counts.wrong.push(`request ${value} had no end`);
      if (ended === 'cut') await pause(10);
    }
  }

  #ask(value: number): Promise<'answered' | 'cut'> {
    const body = JSON.stringify({
      inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [2], data: [value, -value] }],
    });
    const [host = '', port = ''] = this.#address().split(':');
    return new Promise((resolve) => {
      const cut = (): void => {
        this.counts.cut += 1;
        resolve('cut');
      };
      const path = `/v2/models/${this.#model}/infer`;
      const request = http.request({ agent: this.#agent, host, port, method: 'POST', path }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', cut);
        response.on('end', () => {
          this.#judge(value, response.statusCode ?? 0, Buffer.concat(chunks).toString());
          resolve('answered');
        });
      });
      request.on('error', cut);
      request.end(body);
    });
  }

  #judge(value: number, status: number, text: string): void {
    const { counts } = this;
    if (status === 200) {
      const isRight = text.includes(`"data":[${value * this.#factor},${-value * this.#factor}]`);
      if (isRight) counts.right += 1;
      else counts.wrong.push(`request ${value}: ${text.slice(0, 300)}`);
      return;
    }
    const { error } = JSON.parse(text) as { readonly error?: string };
    if (typeof error !== 'string' || error === '') counts.wrong.push(`request ${value}: ${status} ${text}`);
    const key = String(error).replaceAll(/\d+/g, 'N');
    counts.errors.set(key, (counts.errors.get(key) ?? 0) + 1);
  }
}
