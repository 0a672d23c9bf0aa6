// The port of `--openai-port`: OpenAI's REST API over the models of the server. Order of checks: caller (the guard of the
// port), route, method, restriction, size of the body, then the call itself.

import type http from 'node:http';

import type { BodyBytes } from '../http/infer-binary.ts';
import type { HttpContext } from '../http/http-context.ts';
import type { HttpServerDependencies } from '../http/http-server.ts';
import { EXPOSITION } from '../http/metrics-server.ts';
import type { RouteMatch } from '../http/router.ts';
import { NO_NAMES } from '../http/router.ts';
import type { SidePortOptions } from '../http/side-port.ts';
import { SidePort } from '../http/side-port.ts';
import { Adapters } from './adapters.ts';
import { readBody } from './body-checks.ts';
import { ChatTemplate } from './chat-template.ts';
import type { RequestFormat } from './model-inputs.ts';
import { OpenaiCalls } from './openai-calls.ts';
import { openaiErrors } from './openai-errors.ts';
import { OpenaiExchange } from './openai-exchange.ts';
import { errorFault } from './openai-fault.ts';
import type { OpenaiApi, OpenaiRoute } from './openai-routes.ts';
import { OPENAI_APIS, routeOf } from './openai-routes.ts';
import { chatSchema, completionSchema, embeddingSchema } from './request-schemas.ts';
import { ServedModels } from './served-models.ts';
import type { ToolCallParserName } from './tool-calls/tool-parser.ts';

/** `header` in any case; calls of the groups without exactly this `value` are answered with 401. */
export interface OpenaiRestriction {
  readonly categories: readonly string[];
  readonly header: string;
  readonly value: string;
}

/** The endpoint: where it listens, and how texts become requests to models. */
export interface OpenaiServerOptions extends SidePortOptions {
  /** Folder of a Hugging Face tokenizer; "" = none. */
  readonly tokenizer: string;
  /** File of a Jinja template that takes the place of the tokenizer's; "" = none. */
  readonly chatTemplate: string;
  readonly defaultMaxTokens: number;
  /** "" = by the model's backend. */
  readonly requestFormat: RequestFormat | '';
  readonly restricted: readonly OpenaiRestriction[];
  /** Finds calls of tools in answers; undefined = nothing does. */
  readonly toolCallParser: ToolCallParserName | undefined;
  /** Of the text of calls in a streamed answer. */
  readonly maxToolCallParseByteSize: number;
  /** Stands between a model and its adapter; undefined = requests name no adapters. */
  readonly loraSeparator: string | undefined;
  /** Folders of models, where adapters are looked up. */
  readonly repositories: readonly string[];
  /** Models may be loaded and unloaded by calls. */
  readonly canControl: boolean;
}

/** What the endpoint serves. It closes none of it. */
export interface OpenaiDependencies extends HttpServerDependencies {
  /** The exposition; undefined = no metrics. */
  readonly metricsText: (() => Promise<string>) | undefined;
}

const NO_MATCH: RouteMatch = { route: { paths: [], category: 'inference', methods: [] }, ...NO_NAMES };
const NOT_READY = 'Attached inference engine is not ready for inference requests.';

/** Listens once. */
export class OpenaiServer {
  readonly #options: OpenaiServerOptions;
  readonly #dependencies: OpenaiDependencies;
  readonly #adapters: Adapters;
  readonly #models: ServedModels;
  readonly #port: SidePort;
  #calls: OpenaiCalls | undefined;
  #restrictions: ReadonlyMap<OpenaiApi, OpenaiRestriction> = new Map();

  constructor(options: OpenaiServerOptions, dependencies: OpenaiDependencies) {
    const { service, clock } = dependencies;
    this.#options = options;
    this.#dependencies = dependencies;
    this.#adapters = new Adapters(options.loraSeparator, options.repositories);
    this.#models = new ServedModels(service, clock, options.canControl, this.#adapters);
    this.#port = new SidePort(
      options,
      {
        service: 'OpenAI',
        protocol: 'OpenAI',
        onRequest: (req, res, context) => this.#handle(req, res, context),
        onRefused: (req, res, context, message) =>
          new OpenaiExchange(req, res, context, NO_MATCH).error(403, message),
      },
      dependencies,
    );
  }

  /** Resolves to the port. Throws INVALID_ARG for options that cannot be used, UNAVAILABLE when the port is taken. */
  async listen(): Promise<number> {
    const { tokenizer, chatTemplate, restricted } = this.#options;
    this.#restrictions = compile(restricted);
    const template = await ChatTemplate.read(tokenizer, chatTemplate);
    this.#calls = new OpenaiCalls(this.#options, template, this.#adapters);
    return this.#port.listen();
  }

  /** The bound port; 0 before `listen`. */
  get port(): number {
    return this.#port.port;
  }

  /** Idempotent; what is still open when the signal aborts is cut off. */
  async close(signal: AbortSignal): Promise<void> {
    await this.#port.close(signal);
  }

  #handle(req: http.IncomingMessage, res: http.ServerResponse, context: HttpContext): void {
    const exchange = new OpenaiExchange(req, res, context, NO_MATCH);
    const route = routeOf(req);
    if (route === undefined) {
      exchange.error(404, 'Not Found');
      return;
    }
    if (req.method !== route.method) {
      exchange.error(405, 'Method Not Allowed');
      return;
    }
    try {
      this.#checkRestriction(route.api, req);
      this.#checkLength(req);
      this.#run(exchange, route);
    } catch (thrown) {
      exchange.fail(thrown);
    }
  }

  #run(exchange: OpenaiExchange, route: OpenaiRoute): void {
    const calls = this.#calls;
    if (calls === undefined) throw new Error('the endpoint is not open');
    const { service } = exchange.context;
    switch (route.action) {
      case 'chat':
        this.#withBody(exchange, (bytes) => calls.chat(exchange, readBody(bytes, chatSchema)));
        break;
      case 'completion':
        this.#withBody(exchange, (bytes) => calls.complete(exchange, readBody(bytes, completionSchema)));
        break;
      case 'embedding':
        this.#withBody(exchange, (bytes) => calls.embed(exchange, readBody(bytes, embeddingSchema)));
        break;
      case 'list':
        answer(exchange, this.#models.list());
        break;
      case 'describe':
        answer(exchange, this.#models.describe(route.model));
        break;
      case 'load':
        answer(exchange, this.#models.load(route.model));
        break;
      case 'unload':
        answer(exchange, this.#models.unload(route.model));
        break;
      case 'metrics':
        this.#metrics(exchange);
        break;
      case 'ready':
        tellReady(exchange, service.isHealthy());
    }
  }

  #metrics(exchange: OpenaiExchange): void {
    const { metricsText } = this.#dependencies;
    if (metricsText === undefined) {
      exchange.error(404, 'Not Found');
      return;
    }
    metricsText()
      .then((text) => {
        const body = Buffer.from(text);
        exchange.sendWhole(['Content-Type', EXPOSITION, 'Content-Length', String(body.length)], body);
      })
      .catch((thrown: unknown) => exchange.fail(thrown));
  }

  #withBody(exchange: OpenaiExchange, run: (bytes: Buffer) => void): void {
    const { maxInputByteSize: limit } = this.#options;
    exchange.readBody(limit, (_, body: BodyBytes) => {
      if (body.byteSize > limit) throw tooLarge(body.byteSize, limit);
      run(body.byteSize === 0 ? Buffer.alloc(0) : body.head(body.byteSize));
    });
  }

  #checkLength({ headers }: http.IncomingMessage): void {
    const { maxInputByteSize: limit } = this.#options;
    const length = Number(headers['content-length'] ?? 0);
    if (length > limit) throw tooLarge(length, limit);
  }

  #checkRestriction(api: OpenaiApi, { headers }: http.IncomingMessage): void {
    const required = this.#restrictions.get(api);
    if (required === undefined || headers[required.header.toLowerCase()] === required.value) return;
    const text = `This API is restricted, expecting header '${required.header}' with valid value`;
    throw errorFault(401, text, 'authentication_error', 'invalid_auth');
  }
}

function tellReady(exchange: OpenaiExchange, isReady: Promise<boolean>): void {
  isReady
    .then((isGood) => {
      if (isGood) exchange.empty(200, 'text/plain');
      else exchange.error(400, NOT_READY);
    })
    .catch((thrown: unknown) => exchange.fail(thrown));
}

function answer(exchange: OpenaiExchange, made: Promise<object>): void {
  made.then((body) => exchange.json(JSON.stringify(body))).catch((thrown: unknown) => exchange.fail(thrown));
}

function tooLarge(byteSize: number, limit: number): Error {
  const text = `Request size of ${byteSize} bytes exceeds the maximum allowed input size of ${limit} bytes. Use --http-max-input-size to increase the limit.`;
  return errorFault(413, text, 'invalid_request_error', 'content_too_large');
}

/** Throws INVALID_ARG for an unknown group and for one that is in two options. */
function compile(restricted: readonly OpenaiRestriction[]): ReadonlyMap<OpenaiApi, OpenaiRestriction> {
  const found = new Map<OpenaiApi, OpenaiRestriction>();
  for (const group of restricted) {
    for (const name of group.categories) {
      const api = OPENAI_APIS.find((known) => known === name);
      if (api === undefined) throw openaiErrors.unknownApi({ name });
      if (found.has(api)) throw openaiErrors.repeatedApi({ name });
      found.set(api, group);
    }
  }
  return found;
}
