// The endpoints for managed clouds that are switched on, as one thing to open and to close.

import type { HttpServerOptions } from '../http-options.ts';
import type { HttpServerDependencies } from '../http-server.ts';
import { CloudServer } from './cloud-server.ts';
import type { CloudFrontend } from './cloud-frontend.ts';
import type { SagemakerSettings } from './sagemaker-frontend.ts';
import { SagemakerFrontend } from './sagemaker-frontend.ts';
import { SagemakerModels } from './sagemaker-models.ts';
import type { VertexAiSettings } from './vertex-ai-frontend.ts';
import { VertexAiFrontend } from './vertex-ai-frontend.ts';

interface Endpoint {
  readonly enabled: boolean;
  readonly port: number;
}

/** Which endpoints of clouds are open, and how. */
export interface CloudOptions {
  /** Address, limits and restrictions are those of the HTTP port. */
  readonly http: Omit<HttpServerOptions, 'wireThreads'>;
  readonly sagemaker: Endpoint & SagemakerSettings;
  readonly vertexAi: Endpoint & VertexAiSettings;
}

/** What these endpoints serve. They close none of it. */
export interface CloudDependencies extends HttpServerDependencies {
  /** The exposition; undefined = no metrics. */
  readonly metricsText: (() => Promise<string>) | undefined;
  /** Where SageMaker puts models; default: its own place. */
  readonly sagemakerRoot?: string | undefined;
}

/** Opens a port under the name of its service, and words what hinders it. */
export type OpenPort = (
  service: string,
  where: { readonly address: string; readonly port: number },
  open: () => Promise<number>,
) => Promise<number>;

/** Models that SageMaker brought stay known while the endpoint is closed. */
export class CloudEndpoints {
  readonly #options: CloudOptions;
  readonly #dependencies: CloudDependencies;
  readonly #frontends: readonly { readonly port: number; readonly frontend: CloudFrontend }[];
  readonly #servers = new Map<CloudFrontend['service'], CloudServer>();

  constructor(options: CloudOptions, dependencies: CloudDependencies) {
    const { sagemaker, vertexAi } = options;
    const { service, clock, metricsText, sagemakerRoot } = dependencies;
    this.#options = options;
    this.#dependencies = dependencies;
    const models = new SagemakerModels(service, clock, sagemakerRoot);
    this.#frontends = [
      { ...sagemaker, frontend: new SagemakerFrontend(sagemaker, models) },
      { ...vertexAi, frontend: new VertexAiFrontend(vertexAi, { service, metricsText }) },
    ].filter(({ enabled }) => enabled);
  }

  /** Ports that are open, by the service's name. */
  get ports(): ReadonlyMap<CloudFrontend['service'], number> {
    return new Map([...this.#servers].map(([service, server]) => [service, server.port]));
  }

  /** Throws what keeps one of them from starting. */
  async open(openPort: OpenPort): Promise<void> {
    for (const { port, frontend } of this.#frontends) {
      const options = { ...this.#options.http, port };
      const server = new CloudServer(options, frontend, this.#dependencies);
      this.#servers.set(frontend.service, server);
      await openPort(frontend.service, options, () => server.listen());
    }
  }

  /** Idempotent; what is still open when the signal aborts is cut off. */
  async close(signal: AbortSignal): Promise<void> {
    const open = [...this.#servers.values()];
    this.#servers.clear();
    await Promise.all(open.map((server) => server.close(signal)));
  }
}
