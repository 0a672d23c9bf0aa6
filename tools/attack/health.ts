// Whether every port of a server answers in time and with the right values, asked as any client would ask.

import { setTimeout as pause } from 'node:timers/promises';

import { GrpcCaller, int32Request } from '../../tests/conformance/checklist/grpc-caller.ts';
import { HttpCaller } from './http-caller.ts';

const ANSWER_LIMIT_MS = 5000;

/** Where a server is, and what opens its window. */
export interface ServerAddress {
  readonly http: number;
  readonly grpc: number;
  readonly metrics: number;
  readonly ui: number;
  readonly token: string;
}

/** Looks from outside, as clients do, over connections of its own. */
export class Health {
  readonly http: HttpCaller;
  readonly grpc: GrpcCaller;
  readonly #address: ServerAddress;

  constructor(address: ServerAddress) {
    this.#address = address;
    this.http = new HttpCaller(address.http);
    this.grpc = new GrpcCaller(`127.0.0.1:${address.grpc}`);
  }

  /** What is wrong with its answers; undefined = nothing. Takes no longer than 5 seconds. */
  async sickness(): Promise<string | undefined> {
    const checks = [this.#httpSickness(), this.#grpcSickness(), this.#otherSickness()];
    const late = pause(ANSWER_LIMIT_MS, `no answer within ${ANSWER_LIMIT_MS} ms`, { ref: false });
    const found = await Promise.race([Promise.all(checks), late]).catch((thrown: unknown) => String(thrown));
    return typeof found === 'string' ? found : found.find((sick) => sick !== undefined);
  }

  /** Puts back what attacks may have set: what is logged, what is traced. */
  async resetSettings(): Promise<void> {
    const log = { log_info: false, log_warning: true, log_error: true, log_verbose_level: 0 };
    await this.http.post('/v2/logging', JSON.stringify({ ...log, log_format: 'default' }));
    await this.http.post('/v2/trace/setting', '{"trace_level":["OFF"]}');
  }

  /** Gives its connections back. */
  close(): void {
    this.http.close();
    this.grpc.close();
  }

  async #httpSickness(): Promise<string | undefined> {
    const body = '{"inputs":[{"name":"INPUT0","datatype":"INT32","shape":[3],"data":[7,-8,9]}]}';
    const echo = await this.http.post('/v2/models/sure/infer', body);
    if (!echo.text.includes('"data":[7,-8,9]')) return `HTTP, sure: ${echo.status} ${echo.text}`;
    const sixteen = (value: number): string => JSON.stringify(Array.from({ length: 16 }, () => value));
    const inputs = ['INPUT0', 'INPUT1'].map(
      (name, at) =>
        `{"name":"${name}","datatype":"INT32","shape":[1,16],"data":${sixteen(at === 0 ? 5 : 3)}}`,
    );
    const sum = await this.http.post('/v2/models/simple/infer', `{"inputs":[${inputs.join(',')}]}`);
    const isRight = sum.text.includes(`"data":${sixteen(8)}`) && sum.text.includes(`"data":${sixteen(2)}`);
    return isRight ? undefined : `HTTP, simple: ${sum.status} ${sum.text}`;
  }

  async #grpcSickness(): Promise<string | undefined> {
    const { code, details, response } = await this.grpc.call('ModelInfer', int32Request('sure', [11, -12]));
    const raw = (response?.['raw_output_contents'] as readonly Buffer[] | undefined)?.[0];
    const isRight = raw?.equals(Buffer.from(Int32Array.of(11, -12).buffer)) === true;
    return isRight ? undefined : `gRPC, sure: ${code} ${details}`;
  }

  async #otherSickness(): Promise<string | undefined> {
    const { metrics: metricsPort, ui, token } = this.#address;
    const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    if (!(await metrics.text()).includes('nv_inference_request_success')) return 'metrics: no counters';
    const session = await fetch(`http://127.0.0.1:${ui}/session`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return session.status === 204 ? undefined : `window: ${session.status}`;
  }
}
