// The models of the OpenAI-compatible endpoint: every one that is ready, with the second in which it was first seen so.

import { ServerError, toServerError } from '../../../src-shared/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { InferenceService } from '../../service/inference-service.ts';
import type { Adapters } from './adapters.ts';
import { detailFault } from './openai-fault.ts';

const OWNER = 'Triton Inference Server';

/** Throws faults in the words of the endpoint. */
export class ServedModels {
  readonly #service: InferenceService;
  readonly #clock: Clock;
  readonly #canControl: boolean;
  readonly #adapters: Adapters;
  /** Seconds since 1970, by name. */
  #seen: ReadonlyMap<string, number> = new Map();

  /** `canControl`: models may be loaded and unloaded by calls. */
  constructor(service: InferenceService, clock: Clock, canControl: boolean, adapters: Adapters) {
    this.#service = service;
    this.#clock = clock;
    this.#canControl = canControl;
    this.#adapters = adapters;
  }

  /** Ready models and their adapters, as the body of the answer. */
  async list(): Promise<object> {
    const seen = await this.#look();
    const data: object[] = [];
    for (const [name, created] of seen) {
      for (const listed of await this.#adapters.listed(name)) data.push(modelObject(listed, created));
    }
    return { object: 'list', data };
  }

  /** One entry of `list`. Throws 404 for a name that is not in it. */
  async describe(asked: string): Promise<object> {
    const { name } = this.#adapters.split(asked);
    const created = (await this.#look()).get(name);
    const isListed = created !== undefined && (await this.#adapters.listed(name)).includes(asked);
    if (!isListed) throw detailFault(404, `Unknown model: ${asked}`);
    return modelObject(asked, created);
  }

  /**
   * Resolves with the entry of the model. Throws where calls may not load, 400 when it is loaded already or cannot be.
   */
  async load(name: string): Promise<object> {
    this.#checkControl();
    if ((await this.#look()).has(name)) throw detailFault(400, `Model '${name}' is already loaded`);
    try {
      await this.#service.loadModel(name, {});
    } catch (thrown) {
      throw failed(`Failed to load model '${name}'`, thrown);
    }
    return await this.describe(name);
  }

  /**
   * Resolves when no version of the model is left. Throws where calls may not unload, 400 for a model that is not
   * ready.
   */
  async unload(name: string): Promise<object> {
    this.#checkControl();
    if (!(await this.#look()).has(name)) throw detailFault(400, `Unknown model: ${name}`);
    try {
      await this.#service.unloadModel(name, { unloadDependents: false });
      while (await this.#isLeaving(name)) await this.#clock.wait(UNLOAD_CHECK_MS);
    } catch (thrown) {
      throw failed(`Failed to unload model '${name}'`, thrown);
    }
    return { status: 'success', model: name };
  }

  #checkControl(): void {
    if (!this.#canControl) throw detailFault(400, 'Model load/unload requires --model-control-mode=explicit');
  }

  async #look(): Promise<ReadonlyMap<string, number>> {
    const ready = await this.#service.repositoryIndex({ readyOnly: true });
    const nowSec = Math.floor(this.#clock.wallMs() / 1000);
    this.#seen = new Map(ready.map(({ name }) => [name, this.#seen.get(name) ?? nowSec]));
    return this.#seen;
  }

  async #isLeaving(name: string): Promise<boolean> {
    const index = await this.#service.repositoryIndex({ readyOnly: false });
    return index.some((entry) => entry.name === name && entry.state === 'UNLOADING');
  }
}

const UNLOAD_CHECK_MS = 20;

function modelObject(id: string, created: number): object {
  return { id, created, object: 'model', owned_by: OWNER };
}

function failed(what: string, thrown: unknown): Error {
  const { code, message } = toServerError(thrown);
  const isCallers = thrown instanceof ServerError && code === 'INVALID_ARG';
  return detailFault(isCallers ? 400 : 500, `${what}: ${message}`);
}
