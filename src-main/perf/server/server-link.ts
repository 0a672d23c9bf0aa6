// The management calls a load test needs, over whichever protocol the test itself uses, so that one address is enough.

import type { ConnectionOptions } from 'node:tls';

import { modelConfigFromJson } from '../../../src-shared/config/config-json.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { ServerError } from '../../../src-shared/errors.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { GrpcInferClient, unreachable } from '../../client/grpc-client.ts';
import type { GrpcTlsFiles } from '../../client/grpc-load-channel.ts';
import { errorText, HttpInferClient } from '../../client/http-client.ts';
import { perfServerErrors } from './link-errors.ts';
import type { ModelCounters } from './model-counters.ts';
import { countersOf } from './model-counters.ts';

type Json = Readonly<Record<string, unknown>>;

interface ServerFacts {
  readonly name: string;
  readonly version: string;
}

/** Rejects with the server's message, or UNAVAILABLE when the server cannot be reached. */
export interface ServerLink {
  /** Name and version, as the server's metadata say them. */
  facts(): Promise<ServerFacts>;
  /** `version` "" = the one that the server would pick. */
  isModelReady(model: string, version: string): Promise<boolean>;
  /** As the server completed it, without fields that Conch does not know; `version` "" = the one it would pick. */
  modelConfig(model: string, version: string): Promise<ModelConfig>;
  /** `model` "" = all models; `version` "" = all versions. */
  counters(model: string, version: string): Promise<readonly ModelCounters[]>;
  /** System shared memory only, from offset 0; `key`: the name of shm_open, which begins with "/". */
  registerRegion(region: { name: string; key: string; byteSize: number }): Promise<void>;
  /** All regions of system shared memory, those of other clients too. */
  unregisterRegions(): Promise<void>;
  /** Of all models; only `trace_level` may have several values. */
  updateTrace(settings: Readonly<Record<string, readonly string[]>>): Promise<void>;
  /** Ends the connection; whoever made the link calls it. */
  close(): Promise<void>;
}

interface LinkOptions {
  readonly clock: Clock;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

/** Management calls over HTTP; errors carry the code and the text that the server gave. */
export class HttpLink implements ServerLink {
  readonly #client: HttpInferClient;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(address: string, options: LinkOptions & { readonly tls: ConnectionOptions | undefined }) {
    this.#client = new HttpInferClient(address, {
      clock: options.clock,
      encoding: 'json',
      tls: options.tls,
      userAgent: 'conch-perf',
    });
    this.#headers = Object.fromEntries(options.headers.map(({ name, value }) => [name, value]));
  }

  async facts(): Promise<ServerFacts> {
    const { name, version } = await this.#get('/v2');
    return { name: String(name), version: String(version) };
  }

  async isModelReady(model: string, version: string): Promise<boolean> {
    const path = `${modelPath(model, version)}/ready`;
    return (await this.#client.call({ method: 'GET', path, headers: this.#headers })).status === 200;
  }

  async modelConfig(model: string, version: string): Promise<ModelConfig> {
    return configOf(await this.#get(`${modelPath(model, version)}/config`));
  }

  async counters(model: string, version: string): Promise<readonly ModelCounters[]> {
    const path = model === '' ? '/v2/models/stats' : `${modelPath(model, version)}/stats`;
    return countersOf(await this.#get(path));
  }

  async registerRegion({ name, key, byteSize }: { name: string; key: string; byteSize: number }) {
    const body = JSON.stringify({ key, offset: 0, byte_size: byteSize });
    await this.#post(`/v2/systemsharedmemory/region/${encodeURIComponent(name)}/register`, body);
  }

  async unregisterRegions(): Promise<void> {
    await this.#post('/v2/systemsharedmemory/unregister', '');
  }

  async updateTrace(settings: Readonly<Record<string, readonly string[]>>): Promise<void> {
    const body = Object.entries(settings).map(([key, values]) => [
      key,
      key === 'trace_level' ? values : values[0],
    ]);
    await this.#post('/v2/trace/setting', JSON.stringify(Object.fromEntries(body)));
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #get(path: string): Promise<Json> {
    const answer = await this.#client.call({ method: 'GET', path, headers: this.#headers });
    if (answer.status !== 200) throw refused(answer.status, answer.body);
    const value: unknown = JSON.parse(answer.body.toString('utf8'));
    if (typeof value !== 'object' || value === null) throw perfServerErrors.noObject({ path });
    return value as Json;
  }

  async #post(path: string, body: string): Promise<void> {
    const answer = await this.#client.call({
      method: 'POST',
      path,
      headers: this.#headers,
      body: Buffer.from(body),
    });
    if (answer.status !== 200) throw refused(answer.status, answer.body);
  }
}

function refused(status: number, body: Buffer): ServerError {
  const text = errorText(body);
  const reason = text === '' ? `the server answered with HTTP status ${status}` : text;
  return status === 404 ? perfServerErrors.notFound({ reason }) : perfServerErrors.refused({ reason });
}

function modelPath(model: string, version: string): string {
  const suffix = version === '' ? '' : `/versions/${encodeURIComponent(version)}`;
  return `/v2/models/${encodeURIComponent(model)}${suffix}`;
}

/** What this program does not know of a configuration written for another server is left out. */
function configOf(document: Json): ModelConfig {
  return modelConfigFromJson(JSON.stringify(document)).config;
}

/** Management calls over gRPC; errors carry the code and the text that the server gave. */
export class GrpcLink implements ServerLink {
  readonly #client: GrpcInferClient;

  constructor(address: string, options: LinkOptions & { readonly tls: GrpcTlsFiles | undefined }) {
    this.#client = new GrpcInferClient(address, options);
  }

  async facts(): Promise<ServerFacts> {
    const { name, version } = await this.#call('ServerMetadata', {});
    return { name: String(name), version: String(version) };
  }

  async isModelReady(model: string, version: string): Promise<boolean> {
    return (await this.#call('ModelReady', { name: model, version }))['ready'] === true;
  }

  async modelConfig(model: string, version: string): Promise<ModelConfig> {
    const { config } = await this.#call('ModelConfig', { name: model, version });
    return configOf(config as Json);
  }

  async counters(model: string, version: string): Promise<readonly ModelCounters[]> {
    return countersOf(await this.#call('ModelStatistics', { name: model, version }));
  }

  async registerRegion({ name, key, byteSize }: { name: string; key: string; byteSize: number }) {
    await this.#call('SystemSharedMemoryRegister', { name, key, offset: 0, byte_size: byteSize });
  }

  async unregisterRegions(): Promise<void> {
    await this.#call('SystemSharedMemoryUnregister', {});
  }

  async updateTrace(settings: Readonly<Record<string, readonly string[]>>): Promise<void> {
    const entries = Object.entries(settings).map(([key, value]) => [key, { value }]);
    await this.#call('TraceSetting', { settings: Object.fromEntries(entries) });
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #call(rpc: string, request: Json): Promise<Json> {
    try {
      return await this.#client.manage(rpc, request);
    } catch (thrown) {
      const { details, code } = thrown as { readonly details?: string; readonly code?: number };
      if (details === undefined) throw toServerError(thrown);
      if (code === 14) throw unreachable(details, thrown);
      const make = code === 5 ? perfServerErrors.notFound : perfServerErrors.refused;
      throw make({ reason: details }, { cause: thrown });
    }
  }
}
