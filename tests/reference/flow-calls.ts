// Requests of a flow over each way there is, and their answers in one form: status, tensors as values, id, parameters.

import type { ClientDuplexStream } from '@grpc/grpc-js';
import { Client, credentials } from '@grpc/grpc-js';
import http from 'node:http';

import type { PlainMessage } from '../../src-main/grpc-wire/messages.ts';
import { serviceMethods } from '../../src-main/grpc-wire/messages.ts';
import { connected, hangUpAfter } from './give-up.ts';
import { within } from './http-calls.ts';
import { hideVolatile } from './normalise.ts';
import type { Target } from './reference-case.ts';

export interface FlowTensor {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly data: readonly (number | string | boolean)[];
}

/** One request. */
export interface Send {
  readonly to: string;
  /** Of `INPUT0`, an FP32 tensor of one value in each row; default 0. Models take it for tenths of a second. */
  readonly takes?: number;
  readonly rows?: number;
  readonly width?: number;
  /** In place of `INPUT0`. */
  readonly inputs?: readonly FlowTensor[];
  readonly outputs?: readonly (string | object)[];
  readonly id?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly by?: 'http' | 'grpc' | 'stream';
  /** The client gives up after so many milliseconds. */
  readonly cancelAfter?: number;
  /** Waits for the answer before the next move. */
  readonly waits?: true;
}

export function bodyOf({ takes = 0, rows = 1, width = 1, inputs }: Send): readonly FlowTensor[] {
  const data = Array<number>(rows * width).fill(takes);
  return inputs ?? [{ name: 'INPUT0', datatype: 'FP32', shape: [rows, width], data }];
}

/** A number of a JSON text that a JavaScript number does not hold. */
export const digits = (text: string): unknown =>
  (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(text);

const LIMIT_MS = 8_000;
const methods = serviceMethods('inference.GRPCInferenceService');

export function overHttp(target: Target, send: Send): Promise<unknown> {
  const { to, id, parameters, outputs } = send;
  const body = JSON.stringify({
    ...(id === undefined ? {} : { id }),
    ...(parameters === undefined ? {} : { parameters }),
    inputs: bodyOf(send),
    ...(outputs === undefined
      ? {}
      : { outputs: outputs.map((one) => (typeof one === 'string' ? { name: one } : one)) }),
  });
  const [name = '', version] = to.split('@');
  const path = `/v2/models/${name}${version === undefined ? '' : `/versions/${version}`}/infer`;
  const asked = new Promise<unknown>((resolve) => {
    const request = http.request(
      { host: '127.0.0.1', port: target.httpPort, method: 'POST', path, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => resolve('cut off'));
        response.on('end', () =>
          resolve([response.statusCode, hideVolatile(Buffer.concat(chunks).toString('latin1'), target)]),
        );
      },
    );
    request.on('error', (error: { code?: string }) => resolve(error.code));
    request.end(body);
    if (send.cancelAfter !== undefined) hangUpAfter(request, send.cancelAfter);
  });
  return within(asked, LIMIT_MS).catch(String);
}

function parameter(value: unknown): unknown {
  if (typeof value === 'string') return { string_param: value };
  if (typeof value === 'boolean') return { bool_param: value };
  if (typeof value === 'number')
    return Number.isInteger(value) ? { int64_param: String(value) } : { double_param: value };
  return value;
}
const parametersOf = (given: object): object =>
  Object.fromEntries(Object.entries(given).map(([key, value]) => [key, parameter(value)]));

function contentsOf({ datatype, data }: FlowTensor): object {
  if (datatype === 'BYTES') return { bytes_contents: data.map((one) => Buffer.from(String(one))) };
  if (datatype === 'BOOL') return { bool_contents: data };
  if (datatype === 'INT64') return { int64_contents: data.map(String) };
  if (datatype === 'UINT64') return { uint64_contents: data.map(String) };
  return {
    [`${datatype.startsWith('FP') ? datatype.toLowerCase() : datatype.toLowerCase().replace('32', '')}_contents`]:
      data,
  };
}

function messageOf(send: Send): PlainMessage {
  const { to, id = '', parameters = {}, outputs = [] } = send;
  const [name = '', version = ''] = to.split('@');
  return {
    model_name: name,
    model_version: version,
    id,
    parameters: parametersOf(parameters),
    inputs: bodyOf(send).map((one) => ({
      name: one.name,
      datatype: one.datatype,
      shape: one.shape.map(String),
      contents: contentsOf(one),
    })),
    outputs: outputs.map((one) => {
      if (typeof one === 'string') return { name: one };
      const { parameters: more = {}, ...rest } = one as { parameters?: object };
      return { ...rest, parameters: parametersOf(more) };
    }),
  };
}

interface Response {
  readonly id?: string;
  readonly model_version?: string;
  readonly parameters?: Record<string, unknown>;
  readonly outputs?: readonly { name: string; datatype: string; shape: readonly unknown[] }[];
  readonly raw_output_contents?: readonly Uint8Array[];
}

/** Texts as texts, all else as hexadecimal. */
function shown(datatype: string, bytes: Uint8Array): unknown {
  const buffer = Buffer.from(bytes);
  if (datatype !== 'BYTES') return buffer.toString('hex');
  const texts: string[] = [];
  for (let at = 0; at + 4 <= buffer.length;) {
    const length = buffer.readUInt32LE(at);
    texts.push(buffer.subarray(at + 4, at + 4 + length).toString());
    at += 4 + length;
  }
  return texts;
}

function told(response: Response | undefined): unknown {
  if (response === undefined || response === null) return undefined;
  const { outputs = [], raw_output_contents: raw = [], parameters, id, model_version: version } = response;
  return JSON.parse(
    JSON.stringify({
      id,
      version,
      parameters,
      outputs: outputs.map(({ name, datatype, shape }, at) => [
        name,
        datatype,
        shape.map(String),
        shown(datatype, raw[at] ?? new Uint8Array()),
      ]),
    }),
  ) as unknown;
}

export async function overGrpc({ grpcPort }: Target, send: Send): Promise<unknown> {
  const method = methods.get('ModelInfer');
  if (method === undefined) throw new Error('no such call');
  const client = new Client(`127.0.0.1:${grpcPort}`, credentials.createInsecure());
  if (send.cancelAfter !== undefined) await connected(client);
  const asked = new Promise<unknown>((resolve) => {
    const call = client.makeUnaryRequest(
      method.path,
      method.request.encode,
      method.response.decode,
      messageOf(send),
      (error, response?: PlainMessage) =>
        resolve(error === null ? told(response as Response) : [error.code, error.details]),
    );
    if (send.cancelAfter !== undefined) setTimeout(() => call.cancel(), send.cancelAfter);
  });
  try {
    return await within(asked, LIMIT_MS).catch(String);
  } finally {
    client.close();
  }
}

/** One stream; answers of a request are found by its id, which the stream gives to those that have none. */
export class FlowStream {
  readonly #client: Client;
  readonly #call: ClientDuplexStream<PlainMessage, PlainMessage>;
  readonly #seen: unknown[] = [];
  readonly #waiting = new Map<string, (told: unknown) => void>();
  readonly #status: Promise<unknown>;

  private constructor(client: Client, call: ClientDuplexStream<PlainMessage, PlainMessage>) {
    this.#client = client;
    this.#call = call;
    call.on('data', (answer: { error_message?: string; infer_response?: Response }) => this.#take(answer));
    call.on('error', () => undefined);
    this.#status = new Promise((resolve) => {
      call.on('status', ({ code, details }) => {
        for (const end of this.#waiting.values()) end('the stream ended');
        resolve([code, details]);
      });
    });
  }

  static async open({ grpcPort }: Target): Promise<FlowStream> {
    const method = methods.get('ModelStreamInfer');
    if (method === undefined) throw new Error('no such call');
    const client = new Client(`127.0.0.1:${grpcPort}`, credentials.createInsecure());
    await connected(client);
    return new FlowStream(
      client,
      client.makeBidiStreamRequest(method.path, method.request.encode, method.response.decode),
    );
  }

  #take({
    error_message: error,
    infer_response: response,
  }: {
    error_message?: string;
    infer_response?: Response;
  }): void {
    const answer = { ...(error === '' || error === undefined ? {} : { error }), response: told(response) };
    this.#seen.push(answer);
    this.#waiting.get(response?.id ?? '')?.('see the stream');
  }

  send(send: Send, index: number): Promise<unknown> {
    const id = send.id ?? `s${index}`;
    const answered = new Promise<unknown>((resolve) => this.#waiting.set(id, resolve));
    this.#call.write({ ...messageOf(send), id });
    if (send.cancelAfter !== undefined) setTimeout(() => this.#call.cancel(), send.cancelAfter);
    return within(answered, LIMIT_MS).catch(String);
  }

  /** Half-closes it; everything that came, in order, and the status. */
  async end(): Promise<unknown> {
    this.#call.end();
    const status = await within(this.#status, LIMIT_MS).catch(String);
    this.#client.close();
    return [...this.#seen, status];
  }
}
