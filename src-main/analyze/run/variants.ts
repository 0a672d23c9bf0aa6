// How a server comes to serve a variant of a model: from a folder of its own, by a load with another configuration, or not
// at all, because models are measured as they are served.

import { modelConfigToJson } from '../../../src-shared/config/config-json.ts';
import { isEnsemble } from '../../../src-shared/config/model-config.ts';
import type { AnalyzerServer } from './analyzer-server.ts';
import type { VariantRepository } from './variant-repository.ts';
import { configTextIn, readConfig } from './variant-repository.ts';

/** A model with a configuration of its own. */
export interface Variant {
  readonly model: string;
  /** "<model>_config_<n>" */
  readonly name: string;
  /** Its configuration; undefined = none is given, the server completes it. */
  readonly text: string | undefined;
}

/** One variant of one model is served at a time. */
export interface Variants {
  /** Models are measured as they are served: there is nothing to vary. */
  readonly isFixed: boolean;
  /** The configuration that a model has; undefined = there is no file. */
  configText(model: string): Promise<string | undefined>;
  /** Resolves with the name that it is served under. Rejects with the server's words. */
  load(variant: Variant): Promise<string>;
  /** Resolves when the variant is out of service, so that the next one has the machine to itself. */
  unload(variant: Variant): Promise<void>;
  /** Called once behind the last variant of a model. */
  restore(model: string): Promise<void>;
}

/** Each variant is a model of its own in the repository of a server that nobody else uses. */
export function folderVariants(repository: VariantRepository, server: AnalyzerServer): Variants {
  return {
    isFixed: false,
    configText: (model) => repository.configText(model),
    load: async ({ model, name, text }) => {
      if (text !== undefined) for (const step of stepsOf(model, text)) await repository.lend(step);
      await repository.write(model, name, text);
      await server.load(name);
      return name;
    },
    unload: ({ name }) => server.unload(name),
    restore: () => Promise.resolve(),
  };
}

/**
 * Each variant is loaded in place of its model, with its configuration in the request, as the reference does it: the files are those
 * that the server has. `source`: the repository on this machine. At the end the model is as it was: with its own configuration, or not loaded.
 */
export function remoteVariants(source: string, server: AnalyzerServer): Variants {
  const wasReady = new Map<string, boolean>();
  return {
    isFixed: false,
    // The server may have models that this machine has not.
    configText: (model) => configTextIn(source, model).catch(() => undefined),
    load: async ({ model, text }) => {
      if (!wasReady.has(model)) wasReady.set(model, await server.isReady(model));
      await server.load(model, text === undefined ? undefined : modelConfigToJson(readConfig(model, text)));
      return model;
    },
    // The next one takes its place.
    unload: () => Promise.resolve(),
    restore: async (model) => {
      const before = wasReady.get(model);
      if (before === undefined) return;
      await (before ? server.load(model) : server.unload(model));
    },
  };
}

/** Nothing is loaded. */
export function servedVariants(): Variants {
  return {
    isFixed: true,
    configText: () => Promise.resolve(undefined),
    load: ({ model }) => Promise.resolve(model),
    unload: () => Promise.resolve(),
    restore: () => Promise.resolve(),
  };
}

function stepsOf(model: string, text: string): readonly string[] {
  const config = readConfig(model, text);
  if (!isEnsemble(config)) return [];
  return [...new Set(config.ensembleScheduling?.step.map(({ modelName }) => modelName) ?? [])];
}
