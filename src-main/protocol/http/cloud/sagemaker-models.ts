// Models of a multi-model endpoint: the platform puts a folder somewhere, has it loaded under a key, and takes it away
// again. Each folder is registered as a repository of its own, served under the name that the platform gives the model.

import path from 'node:path';
import { readdir, stat } from 'node:fs/promises';

import { CONFIG_FILE } from '../../../../src-shared/config/config-file.ts';
import { ServerError } from '../../../../src-shared/errors.ts';
import type { Clock } from '../../../base/clock.ts';
import { getLogger } from '../../../base/log.ts';
import { readTextFile } from '../../../base/regular-file.ts';
import { MAX_CONFIG_BYTES } from '../../../repository/model-folder.ts';
import type { InferenceService } from '../../../service/inference-service.ts';
import { JsonObject } from '../../../tensor/json-document.ts';
import type { Exchange } from '../exchange.ts';
import { withJson } from '../routes/route-handler.ts';
import { cloudErrors } from './cloud-errors.ts';

/** Where the platform puts models, and what stands behind that. */
const MODELS_ROOT = '/opt/ml/models';
const BELOW_ROOT = /^\/[A-Za-z0-9._]+\/model(?:\/[A-Za-z0-9._]+)*\/?$/;
const SYSTEM_FOLDER = /^\/(?:dev|proc|sys)(?:\/|$)/;
/** How long an unload may take, and how often it is looked. */
const UNLOAD_LIMIT_MS = 350_000;
const UNLOAD_CHECK_MS = 50;
const ENSEMBLE = /platform\s*:\s*["']ensemble["']|ensemble_scheduling/;

interface Entry {
  readonly repository: string;
  /** Name of the model. */
  readonly target: string;
}

const log = getLogger('http');

/** What was brought, by key. A load that fails leaves neither an entry nor a repository behind. */
export class SagemakerModels {
  readonly #service: InferenceService;
  readonly #clock: Clock;
  readonly #root: string;
  /** By key, in the order they came. */
  readonly #entries = new Map<string, Entry>();

  /** `root`: where models lie; tests have a place of their own. */
  constructor(service: InferenceService, clock: Clock, root = MODELS_ROOT) {
    this.#service = service;
    this.#clock = clock;
    this.#root = root;
  }

  /** A folder was brought under this key, whether or not its model is ready. */
  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** A line of the verbose log, as the reference has it; nothing else. */
  noteInvoked(target: string): void {
    if (log.isVerbose(1)) log.verbose(1, `Invoking SageMaker TargetModel: ${target}`);
  }

  /** Of a model whose key is not the name of a model in service nothing is told, as in the reference. */
  async list(exchange: Exchange): Promise<void> {
    const models = [];
    for (const [key, entry] of this.#entries) {
      models.push((await this.#service.isModelReady(key, '1')) ? described(key, entry) : {});
    }
    exchange.json(JSON.stringify({ models }));
  }

  /** Answers the exchange: 404 for a key that is not known. */
  describe(exchange: Exchange, key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) exchange.empty(404, 'text/plain');
    else exchange.json(JSON.stringify(described(key, entry)));
  }

  /** Registers the folder that the body names, and loads its model under the key, or under the name in a header. */
  load(exchange: Exchange, target: string | undefined): void {
    withJson(exchange, ['model_name', 'url'], async (json) => {
      const key = json instanceof JsonObject ? json.get('model_name') : undefined;
      const url = json instanceof JsonObject ? json.get('url') : undefined;
      if (typeof key !== 'string' || typeof url !== 'string') throw cloudErrors.loadBody();
      if (SYSTEM_FOLDER.test(url)) {
        exchange.empty(400, 'text/plain');
        return;
      }
      const isBelow = url.startsWith(this.#root) && BELOW_ROOT.test(url.slice(this.#root.length));
      if (!isBelow || url.split('/').includes('..')) throw cloudErrors.modelUrl({ url });
      await this.#load(key, target ?? key, url.replace(/\/$/, ''));
      exchange.empty(200, 'text/plain');
    });
  }

  async #load(key: string, target: string, folder: string): Promise<void> {
    log.info(`Loading SageMaker TargetModel: ${target}`);
    const { repository, model } = await findModel(folder);
    const names = new Map(model === undefined ? [] : [[model, target]]);
    await this.#service.registerRepository(repository, names);
    try {
      await this.#service.loadModel(target, {});
    } catch (thrown) {
      this.#service.unregisterRepository(repository);
      throw thrown;
    }
    this.#entries.set(key, { repository, target });
  }

  /** Takes the model out of service with whatever only it needs, waits for its end, and forgets its folder. */
  async unload(exchange: Exchange, key: string): Promise<void> {
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      exchange.empty(404, 'text/plain');
      return;
    }
    const { repository, target } = entry;
    await this.#service.unloadModel(target, { unloadDependents: true });
    const giveUpAtNs = this.#clock.nowNs() + UNLOAD_LIMIT_MS * 1e6;
    while (!(await this.#isGone(target))) {
      if (this.#clock.nowNs() > giveUpAtNs) throw cloudErrors.notUnloaded({ name: target });
      await this.#clock.wait(UNLOAD_CHECK_MS);
    }
    this.#entries.delete(key);
    try {
      this.#service.unregisterRepository(repository);
    } catch (thrown) {
      // Taken away by somebody else meanwhile.
      if (!(thrown instanceof ServerError)) throw thrown;
    }
    exchange.empty(200, 'text/plain');
  }

  async #isGone(target: string): Promise<boolean> {
    const index = await this.#service.repositoryIndex({ readyOnly: false });
    return index.every(
      ({ name, state }) => name !== target || state === undefined || state === 'UNAVAILABLE',
    );
  }
}

function described(key: string, { repository }: Entry): object {
  return { modelName: key, modelUrl: repository };
}

/** The repository that a folder stands for, and which of its folders is the model; undefined = none is. */
async function findModel(
  folder: string,
): Promise<{ readonly repository: string; readonly model: string | undefined }> {
  if (await isFile(path.join(folder, CONFIG_FILE))) {
    return { repository: path.dirname(folder), model: path.basename(folder) };
  }
  const folders = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const models = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  for (const model of models) {
    if (await isEnsemble(path.join(folder, model))) return { repository: folder, model };
  }
  return { repository: folder, model: models.toSorted().at(-1) };
}

async function isFile(file: string): Promise<boolean> {
  return await stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

async function isEnsemble(folder: string): Promise<boolean> {
  return await readTextFile(path.join(folder, CONFIG_FILE), MAX_CONFIG_BYTES).then(
    (text) => ENSEMBLE.test(text),
    () => false,
  );
}
