// The model repository extension: index, load, unload.

import type { ModelIndexEntry } from '../../../service/inference-service.ts';
import { requestErrors } from '../../../service/request-errors.ts';
import { JsonObject } from '../../../tensor/json-document.ts';
import type { Exchange } from '../exchange.ts';
import { httpErrors } from '../http-errors.ts';
import { asBoolean, asObject } from '../json-members.ts';
import { OFFLOAD_MIN_BYTES } from '../json-offload.ts';
import { parseLoad } from '../load-parameters.ts';
import { modelMeant } from '../router.ts';
import type { Route } from './route-handler.ts';
import { settle, wholeBody, withJson } from './route-handler.ts';

/** Fields that are empty are left out. */
function indexEntry(entry: ModelIndexEntry): object {
  const { name, version, state, reason } = entry;
  return {
    name,
    ...(version === undefined || version === '' ? undefined : { version }),
    ...(state === undefined ? undefined : { state }),
    ...(reason === undefined || reason === '' ? undefined : { reason }),
  };
}

function index(exchange: Exchange): void {
  withJson(exchange, ['ready'], async (json) => {
    const ready = json instanceof JsonObject ? json.get('ready') : undefined;
    if (ready !== undefined && typeof ready !== 'boolean') {
      throw httpErrors.readyNoFlag();
    }
    const entries = await exchange.context.service.repositoryIndex({ readyOnly: ready === true });
    exchange.json(JSON.stringify(entries.map(indexEntry)));
  });
}

function refuseRepositoryName(exchange: Exchange): void {
  if (exchange.match.repository === '') return;
  throw requestErrors.repositoryName();
}

function load(exchange: Exchange): void {
  refuseRepositoryName(exchange);
  const { context } = exchange;
  exchange.readBody(context.maxInputByteSize, (_, body) => {
    const json = wholeBody(exchange, body);
    const run = async (): Promise<void> => {
      const isLarge = json.length > OFFLOAD_MIN_BYTES;
      const { configJson, files } = isLarge
        ? await context.offload.load(json, exchange.gone)
        : parseLoad(json);
      await context.service.loadModel(await modelToLoad(exchange), {
        ...(configJson === undefined ? undefined : { configJson }),
        ...(files.size === 0 ? undefined : { files }),
      });
      exchange.empty(200, 'application/json');
    };
    settle(exchange, run());
  });
}

/** A model that was never loaded is known by its folder alone. */
async function modelToLoad({ context: { service }, match: { model } }: Exchange): Promise<string> {
  if (!model.includes('%')) return model;
  const names = new Set((await service.repositoryIndex({ readyOnly: false })).map(({ name }) => name));
  return modelMeant(model, (name) => names.has(name));
}

function unload(exchange: Exchange): void {
  refuseRepositoryName(exchange);
  withJson(exchange, ['parameters', 'unload_dependents'], async (json) => {
    const found = json instanceof JsonObject ? json.get('parameters') : undefined;
    const parameters = found === undefined ? undefined : asObject(found, 'parameters');
    const dependents = parameters?.get('unload_dependents');
    const unloadDependents = dependents !== undefined && asBoolean(dependents, 'unload_dependents');
    await exchange.context.service.unloadModel(exchange.match.model, { unloadDependents });
    exchange.empty(200, 'application/json');
  });
}

const category = 'model-repository';
const methods = ['POST'] as const;

/** Loads and unloads are answered when they are done, or have failed. */
export const repositoryRoutes: readonly Route[] = [
  { paths: ['/repository/index', '/repository/{repository}/index'], category, methods, handler: index },
  { paths: controlPaths('load'), category, methods, handler: load },
  { paths: controlPaths('unload'), category, methods, handler: unload },
];

function controlPaths(action: string): readonly string[] {
  return [`/repository/models/{model}/${action}`, `/repository/{repository}/models/{model}/${action}`];
}
