// What the verbose log tells of gRPC calls, record for record as the reference does. Its numbers are those of its pool
// of call states; here every call has a number of its own.

import { getLogger } from '../../base/log.ts';
import type { OutputTensor } from '../../inference/inference-response.ts';

const log = getLogger('grpc');
const LEVEL = 1;

/** The names that Triton's log gives these handlers. */
export type InferHandlerName = 'ModelInferHandler' | 'ModelStreamInferHandler';

/** Steps of a call, in the reference's words. */
export type CallStep = 'START' | 'READ' | 'ISSUED' | 'WRITTEN' | 'COMPLETE' | 'FINISH';

let lastCall = -1;

/** One inference call, or a stream of them. */
export class HandlerLog {
  readonly #name: InferHandlerName;
  readonly #id: number;
  #step: CallStep = 'START';

  constructor(name: InferHandlerName) {
    this.#name = name;
    this.#id = lastCall += 1;
    this.#process('START');
    if (log.isVerbose(LEVEL)) log.verbose(LEVEL, `New request handler for ${name}, ${this.#id}`);
  }

  #process(step: CallStep): void {
    this.#step = step;
    if (log.isVerbose(LEVEL)) log.verbose(LEVEL, `Process for ${this.#name}, rpc_ok=1, ${this.#where()}`);
  }

  #where(): string {
    const context = this.#name === 'ModelStreamInferHandler' ? `context ${this.#id}, ` : '';
    return `${context}${this.#id} step ${this.#step}`;
  }

  /** A message of a stream was received, or one was sent. */
  read(): void {
    this.#process('READ');
  }

  /** The only message of a unary call, or one of a stream, was given to the connection. */
  written(): void {
    this.#process('WRITTEN');
  }

  /** The model answered; `index` counts the answers of its request from 1, `response` is absent for a flag alone. */
  responded(index: number, isFinal: boolean, outputs: readonly OutputTensor[] | undefined): void {
    this.#step = 'ISSUED';
    if (!log.isVerbose(LEVEL)) return;
    for (const { name, bytes } of outputs ?? []) {
      log.verbose(LEVEL, `GRPC: using buffer for '${name}', size: ${bytes.byteLength}`);
    }
    const more = `callback index ${index}, flags ${isFinal ? 1 : 0}, response is nullptr ${outputs === undefined ? 1 : 0}`;
    log.verbose(
      LEVEL,
      this.#name === 'ModelInferHandler'
        ? `ModelInferHandler::InferResponseComplete, ${this.#where()}`
        : `ModelStreamInferHandler::StreamInferComplete, ${this.#where()}, ${more}`,
    );
    for (const { bytes } of outputs ?? []) log.verbose(LEVEL, `GRPC free: size ${bytes.byteLength}`);
  }

  /** The model is done with the request. */
  released(): void {
    if (log.isVerbose(LEVEL)) log.verbose(LEVEL, 'ModelInferHandler::InferRequestComplete');
  }

  /** The call is over; `isCancelled` by its client or its deadline before it was answered. */
  ended(isCancelled: boolean): void {
    if (!log.isVerbose(LEVEL)) return;
    log.verbose(LEVEL, `Received notification for ${this.#name}, ${this.#id}`);
    if (isCancelled) {
      const at = `${this.#id} step ${this.#step}`;
      log.verbose(
        LEVEL,
        `Cancellation notification received for ${this.#name}, rpc_ok=1, context ${at}, state ${at}`,
      );
    } else this.#process('COMPLETE');
    this.#process('FINISH');
    log.verbose(LEVEL, `Done for ${this.#name}, ${this.#id}`);
  }
}

/** What the reference's log calls these calls. */
const SHORT_NAMES: Readonly<Record<string, string>> = { TraceSetting: 'Trace', LogSettings: 'Logging' };

/** Handlers that wait for their first call. */
export function logWaitingHandlers(threadCount: number): void {
  log.verbose(LEVEL, 'Thread started for CommonHandler');
  for (let thread = 0; thread < threadCount; thread += 1) waiting('ModelInferHandler');
  waiting('ModelStreamInferHandler');
}

function waiting(name: InferHandlerName): void {
  log.verbose(LEVEL, `New request handler for ${name}, 0`);
  log.verbose(LEVEL, `Thread started for ${name}`);
}

/** Calls besides inference. */
export function logReady(rpc: string, count: number): void {
  log.verbose(LEVEL, `Ready for RPC '${SHORT_NAMES[rpc] ?? rpc}', ${count}`);
}

/** Logs the start of a unary call; the function that it gives logs the end. */
export function logCall(name: string, number: number): () => void {
  if (!log.isVerbose(LEVEL)) return () => undefined;
  const rpc = SHORT_NAMES[name] ?? name;
  log.verbose(LEVEL, `Process for ${rpc}, rpc_ok=1, ${number} step START`);
  logReady(rpc, number + 1);
  return () => {
    log.verbose(LEVEL, `Process for ${rpc}, rpc_ok=1, ${number} step COMPLETE`);
    log.verbose(LEVEL, `Done for ${rpc}, ${number}`);
  };
}
