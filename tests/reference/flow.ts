// A flow: requests over HTTP, gRPC and one stream that are sent at their times, whatever the ones before do, with pauses,
// calls and looks at the server in between. Gives every answer, the order in which they came, and what was counted.

import { ask, wait } from './life-calls.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { WireCase } from './wire-cases.ts';
import { countsOf } from './flow-counts.ts';
import type { Send } from './flow-calls.ts';
import { FlowStream, overGrpc, overHttp } from './flow-calls.ts';

/** A request, a pause in milliseconds, a call that is waited for, or one that is not. */
export type FlowMove = Send | number | WireCase | { readonly call: WireCase } | 'counts' | 'stream ends';

export interface Flow {
  /** Those that are counted. */
  readonly models: readonly string[];
  readonly moves: readonly FlowMove[];
  /** Whether the order in which answers come is compared; default true. */
  readonly isOrdered?: false;
  /** Milliseconds between two moves; default 90. */
  readonly gap?: number;
  /** Takes out of the answers what is chance, such as which of two instances ran a request. */
  readonly level?: (text: string) => string;
}

const stepOf = (
  index: number,
  { to, by = 'http', takes, rows, width, inputs, outputs, id, parameters, cancelAfter }: Send,
): string =>
  JSON.stringify([index, by, to, { takes, rows, width, inputs, outputs, id, parameters, cancelAfter }]).slice(
    0,
    180,
  );

const TOGETHER_MS = 45;

class Player {
  readonly #target: Target;
  readonly #answers: Promise<object>[] = [];
  readonly #ends: { readonly index: number; readonly at: number }[] = [];
  #stream: FlowStream | undefined;

  constructor(target: Target) {
    this.#target = target;
  }

  async move(move: FlowMove, index: number, models: readonly string[]): Promise<void> {
    if (typeof move === 'number') await wait(move);
    else if (move === 'stream ends') await this.#endStream();
    else if (move === 'counts') {
      const counts = await countsOf(this.#target, models);
      this.#answers.push(...counts.map((one) => Promise.resolve({ ...one, step: `${index} ${one.step}` })));
    } else if ('to' in move) {
      const answer = this.#send(move, index);
      this.#answers.push(answer.then((told) => ({ step: stepOf(index, move), answer: told })));
      if (move.waits === true) await answer;
    } else {
      const isWaited = !('call' in move);
      const call = 'call' in move ? move.call : move;
      const answer = ask(this.#target, call).then((told) => {
        if (!isWaited) this.#end(index);
        return { step: `${index} ${call.name}`.slice(0, 160), answer: told };
      });
      this.#answers.push(answer);
      if (isWaited) await answer;
    }
  }

  async #send(send: Send, index: number): Promise<unknown> {
    const answer = await this.#answerOf(send, index);
    this.#end(index);
    return answer;
  }

  #end(index: number): void {
    this.#ends.push({ index, at: performance.now() });
  }

  /** What ends at the same time is written side by side. */
  #order(): readonly (readonly number[])[] {
    const groups: number[][] = [];
    let before = -Infinity;
    for (const { index, at } of this.#ends) {
      if (at - before > TOGETHER_MS) groups.push([]);
      groups.at(-1)?.push(index);
      before = at;
    }
    return groups.map((one) => one.sort((a, b) => a - b));
  }

  async #answerOf(send: Send, index: number): Promise<unknown> {
    if (send.by === 'grpc') return overGrpc(this.#target, send);
    if (send.by !== 'stream') return overHttp(this.#target, send);
    this.#stream ??= await FlowStream.open(this.#target);
    return this.#stream.send(send, index);
  }

  async #endStream(): Promise<void> {
    const stream = this.#stream;
    this.#stream = undefined;
    if (stream !== undefined)
      this.#answers.push(stream.end().then((answer) => ({ step: 'the stream', answer })));
  }

  async all(): Promise<object[]> {
    await Promise.all(this.#answers);
    await this.#endStream();
    return [...(await Promise.all(this.#answers)), { step: 'order', ends: this.#order() }];
  }
}

const calmMs = 400;

/** A load holds a thread of the reference and the connections that share it: models are loaded before. */
export const flowCase = (
  name: string,
  { models, moves, gap = 90, isOrdered, level }: Flow,
): ReferenceCase => ({
  name: `flow, ${name}`,
  run: async (target) => {
    const answers: object[] = [];
    // Processes of models take a while to be calm.
    await wait(calmMs);
    const player = new Player(target);
    for (const [index, move] of moves.entries()) {
      if (index > 0 && typeof move !== 'number') await wait(gap);
      await player.move(move, index, models);
    }
    answers.push(...(await player.all()).filter((one) => isOrdered !== false || !('ends' in one)));
    await wait(300);
    answers.push(...(await countsOf(target, models)));
    return level === undefined ? answers : (JSON.parse(level(JSON.stringify(answers))) as object[]);
  },
});
