// What load tests need of the engine, over its repository and catalog: what a model is, loading it with another
// configuration, replacing its file.

import path from 'node:path';

import { modelConfigToText } from '../../../src-shared/config/config-encoder.ts';
import { CONFIG_FILE } from '../../../src-shared/config/config-file.ts';
import { ServerError, toServerError } from '../../../src-shared/errors.ts';
import { writeFileAtomic } from '../../base/atomic-file.ts';
import type { HostedModel, PerfModelHost } from '../../perf/runs/model-host.ts';
import type { ReadBlob } from '../../playground/input-builder.ts';
import type { PlaygroundTarget } from '../../playground/playground-sender.ts';
import type { ModelRepository } from '../../repository/model-repository.ts';
import type { ModelCatalog } from '../catalog/model-catalog.ts';
import { savedDataText } from '../saved/saved-data.ts';
import type { SavedRequests } from '../saved/saved-requests.ts';
import { catalogErrors } from '../catalog/catalog-errors.ts';

/** What the load generator's view of the server is made of. */
export interface PerfHostOptions {
  readonly repository: ModelRepository;
  readonly catalog: ModelCatalog;
  /** Where the server listens now; an endpoint that is off is undefined. */
  readonly target: () => PlaygroundTarget;
  readonly saved: Pick<SavedRequests, 'find'>;
  /** As `PerfModelHost.capturedData`. */
  readonly captured: (model: string) => string;
  /** Files kept with saved requests. */
  readonly readBlob: ReadBlob;
}

/** Rejects with NOT_FOUND for an unknown model, and with the error of the load when a configuration does not load. */
export class CatalogPerfHost implements PerfModelHost {
  readonly #options: PerfHostOptions;

  constructor(options: PerfHostOptions) {
    this.#options = options;
  }

  async describe(model: string): Promise<HostedModel> {
    const { catalog } = this.#options;
    await catalog.refresh(model);
    const view = catalog.view(model);
    const { configText, configHash } = catalog.facts(model);
    return {
      repository: view.repository,
      isReady: view.state === 'ready',
      device: view.device,
      fileText: configText,
      fileHash: configHash,
      effectiveText: modelConfigToText(catalog.config(model)),
      hasOverride: view.hasOverride,
    };
  }

  async loadWithConfig(model: string, configText: string): Promise<void> {
    const { repository, catalog } = this.#options;
    await repository.load(model, { override: { configText } }).catch((thrown: unknown) => {
      throw withReason(thrown);
    });
    catalog.loaded(model, { hasOverride: true });
  }

  async reload(model: string): Promise<void> {
    const { repository, catalog } = this.#options;
    await catalog.refresh(model);
    const { hasOverride } = catalog.view(model);
    await repository.load(model, { isForced: hasOverride });
    catalog.loaded(model, { hasOverride: false });
  }

  async writeConfig(model: string, text: string, expectedHash: string | undefined): Promise<void> {
    const { catalog } = this.#options;
    await catalog.refresh(model);
    const facts = catalog.facts(model);
    if (facts.configHash !== expectedHash) {
      throw catalogErrors.changedOnDisk(
        { file: CONFIG_FILE, model },
        { details: { hash: facts.configHash } },
      );
    }
    await writeFileAtomic(path.join(facts.path, CONFIG_FILE), text);
    await catalog.refresh(model);
  }

  async savedData(model: string, request: string): Promise<string> {
    const { catalog, saved, readBlob } = this.#options;
    const found = await saved.find(catalog.view(model).repository, model, request);
    return savedDataText(found, { isBatched: catalog.config(model).maxBatchSize > 0, readBlob });
  }

  capturedData(model: string): string {
    return this.#options.captured(model);
  }

  addresses(): { readonly http: string | undefined; readonly grpc: string | undefined } {
    const { httpAddress, grpcAddress } = this.#options.target();
    return { http: httpAddress, grpc: grpcAddress };
  }
}

/** The protocol's sentence hides why a configuration was refused; whoever tries configurations needs to know. */
function withReason(thrown: unknown): ServerError {
  const error = toServerError(thrown);
  if (!(error.cause instanceof Error)) return error;
  return new ServerError(error.code, `${error.message}: ${error.cause.message}`, { cause: error.cause });
}
