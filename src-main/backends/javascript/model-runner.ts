// The worker's side of one JavaScript model instance: gives the author's execute() its requests, and turns what it
// returns, streams, sends or throws into messages. Knows the port only as a function that posts.
// Invariant: every execute message is answered by one 'executed' message.

import { errorToWire, STATUS_CODES, ServerError } from '../../../src-shared/errors.ts';
import { dataTypeFromConfig } from '../../../src-shared/datatypes.ts';
import { SEQUENCE_END, SEQUENCE_START } from '../../inference/inference-request.ts';
import { Fifo } from '../../base/fifo.ts';
import { javascriptErrors } from './javascript-errors.ts';
import type {
  ExecuteResult,
  JavaScriptModel,
  ModelContext,
  ModelRequest,
  ModelResponse,
} from './model-api.ts';
import { TensorPacker } from './packed-tensors.ts';
import { readTensor, writeTensor } from './tensor-values.ts';
import type {
  FromWorker,
  RequestMessage,
  ResponseMessage,
  ToWorker,
  WorkerSetup,
} from './worker-messages.ts';

/**
 * Responses to one request of a decoupled model that are on their way at once. A model that does not wait for its sends would otherwise
 * hand the event loop of the engine everything in one turn.
 */
const MAX_SENDING = 64;

type Taken = PromiseWithResolvers<void>;
type ExecuteMessage = Extract<ToWorker, { kind: 'execute' }>;

/** Sends a message to the engine; buffers in `transfer` are gone afterwards. */
export type Post = (message: FromWorker, transfer?: readonly ArrayBuffer[]) => void;

interface OpenRequest {
  readonly message: RequestMessage;
  readonly abort: AbortController;
  isEnded: boolean;
  /** Responses that the receiver has not taken yet. */
  sendingCount: number;
  /** Those behind them, as what posts them. */
  readonly unsent: Fifo<() => void>;
}

/** What the author's code throws becomes the error of the requests it had; it never ends the worker. */
export class ModelRunner {
  readonly #model: JavaScriptModel;
  readonly #context: ModelContext;
  readonly #setup: WorkerSetup;
  readonly #post: Post;
  readonly #open = new Map<number, OpenRequest>();
  /** Responses sent outside of the execute result, until the receiver took them. */
  readonly #sending = new Map<number, { readonly entry: OpenRequest; readonly taken: Taken }>();
  readonly #isDecoupled: boolean;
  #nextSerial = 1;

  constructor(options: {
    readonly model: JavaScriptModel;
    readonly context: ModelContext;
    readonly setup: WorkerSetup;
    readonly post: Post;
  }) {
    this.#model = options.model;
    this.#context = options.context;
    this.#setup = options.setup;
    this.#isDecoupled = options.setup.config.modelTransactionPolicy?.decoupled === true;
    this.#post = options.post;
  }

  /** Never rejects. Resolves when execute() has returned and what it returned was posted; streams may go on. */
  async execute({ execution, requests: messages, data }: ExecuteMessage): Promise<void> {
    const startedNs = Number(process.hrtime.bigint());
    const open = messages.map((message): OpenRequest => {
      const entry: OpenRequest = {
        message,
        abort: new AbortController(),
        isEnded: false,
        sendingCount: 0,
        unsent: new Fifo(),
      };
      this.#open.set(message.key, entry);
      return entry;
    });
    let results: readonly ExecuteResult[] = [];
    let error: unknown;
    try {
      const requests = open.map((entry) => this.#asModelRequest(entry, data));
      const returned = await this.#model.execute(requests, this.#context);
      results = this.#checkResults(returned, messages.length);
    } catch (thrown) {
      error = thrown;
    }
    const endedNs = Number(process.hrtime.bigint());
    const responses = this.#settle(open, results, error);
    this.#post(
      {
        kind: 'executed',
        execution,
        startedNs,
        endedNs,
        responses,
        error: error === undefined ? undefined : errorToWire(this.#executeError(error)),
      },
      responses.map((response) => response.data),
    );
  }

  /** Aborts the signal that the model sees at that request; whether the model cares is its own business. */
  cancel(key: number): void {
    this.#open.get(key)?.abort.abort(javascriptErrors.requestCancelled());
  }

  /** The receiver took (or refused) a response that was sent outside of the execute result. */
  sent(serial: number, error: ServerError | undefined): void {
    const sending = this.#sending.get(serial);
    this.#sending.delete(serial);
    if (sending === undefined) return;
    const { entry, taken } = sending;
    if (error === undefined) taken.resolve();
    else taken.reject(error);
    entry.sendingCount -= 1;
    entry.unsent.shift()?.();
  }

  #checkResults(returned: unknown, count: number): readonly ExecuteResult[] {
    if (returned === undefined || returned === null) return [];
    if (!Array.isArray(returned)) {
      throw javascriptErrors.resultNoArray({ count, got: typeof returned });
    }
    if (returned.length !== count) {
      throw javascriptErrors.resultCount({ got: returned.length, count });
    }
    return returned as readonly ExecuteResult[];
  }

  /** Packs the single responses and starts the streams; entries that answer through send() stay open. */
  #settle(
    open: readonly OpenRequest[],
    results: readonly ExecuteResult[],
    error: unknown,
  ): ResponseMessage[] {
    const responses: ResponseMessage[] = [];
    open.forEach((entry, index) => {
      const result = results[index];
      if (error !== undefined) this.#close(entry);
      else if (result === undefined || result === null) {
        if (!this.#context.isDecoupled) this.#close(entry);
      } else if (isStream(result)) void this.#stream(entry, result);
      else {
        responses.push(this.#pack(entry.message, result));
        this.#close(entry);
      }
    });
    return responses;
  }

  async #stream(
    entry: OpenRequest,
    stream: AsyncIterable<ModelResponse> | Iterable<ModelResponse>,
  ): Promise<void> {
    try {
      for await (const response of stream) await this.#send(entry, response, false);
      if (!entry.isEnded) await this.#send(entry, undefined, true);
    } catch (thrown) {
      if (entry.isEnded) return;
      const error = this.#executeError(thrown);
      await this.#send(entry, { error }, true).catch(() => undefined);
    }
  }

  #asModelRequest(entry: OpenRequest, data: ArrayBuffer): ModelRequest {
    const { message, abort } = entry;
    return {
      id: message.id,
      correlationId: message.correlationId,
      isSequenceStart: (message.flags & SEQUENCE_START) !== 0,
      isSequenceEnd: (message.flags & SEQUENCE_END) !== 0,
      priority: message.priority,
      timeoutUs: message.timeoutUs,
      parameters: message.parameters,
      batchSize: message.batchSize,
      inputs: Object.fromEntries(message.inputs.map((input) => [input.name, readTensor(data, input)])),
      requestedOutputs: message.requestedOutputs,
      signal: abort.signal,
      send: (response) => this.#send(entry, response, false),
      end: () => this.#send(entry, undefined, true),
    };
  }

  async #send(entry: OpenRequest, response: ModelResponse | undefined, isFinal: boolean): Promise<void> {
    if (entry.isEnded) throw javascriptErrors.sentAfterEnd();
    const packed = response && this.#pack(entry.message, response);
    if (isFinal) this.#close(entry);
    const serial = this.#nextSerial++;
    const taken: Taken = Promise.withResolvers();
    const post = (): void => {
      this.#sending.set(serial, { entry, taken });
      entry.sendingCount += 1;
      this.#post(
        { kind: 'response', serial, key: entry.message.key, response: packed, isFinal },
        packed === undefined ? [] : [packed.data],
      );
    };
    // A request of any other model is over when execute() is: its response may not come behind that.
    if (this.#isDecoupled && entry.sendingCount >= MAX_SENDING) entry.unsent.push(post);
    else post();
    await taken.promise;
  }

  #close(entry: OpenRequest): void {
    entry.isEnded = true;
    this.#open.delete(entry.message.key);
  }

  /** An author's mistake in a response becomes the error of that response. */
  #pack(message: RequestMessage, response: ModelResponse): ResponseMessage {
    const { key } = message;
    try {
      if (response.error !== undefined) throw asServerError(response.error);
      const parameters = checkParameters(response.parameters ?? {});
      const packer = new TensorPacker();
      const outputs = Object.entries(response.outputs ?? {}).flatMap(([name, value]) => {
        const datatype = this.#outputDatatype(name);
        if (!message.wantedOutputs.includes(name)) return [];
        const batches = this.#setup.config.maxBatchSize > 0;
        return [packer.add(writeTensor(value, { name, label: this.#label(name), datatype, batches }))];
      });
      return { key, outputs, parameters, error: undefined, data: packer.pack() };
    } catch (thrown) {
      const error = errorToWire(this.#executeError(thrown));
      return { key, outputs: [], parameters: {}, error, data: new ArrayBuffer(0) };
    }
  }

  #outputDatatype(name: string): Parameters<typeof writeTensor>[1]['datatype'] {
    const { config } = this.#setup;
    const state = config.sequenceBatching?.state.find(({ outputName }) => outputName === name);
    const type = (config.output.find((output) => output.name === name) ?? state)?.dataType;
    const datatype = type && dataTypeFromConfig(type);
    if (datatype === undefined) {
      throw javascriptErrors.unknownOutput({ name, model: config.name });
    }
    return datatype;
  }

  #label(name: string): string {
    return `output '${name}' of model '${this.#setup.modelName}'`;
  }

  /** Errors with a code of ours pass as they are; anything else says where it came from. */
  #executeError(thrown: unknown): ServerError {
    if (thrown instanceof ServerError) return thrown;
    const { modelName, modelVersion } = this.#setup;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    const code = statusOf(thrown) ?? 'INTERNAL';
    return new ServerError(code, `model '${modelName}' version ${modelVersion}: execute failed: ${message}`, {
      cause: thrown,
    });
  }
}

function isStream(result: ExecuteResult): result is AsyncIterable<ModelResponse> | Iterable<ModelResponse> {
  return (
    typeof result === 'object' &&
    result !== null &&
    (Symbol.asyncIterator in result || Symbol.iterator in result)
  );
}

function checkParameters(
  parameters: NonNullable<ModelResponse['parameters']>,
): ResponseMessage['parameters'] {
  for (const [key, value] of Object.entries(parameters)) {
    if (!['string', 'bigint', 'number', 'boolean'].includes(typeof value)) {
      throw javascriptErrors.responseParameter({ key, got: typeof value });
    }
  }
  return { ...parameters };
}

function statusOf(thrown: unknown): ServerError['code'] | undefined {
  const code: unknown = (thrown as { code?: unknown } | null)?.code;
  return STATUS_CODES.find((candidate) => candidate === code);
}

function asServerError(error: NonNullable<ModelResponse['error']>): ServerError {
  if (typeof error === 'string') return javascriptErrors.failed({ reason: error });
  if (error instanceof ServerError) return error;
  return new ServerError(statusOf(error) ?? 'INTERNAL', error.message, { cause: error });
}
