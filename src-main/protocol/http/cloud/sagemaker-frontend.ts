// The endpoint for SageMaker: a health check, invocations of one model that the environment names, and models that the
// platform brings and takes away by their folders (multi-model endpoints).

import type { IncomingMessage } from 'node:http';

import type { Exchange } from '../exchange.ts';
import { startInfer } from '../infer-route.ts';
import { startGenerate } from '../routes/generate-routes.ts';
import { liveHandler, readyHandler } from '../routes/health-routes.ts';
import { inferPattern } from '../routes/infer-pattern.ts';
import type { Route } from '../routes/route-handler.ts';
import type { StatusRule } from './cloud-exchange.ts';
import type { CloudCall, CloudFrontend, CloudRefusal } from './cloud-frontend.ts';
import { BAD_REQUEST, callOf, METHOD_NOT_ALLOWED, pathless, pathOf } from './cloud-frontend.ts';
import type { SagemakerModels } from './sagemaker-models.ts';

const TARGET_MODEL = 'x-amzn-sagemaker-target-model';
/** How errors of frameworks say that memory ran out. */
const OUT_OF_MEMORY =
  /out[ _-]?of[ _-]?memory|MemoryError|\bOOM\b|Failed to allocate memory|No space left on device|CUDA(?:_ERROR|NN_STATUS)_(?:OUT_OF_MEMORY|ALLOC_FAILED)|CUBLAS_STATUS_ALLOC_FAILED/i;

/** What SageMaker says in the environment; texts are empty where it says nothing. */
export interface SagemakerSettings {
  /** Model behind `/invocations`. */
  readonly defaultModel: string;
  readonly inferenceType: string;
  readonly pingMode: string;
}

/** Errors about a model are 400 here, or 507 where memory ran out; some keep a status of their own. */
const statusOf: StatusRule = (status, message) =>
  OUT_OF_MEMORY.test(message) ? 507 : status === 409 ? 409 : 400;

/** Errors of models that were brought are 400, 507 where memory ran out, and 409 for a folder that is served already. */
export class SagemakerFrontend implements CloudFrontend {
  readonly service = 'Sagemaker';
  readonly dialect = {
    binaryType: 'application/vnd.sagemaker-triton.binary+json;json-header-size=',
    answersWithType: true,
  };
  readonly #settings: SagemakerSettings;
  readonly #models: SagemakerModels;
  readonly #ping: Route;
  readonly #invoke: Route | undefined;
  readonly #infer: Route = { ...inferPattern, handler: startInfer };

  constructor(settings: SagemakerSettings, models: SagemakerModels) {
    this.#settings = settings;
    this.#models = models;
    const handler = settings.pingMode === 'live' ? liveHandler : readyHandler;
    this.#ping = pathless({ category: 'health', methods: ['GET'], handler });
    this.#invoke = invocations(settings.inferenceType);
  }

  async check(): Promise<void> {
    // Models come later: nothing must be there at the start.
  }

  route(request: IncomingMessage): CloudCall | CloudRefusal {
    const path = pathOf(request);
    const { method } = request;
    if (path === '/ping') return method === 'GET' ? callOf(this.#ping) : METHOD_NOT_ALLOWED;
    if (path === '/invocations') return this.#invocation(method);
    const [, key, isInvoke] = /^\/models(?:\/([^/]*)(\/invoke)?)?$/.exec(path) ?? [];
    if (!path.startsWith('/models')) return BAD_REQUEST;
    if (isInvoke !== undefined) return method === 'POST' ? this.#invoked(key ?? '', request) : BAD_REQUEST;
    return this.#ofModels(method, key, path);
  }

  #invocation(method = ''): CloudCall | CloudRefusal {
    if (method !== 'POST') return METHOD_NOT_ALLOWED;
    return this.#invoke === undefined
      ? BAD_REQUEST
      : callOf(this.#invoke, { model: this.#settings.defaultModel });
  }

  #invoked(key: string, { headers }: IncomingMessage): CloudCall | CloudRefusal {
    if (!this.#models.has(key)) return { status: 404 };
    const target = headers[TARGET_MODEL];
    const model = typeof target === 'string' ? target : key;
    this.#models.noteInvoked(model);
    return { ...callOf(this.#infer, { model }), statusOf };
  }

  #ofModels(method = '', key = '', path: string): CloudCall | CloudRefusal {
    const run = (handler: (exchange: Exchange) => void | Promise<void>): CloudCall => ({
      ...callOf(pathless({ category: 'model-repository', methods: ['GET', 'POST'], handler })),
      statusOf,
    });
    if (!/^\/models(?:\/[^/]*)?$/.test(path)) return BAD_REQUEST;
    if (key === '') {
      if (method === 'GET') return run((exchange) => this.#models.list(exchange));
      return method === 'POST' && path === '/models'
        ? run((exchange) => this.#models.load(exchange, targetOf(exchange)))
        : BAD_REQUEST;
    }
    if (method !== 'GET' && method !== 'DELETE') return BAD_REQUEST;
    if (!this.#models.has(key)) return { status: 404 };
    if (method === 'GET') return run((exchange) => this.#models.describe(exchange, key));
    return run((exchange) => this.#models.unload(exchange, key));
  }
}

/** The model that a header names behind a key. */
function targetOf({ req: { headers } }: Exchange): string | undefined {
  const target = headers[TARGET_MODEL];
  return typeof target === 'string' ? target : undefined;
}

function invocations(type: string): Route | undefined {
  const parts = { category: 'inference', methods: ['POST'] } as const;
  if (type === 'infer') return pathless({ ...parts, handler: startInfer });
  if (type === 'generate')
    return pathless({ ...parts, handler: (exchange) => startGenerate(exchange, false) });
  if (type === 'generate_stream') {
    return pathless({ ...parts, handler: (exchange) => startGenerate(exchange, true) });
  }
  return undefined;
}
