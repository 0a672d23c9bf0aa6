// The endpoint for Vertex AI: a health and a predict path that the platform names, and behind the predict path, by a
// header, the read-only calls of the v2 port and its inference.

import type { IncomingMessage } from 'node:http';

import type { InferenceService } from '../../../service/inference-service.ts';
import { EXPOSITION } from '../metrics-server.ts';
import { startInfer } from '../infer-route.ts';
import type { Exchange } from '../exchange.ts';
import { Router } from '../router.ts';
import { healthRoutes, readyHandler } from '../routes/health-routes.ts';
import { inferPattern } from '../routes/infer-pattern.ts';
import { metadataRoutes } from '../routes/metadata-routes.ts';
import { repositoryRoutes } from '../routes/repository-routes.ts';
import type { Route } from '../routes/route-handler.ts';
import { sharedMemoryRoutes } from '../routes/shared-memory-routes.ts';
import { statisticsRoutes } from '../routes/statistics-routes.ts';
import { cloudErrors } from './cloud-errors.ts';
import { CloudExchange } from './cloud-exchange.ts';
import type { CloudCall, CloudFrontend, CloudRefusal } from './cloud-frontend.ts';
import { BAD_REQUEST, callOf, METHOD_NOT_ALLOWED, pathless, pathOf } from './cloud-frontend.ts';

const REDIRECT = 'x-vertex-ai-triton-redirect';
/** Calls that change the server. */
const FORBIDDEN = /\/(?:register|unregister|load|unload)$/;

const REDIRECTED: readonly Route[] = [
  ...healthRoutes,
  ...metadataRoutes,
  ...statisticsRoutes,
  ...repositoryRoutes,
  ...sharedMemoryRoutes,
  { ...inferPattern, handler: startInfer },
];

/** What Vertex AI says in the environment and on the command line. */
export interface VertexAiSettings {
  /** Regular expressions over the whole path; "" = not given. */
  readonly predictRoute: string;
  readonly healthRoute: string;
  /** "" = the only model there is. */
  readonly defaultModel: string;
  /** False while models come after the port opens: then the model is looked for with each request. */
  readonly needsModel: boolean;
}

interface VertexAiParts {
  readonly service: InferenceService;
  /** The exposition; undefined = no metrics. */
  readonly metricsText: (() => Promise<string>) | undefined;
}

/** `check` throws INVALID_ARG for a path or a default model that is missing. */
export class VertexAiFrontend implements CloudFrontend {
  readonly service = 'Vertex AI';
  readonly dialect = {
    binaryType: 'application/vnd.vertex-ai-triton.binary+json;json-header-size=',
    answersWithType: false,
  };
  readonly #settings: VertexAiSettings;
  readonly #parts: VertexAiParts;
  readonly #router: Router<Route>;
  readonly #health: Route = pathless({ category: 'health', methods: ['GET'], handler: readyHandler });
  readonly #metrics: Route;
  readonly #infer: Route = { ...inferPattern, handler: startInfer };
  readonly #inferOnly: Route;
  #healthPath: RegExp | undefined;
  #predictPath: RegExp | undefined;
  /** "" until it is known. */
  #model: string;

  constructor(settings: VertexAiSettings, parts: VertexAiParts) {
    this.#settings = settings;
    this.#parts = parts;
    this.#model = settings.defaultModel;
    this.#router = new Router(REDIRECTED, (name) => parts.service.hasModel(name));
    this.#metrics = pathless({
      category: 'metadata',
      methods: ['GET'],
      handler: (exchange) => this.#answerMetrics(exchange),
    });
    this.#inferOnly = pathless({
      category: 'inference',
      methods: ['POST'],
      handler: (exchange) => this.#inferOnlyModel(exchange),
    });
  }

  async check(): Promise<void> {
    const { predictRoute, healthRoute, defaultModel, needsModel } = this.#settings;
    if (predictRoute === '') throw cloudErrors.noPredictRoute();
    if (healthRoute === '') throw cloudErrors.noHealthRoute();
    this.#predictPath = wholePath(predictRoute, 'AIP_PREDICT_ROUTE');
    this.#healthPath = wholePath(healthRoute, 'AIP_HEALTH_ROUTE');
    if (!needsModel) return;
    if (defaultModel === '') this.#model = await this.#onlyModel();
    else if (!(await this.#readyModels()).includes(defaultModel)) {
      throw cloudErrors.defaultModelMissing({ name: defaultModel });
    }
  }

  route(request: IncomingMessage): CloudCall | CloudRefusal {
    const path = pathOf(request);
    const { method, headers } = request;
    if (this.#healthPath?.test(path) === true) {
      return method === 'GET' ? callOf(this.#health) : METHOD_NOT_ALLOWED;
    }
    if (this.#predictPath?.test(path) !== true) return BAD_REQUEST;
    const redirect = headers[REDIRECT];
    if (typeof redirect === 'string') return method === 'POST' ? this.#redirected(redirect) : { status: 405 };
    if (method !== 'POST') return METHOD_NOT_ALLOWED;
    return this.#model === '' ? callOf(this.#inferOnly) : callOf(this.#infer, { model: this.#model });
  }

  #redirected(target: string): CloudCall | CloudRefusal {
    if (target === 'metrics') return callOf(this.#metrics);
    if (target.includes('?') || target.startsWith('/')) return BAD_REQUEST;
    const match = this.#router.match(`/${target}`);
    if (match === undefined) return BAD_REQUEST;
    return FORBIDDEN.test(target) ? { status: 403 } : { match };
  }

  async #answerMetrics(exchange: Exchange): Promise<void> {
    const text = await this.#parts.metricsText?.();
    if (text === undefined) exchange.empty(400, 'text/plain');
    else exchange.sendWhole(textHeaders(text), Buffer.from(text));
  }

  /** Nobody said which model is meant, and there was none yet when the port opened. */
  async #inferOnlyModel(exchange: Exchange): Promise<void> {
    if (!(exchange instanceof CloudExchange)) return;
    exchange.match = callOf(this.#infer, { model: await this.#onlyModel() }).match;
    startInfer(exchange);
  }

  async #onlyModel(): Promise<string> {
    const [only, ...others] = await this.#readyModels();
    if (only === undefined || others.length > 0) throw cloudErrors.severalModels();
    return only;
  }

  /** A name for each version. */
  async #readyModels(): Promise<readonly string[]> {
    return (await this.#parts.service.repositoryIndex({ readyOnly: true })).map(({ name }) => name);
  }
}

function textHeaders(text: string): string[] {
  return ['Content-Type', EXPOSITION, 'Content-Length', String(Buffer.byteLength(text))];
}

function wholePath(pattern: string, variable: string): RegExp {
  try {
    return new RegExp(`^(?:${pattern})$`);
  } catch (thrown) {
    throw cloudErrors.routeNoPattern({ variable, pattern, reason: String(thrown) }, { cause: thrown });
  }
}
