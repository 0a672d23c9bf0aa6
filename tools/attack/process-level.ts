// What a process holds of the system, read from outside (Linux): descriptors, threads, children, resident memory; and
// its heap after a collection, asked over the inspector that it was started with.

import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** What a process holds at one moment; all but memory are counts. */
export interface Level {
  readonly descriptors: number;
  readonly threads: number;
  readonly children: number;
  readonly residentMiB: number;
  /** Objects and buffers of the main thread after a full collection. */
  readonly heapMiB: number;
}

const MIB = 2 ** 20;

/** Reads /proc: Linux only, and of the own user’s processes. Throws when the process is gone. */
export function systemLevel(pid: number): Omit<Level, 'heapMiB'> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return {
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: field('Threads'),
    children: childrenOf(pid).length,
    residentMiB: Math.round(field('VmRSS') / 1024),
  };
}

function childrenOf(pid: number): readonly number[] {
  const tasks = existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : [];
  return tasks.flatMap((task) => {
    try {
      const text = readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim();
      return text === '' ? [] : text.split(' ').map(Number);
    } catch {
      // The thread ended meanwhile.
      return [];
    }
  });
}

/** One connection to an inspector. */
export class Inspector {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #next = 1;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { readonly id?: number; readonly result?: unknown };
      if (id !== undefined) this.#waiting.get(id)?.(result);
    });
  }

  /** `url`: the `ws://` address that the process printed; rejects when nobody answers there. */
  static open(url: string): Promise<Inspector> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(url);
      socket.addEventListener('open', () => resolve(new Inspector(socket)));
      socket.addEventListener('error', () => reject(new Error(`no inspector at ${url}`)));
    });
  }

  /** Value of an expression in the process. */
  async evaluate(expression: string): Promise<unknown> {
    const answer = (await this.#call('Runtime.evaluate', { expression, returnByValue: true })) as {
      readonly result: { readonly value?: unknown };
    };
    return answer.result.value;
  }

  /** After two collections, with memory outside the heap that it holds. */
  async heapMiB(): Promise<number> {
    // Finalizers of a first collection let go of what a second one takes.
    for (let round = 0; round < 2; round += 1) await this.#call('HeapProfiler.collectGarbage', {});
    const sum = 'const m = process.memoryUsage(); m.heapUsed + m.external';
    return Math.round((Number(await this.evaluate(`{ ${sum} }`)) / MIB) * 10) / 10;
  }

  /** Whoever opened it closes it. */
  close(): void {
    this.#socket.close();
  }

  #call(method: string, params: object): Promise<unknown> {
    const id = this.#next++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }
}
