// Random questions to every route of HTTP and every unary call of gRPC: right, half right and wrong paths, methods, headers and
// documents. The same seed gives the same ones.

import { deflateSync, gzipSync } from 'node:zlib';
import type { PlainMessage } from '../../src-main/grpc-wire/messages.ts';
import { RandomChoice } from './random-choice.ts';

/** One question over either protocol. */
export type ProtocolQuestion =
  | {
      readonly protocol: 'http';
      readonly method: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer;
    }
  | { readonly protocol: 'grpc'; readonly rpc: string; readonly message: PlainMessage };

type Document = Readonly<Record<string, unknown>>;

/** The model that the repository has, and names that it has not. */
export const PROTOCOL_MODEL = 'copy';
const MODELS = [...Array<string>(8).fill(PROTOCOL_MODEL), 'nobody', 'co.py', 'COPY', 'versions'];
const VERSIONS = [...Array<string>(5).fill('1'), '2', '01', '0', '99999999999999999999', 'x'];
const SHARED = ['system', 'cuda'];
const ODD_VALUES: readonly unknown[] = [
  0,
  1,
  -1,
  1.5,
  '',
  'x',
  '1',
  true,
  false,
  null,
  [],
  {},
  [1],
  { a: 1 },
];
const NO_JSON = [
  '',
  '{',
  '[]',
  '5',
  'null',
  '"x"',
  '{}',
  '{"a":1} x',
  '\u0000',
  '{"a":1,}',
  'NaN',
  "{'a':1}",
];

const infer: Document = {
  id: 'a',
  inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1, 2], data: [1, 2] }],
  outputs: [{ name: 'OUTPUT0', parameters: { binary_data: false } }],
  parameters: { priority: 1, timeout: 5, custom: 'text' },
};
const region: Document = { key: '/conch_nowhere', offset: 0, byte_size: 64 };
const DOCUMENTS: Readonly<Record<string, Document>> = {
  infer,
  generate: { INPUT0: [[1, 2]], id: 'a', custom: 1, parameters: { a: 1 } },
  index: { ready: true },
  load: { parameters: {} },
  unload: { parameters: { unload_dependents: false } },
  region,
  none: {},
};

const ROUTES: readonly (readonly [share: number, method: string, document: string, path: string])[] = [
  [1, 'GET', 'none', ''],
  [1, 'GET', 'none', '/health/live'],
  [1, 'GET', 'none', '/health/ready'],
  [3, 'GET', 'none', '/models/M'],
  [2, 'GET', 'none', '/models/M/ready'],
  [2, 'GET', 'none', '/models/M/config'],
  [1, 'GET', 'none', '/models/M/stats'],
  [10, 'POST', 'infer', '/models/M/infer'],
  [3, 'POST', 'generate', '/models/M/generate'],
  [2, 'POST', 'generate', '/models/M/generate_stream'],
  [3, 'POST', 'index', '/repository/index'],
  [2, 'POST', 'load', '/repository/models/M/load'],
  [1, 'POST', 'unload', '/repository/models/M/unload'],
  [3, 'POST', 'region', '/Ssharedmemory/region/r/register'],
  [1, 'POST', 'none', '/Ssharedmemory/region/r/unregister'],
  [1, 'POST', 'none', '/Ssharedmemory/unregister'],
  [1, 'GET', 'none', '/Ssharedmemory/status'],
  [1, 'GET', 'none', '/Ssharedmemory/region/r/status'],
  [1, 'GET', 'none', '/models/M/nothing'],
  [1, 'GET', 'none', '/nothing'],
];
const WEIGHTED = ROUTES.flatMap(([share, ...route]) => Array.from({ length: share }, () => route));

const CALLS: Readonly<Record<string, Document>> = {
  ServerLive: {},
  ServerReady: {},
  ServerMetadata: {},
  ModelReady: { name: 'M', version: 'V' },
  ModelMetadata: { name: 'M', version: 'V' },
  ModelConfig: { name: 'M', version: 'V' },
  ModelInfer: {
    model_name: 'M',
    model_version: 'V',
    id: 'a',
    parameters: { priority: { int64_param: '1' }, custom: { string_param: 'x' } },
    inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: ['1', '2'], contents: { fp32_contents: [1, 2] } }],
    outputs: [{ name: 'OUTPUT0', parameters: { classification: { int64_param: '1' } } }],
  },
  RepositoryIndex: { ready: true },
  RepositoryModelLoad: { model_name: 'M', parameters: {} },
  RepositoryModelUnload: { model_name: 'M', parameters: { unload_dependents: { bool_param: false } } },
  SystemSharedMemoryStatus: { name: '' },
  SystemSharedMemoryRegister: { name: 'r', ...region, offset: '0', byte_size: '64' },
  SystemSharedMemoryUnregister: { name: 'r' },
  CudaSharedMemoryStatus: { name: '' },
  CudaSharedMemoryUnregister: { name: 'r' },
};

/** Questions, one after the other; a seed always gives the same ones. */
export class RandomProtocol {
  readonly #choice: RandomChoice;

  constructor(seed: number) {
    this.#choice = new RandomChoice(seed);
  }

  /** The next one, over HTTP or gRPC. */
  question(): ProtocolQuestion {
    return this.#choice.chance(0.3) ? this.#grpc() : this.#http();
  }

  #http(): ProtocolQuestion {
    const choice = this.#choice;
    const [usual = 'GET', document = 'none', template = ''] = choice.one(WEIGHTED);
    const version = choice.chance(0.25) ? `/versions/${choice.one(VERSIONS)}` : '';
    let path = template
      .replace('/M/', `/M${template.startsWith('/models') ? version : ''}/`)
      .replace(/\/M(?=\/|$)/, `/${choice.one(MODELS)}`)
      .replace('/S', `/${choice.one(SHARED)}`);
    path = `/v2${path}${choice.chance(0.04) ? '/' : ''}${choice.chance(0.08) ? choice.one(['?', '?a=1', '?a=%20&b']) : ''}`;
    if (choice.chance(0.02)) path = path.replace('/v2', choice.one(['/v1', '/V2', '//v2', '']));
    const method = choice.chance(0.93)
      ? usual
      : choice.one(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']);
    // A body that cannot be read stops an unload here, and is ignored there.
    const isUnload = document === 'unload';
    const text = isUnload
      ? choice.one(['', '{}', JSON.stringify(DOCUMENTS['unload'])])
      : choice.chance(0.08)
        ? choice.one(NO_JSON)
        : JSON.stringify(this.#changed(DOCUMENTS[document] ?? {}));
    const hasBody = usual === 'POST' && method !== 'GET' && method !== 'OPTIONS';
    const plain = Buffer.from(hasBody && (document !== 'none' || choice.chance(0.2)) ? text : '');
    const [headers, body] = isUnload ? [{}, plain] : this.#headers(plain);
    return { protocol: 'http', method, path: path === '' ? '/' : path, headers, body };
  }

  #headers(plain: Buffer): readonly [Readonly<Record<string, string>>, Buffer] {
    const choice = this.#choice;
    const headers: Record<string, string> = {};
    if (choice.chance(0.3))
      headers['Content-Type'] = choice.one([
        'application/json',
        'application/octet-stream',
        'text/plain',
        '',
      ]);
    if (choice.chance(0.1)) headers['Accept'] = choice.one(['*/*', 'text/html', 'application/json;q=0']);
    if (choice.chance(0.1))
      headers['Accept-Encoding'] = choice.one([
        'gzip',
        'deflate',
        'identity',
        'gzip, deflate',
        'br',
        'gzip;q=0',
        '*',
      ]);
    if (plain.length > 0 && choice.chance(0.06))
      headers['Inference-Header-Content-Length'] = String(
        choice.one([plain.length, 0, plain.length + 1, plain.length - 1, 1]),
      );
    if (plain.length > 0 && choice.chance(0.08)) {
      const [name, pack] = choice.one<readonly [string, (bytes: Buffer) => Buffer]>([
        ['gzip', gzipSync],
        ['deflate', deflateSync],
        ['identity', (bytes) => bytes],
      ]);
      headers['Content-Encoding'] = name;
      return [headers, pack(plain)];
    }
    return [headers, plain];
  }

  #grpc(): ProtocolQuestion {
    const choice = this.#choice;
    const rpc = choice.chance(0.4) ? 'ModelInfer' : choice.one(Object.keys(CALLS));
    const text = JSON.stringify(CALLS[rpc] ?? {})
      .replace('"M"', JSON.stringify(choice.one(MODELS)))
      .replace('"V"', JSON.stringify(choice.chance(0.6) ? '' : choice.one(VERSIONS)));
    return { protocol: 'grpc', rpc, message: this.#fewer(JSON.parse(text) as Document) as PlainMessage };
  }

  /** Messages have types: members are only left out, and texts and numbers exchanged for others. */
  #fewer(value: unknown): unknown {
    const choice = this.#choice;
    if (Array.isArray(value))
      return value.flatMap((one: unknown) =>
        choice.chance(0.05)
          ? []
          : typeof one === 'number' && choice.chance(0.04)
            ? [one, one]
            : [this.#fewer(one)],
      );
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value)
          .filter(() => !choice.chance(0.12))
          .map(([name, member]) => [name, this.#fewer(member)]),
      );
    if (!choice.chance(0.06)) return value;
    if (typeof value === 'number') return choice.one([0, -1, 7]);
    if (typeof value !== 'string') return value;
    return /^\d+$/.test(value)
      ? choice.one(['0', '-1', '7'])
      : choice.one(['x', 'FP64', 'INT32', 'OUTPUT1', '']);
  }

  /** Members left out, added, doubled, or of another type. */
  #changed(value: unknown): unknown {
    const choice = this.#choice;
    if (choice.chance(0.04)) return choice.one(ODD_VALUES);
    if (Array.isArray(value)) {
      const members = value.flatMap((one: unknown) => (choice.chance(0.05) ? [] : [this.#changed(one)]));
      // An output listed twice is refused by newer servers only.
      const more = members.filter((one) => typeof one === 'number');
      return choice.chance(0.05) ? [...members, choice.one([...more, ...ODD_VALUES])] : members;
    }
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value)
      .filter(() => !choice.chance(0.1))
      .map(([name, member]) => [name, this.#changed(member)]);
    if (choice.chance(0.08))
      members.push([choice.one(['more', 'name', 'shape', 'id']), choice.one(ODD_VALUES)]);
    return Object.fromEntries(members);
  }
}
