// Random inference requests for two servers that should answer alike: mostly right, some wrong in one place. The same seed
// gives the same requests.

import { encodeInferRequest } from '../../src-main/grpc-wire/infer-request-encoder.ts';
import { randomNumbers } from './random-numbers.ts';

/** One request as it goes to both servers. */
export interface AbRequest {
  readonly protocol: 'http' | 'grpc';
  /** Of HTTP. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface Tensor {
  name: string;
  datatype: string;
  shape: number[];
  values: number[];
  isBinary: boolean;
}

interface Draft {
  model: string;
  version: string;
  id: string;
  inputs: Tensor[];
  outputs: { name: string; isBinary: boolean }[];
  isBinaryByDefault: boolean | undefined;
}

/** Models of the comparison with the reference whose answers do not depend on what else is running. */
const MODELS = [
  { name: 'tiny', inputs: ['INPUT0', 'INPUT1'], outputs: ['OUTPUT0', 'OUTPUT1'], datatype: 'INT32', rows: 8 },
  { name: 'step', inputs: ['INPUT'], outputs: ['OUTPUT'], datatype: 'FP32', rows: 8 },
  { name: 'chain', inputs: ['INPUT'], outputs: ['OUTPUT'], datatype: 'FP32', rows: 8 },
  { name: 'large', inputs: ['INPUT'], outputs: ['OUTPUT'], datatype: 'FP32', rows: 0 },
] as const;

/** Requests, one after the other; a seed always gives the same ones. */
export class RandomRequests {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = randomNumbers(seed);
  }

  #below(count: number): number {
    return Math.floor(this.#next() * count);
  }

  #chance(share: number): boolean {
    return this.#next() < share;
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#below(list.length)] as T;
  }

  /** The next one, over HTTP or gRPC. */
  request(): AbRequest {
    const draft = this.#draft();
    if (this.#chance(0.25)) this.#spoil(draft);
    return this.#chance(0.3) ? this.#overGrpc(draft) : this.#overHttp(draft);
  }

  #draft(): Draft {
    const model = this.#pick(MODELS);
    const shape = model.rows === 0 ? [1 + this.#below(600)] : [1 + this.#below(model.rows), 16];
    const isJson = this.#chance(0.5);
    const inputs = model.inputs.map((name) => ({
      name,
      datatype: model.datatype,
      shape,
      values: this.#values(model.datatype, shape),
      isBinary: !isJson || this.#chance(0.1),
    }));
    const outputs = this.#chance(0.5)
      ? model.outputs.filter(() => this.#chance(0.8)).map((name) => ({ name, isBinary: this.#chance(0.5) }))
      : [];
    return {
      model: model.name,
      version: this.#chance(0.2) ? '1' : '',
      id: this.#chance(0.3) ? this.#pick(['a', '42', 'request-7', 'ü"\\\n']) : '',
      inputs,
      outputs,
      isBinaryByDefault: this.#chance(0.3) ? this.#chance(0.5) : undefined,
    };
  }

  #values(datatype: string, shape: readonly number[]): number[] {
    const count = shape.reduce((product, dim) => product * dim, 1);
    return Array.from({ length: count }, () => {
      if (datatype === 'INT32') return this.#pick([0, 1, -1, this.#below(2 ** 30), -this.#below(2 ** 30)]);
      return Math.fround(this.#pick([0, 1.5, -2, this.#next(), this.#next() * 1e6, -this.#next() * 1e-6]));
    });
  }

  /** One thing wrong. */
  #spoil(draft: Draft): void {
    const input = this.#pick(draft.inputs);
    const kinds: (() => void)[] = [
      () => (draft.model = 'nobody'),
      () => (draft.version = this.#pick(['2', '9'])),
      () => (input.name = 'OTHER'),
      () => (input.datatype = this.#pick(['FP64', 'INT64', 'UINT8', 'FP16', 'BYTES', 'NONE'])),
      () => (input.shape = [...input.shape, 1]),
      () => (input.shape = [input.shape[0] ?? 1, 15]),
      () => (input.shape = [9, 16]),
      () => input.values.pop(),
      () => input.values.push(1),
      () => draft.inputs.pop(),
      () => draft.inputs.push(input),
      () => draft.inputs.push({ ...input, name: 'EXTRA' }),
      () => draft.outputs.push({ name: 'NOTHING', isBinary: false }),
    ];
    this.#pick(kinds)();
  }

  #bytes({ datatype, values }: Tensor): Uint8Array {
    return new Uint8Array(
      datatype === 'FP32' ? Float32Array.from(values).buffer : Int32Array.from(values).buffer,
    );
  }

  #overGrpc(draft: Draft): AbRequest {
    const body = encodeInferRequest({
      modelName: draft.model,
      modelVersion: draft.version,
      id: draft.id,
      parameters: new Map(),
      inputs: draft.inputs.map((input) => ({ ...input, bytes: this.#bytes(input), parameters: new Map() })),
      outputs: draft.outputs.map(({ name }) => ({ name, parameters: new Map() })),
    });
    return { protocol: 'grpc', path: '', headers: {}, body };
  }

  #overHttp(draft: Draft): AbRequest {
    const parts: Uint8Array[] = [];
    const inputs = draft.inputs.map((input) => {
      const { name, shape, datatype, isBinary, values } = input;
      if (!isBinary) return { name, shape, datatype, data: values };
      const bytes = this.#bytes(input);
      parts.push(bytes);
      return { name, shape, datatype, parameters: { binary_data_size: bytes.byteLength } };
    });
    const outputs = draft.outputs.map(({ name, isBinary }) => ({
      name,
      parameters: { binary_data: isBinary },
    }));
    const json = JSON.stringify({
      ...(draft.id === '' ? {} : { id: draft.id }),
      inputs,
      ...(outputs.length === 0 ? {} : { outputs }),
      ...(draft.isBinaryByDefault === undefined
        ? {}
        : { parameters: { binary_data_output: draft.isBinaryByDefault } }),
    });
    const text = Buffer.from(this.#chance(0.03) ? this.#damaged(json) : json);
    const version = draft.version === '' ? '' : `/versions/${draft.version}`;
    const headers: Record<string, string> = {};
    if (parts.length > 0) headers['inference-header-content-length'] = String(text.length);
    return {
      protocol: 'http',
      path: `/v2/models/${draft.model}${version}/infer`,
      headers,
      body: Buffer.concat([text, ...parts]),
    };
  }

  /** One character of a text taken out or replaced. */
  #damaged(text: string): string {
    const at = this.#below(text.length);
    return text.slice(0, at) + this.#pick(['', '{', ']', ',', '"', '1', 'x']) + text.slice(at + 1);
  }
}
