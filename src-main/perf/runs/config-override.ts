// Configurations that are loaded for the time of a run. What the model ran with before comes back afterwards: the file,
// or a configuration that the user tried without saving. Files are never touched.

import { toServerError } from '../../../src-shared/errors.ts';
import { getLogger } from '../../base/log.ts';
import type { HostedModel, PerfModelHost } from './model-host.ts';

const log = getLogger('perf');

interface WantedConfig {
  readonly model: string;
  readonly configText: string;
  readonly isOverride: boolean;
}

/** Holds at most one model with another configuration; `drop` gives it back what it had. */
export class ConfigOverride {
  readonly #host: PerfModelHost;
  /** Model that runs with a configuration of ours, and what it had before; undefined = its file. */
  #loaded: { readonly model: string; readonly before: string | undefined } | undefined;

  constructor(host: PerfModelHost) {
    this.#host = host;
  }

  /** Rejects with the load's error; the model then runs as before. */
  async use({ model, configText, isOverride }: WantedConfig): Promise<void> {
    if (!isOverride || this.#loaded?.model !== model) await this.drop();
    if (!isOverride) return;
    if (this.#loaded === undefined) {
      const { hasOverride, effectiveText } = await this.#host.describe(model);
      this.#loaded = { model, before: hasOverride ? effectiveText : undefined };
    }
    await this.#host.loadWithConfig(model, configText);
  }

  /** Never rejects: what cannot be loaded as before is logged. Does nothing when none is held. */
  async drop(): Promise<void> {
    const loaded = this.#loaded;
    if (loaded === undefined) return;
    this.#loaded = undefined;
    const { model, before } = loaded;
    const restored =
      before === undefined ? this.#host.reload(model) : this.#host.loadWithConfig(model, before);
    await restored.catch((thrown: unknown) => {
      log.error(`model '${model}' could not be loaded as before the run: ${toServerError(thrown).message}`);
    });
  }
}

/** What a run without a configuration of its own measures. */
export function servedText({ hasOverride, fileText, effectiveText }: HostedModel): string {
  return hasOverride ? effectiveText : (fileText ?? effectiveText);
}
