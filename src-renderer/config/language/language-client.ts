// The page's side of the language worker: one worker for all editors, started with the first question and replaced
// after a failure. A question that a newer one took the place of is answered with undefined.

import { unpackEffective } from './effective-pack.ts';
import type {
  AnswerOf,
  ArgsOf,
  FromWorker,
  LanguageContext,
  QuestionName,
  ToWorker,
} from './language-protocol.ts';

/** What is used of a Worker. */
export interface WorkerLike {
  /** The message is copied. */
  postMessage(message: ToWorker): void;
  /** No message comes after it. */
  terminate(): void;
  /** Set by the client as soon as it has the worker. */
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  /** Set by the client as soon as it has the worker; the client ends a worker that failed. */
  onerror: ((event: ErrorEvent) => void) | null;
}

interface Pending {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** An answer rejects when the worker fails; the next question starts another one with all contexts. */
export class LanguageClient {
  readonly #open: () => WorkerLike;
  readonly #contexts = new Map<string, LanguageContext>();
  readonly #pending = new Map<number, Pending>();
  #worker: WorkerLike | undefined;
  #lastId = 0;

  constructor(open: () => WorkerLike) {
    this.#open = open;
  }

  /** Undefined when a newer question of the same kind about `document` was asked before this one was answered. */
  ask<Q extends QuestionName>(
    question: Q,
    document: string,
    text: string,
    ...args: ArgsOf<Q>
  ): Promise<AnswerOf<Q> | undefined> {
    const worker = this.#started();
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve: (answer) => resolve(answer as AnswerOf<Q>), reject });
      worker.postMessage({ type: 'ask', id, document, question, text, args });
    });
  }

  /** Kept for later workers as well; starts none by itself. */
  setContext(document: string, context: LanguageContext): void {
    this.#contexts.set(document, context);
    this.#worker?.postMessage({ type: 'context', document, context });
  }

  /** For a document that is shown no more. */
  forget(document: string): void {
    if (!this.#contexts.delete(document)) return;
    this.#worker?.postMessage({ type: 'forget', document });
  }

  /** Ends the worker; what waits rejects. */
  close(): void {
    this.#end(new Error('the language worker was closed'));
  }

  #started(): WorkerLike {
    if (this.#worker !== undefined) return this.#worker;
    const worker = this.#open();
    worker.onmessage = ({ data }) => this.#settle(data);
    worker.onerror = (event) => this.#end(new Error(event.message || 'the language worker failed'));
    for (const [document, context] of this.#contexts)
      worker.postMessage({ type: 'context', document, context });
    this.#worker = worker;
    return worker;
  }

  #settle(message: FromWorker): void {
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.type === 'failed') pending?.reject(new Error(message.message));
    else pending?.resolve(answerIn(message));
  }

  #end(error: Error): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of waiting) reject(error);
  }
}

function answerIn(message: Exclude<FromWorker, { readonly type: 'failed' }>): unknown {
  if (message.type === 'effective') return unpackEffective(message.packed);
  return message.type === 'answer' ? message.answer : undefined;
}
