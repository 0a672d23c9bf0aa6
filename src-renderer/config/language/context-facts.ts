// From what the engine told about a model to what the configuration rules ask: folder listing, model file, other
// models, machine. Other models are parsed once per context. Pure.

import type { CheckFacts } from '../../../src-shared/config/check-config.ts';
import type { ComposingModel } from '../../../src-shared/config/composing-model.ts';
import type { EditorFacts, EditorModel } from '../../../src-shared/config/editor-facts.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { ModelDescription } from '../../../src-shared/config/model-description.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import { inventoryOf } from '../../../src-shared/config/usable-gpus.ts';
import type { LanguageContext } from './language-protocol.ts';

/** Of one document: what the rules ask, and what completions offer. */
export interface ContextFacts {
  readonly check: CheckFacts;
  readonly editor: EditorFacts;
}

/** Facts for a text of which nothing but the folder's name is known. */
export function bareFacts(directoryName: string): ContextFacts {
  return { check: { directoryName }, editor: {} };
}

/** Parses another model only when a rule asks for it. */
export function contextFacts(context: LanguageContext): ContextFacts {
  const configs = new Map<string, ModelConfig>();
  const texts = new Map(context.models.map(({ name, configText }) => [name, configText]));
  const configOf = (name: string): ModelConfig | undefined => {
    const text = texts.get(name);
    if (text === undefined) return undefined;
    const known = configs.get(name) ?? parseModelConfig(text).config;
    configs.set(name, known);
    return known;
  };
  const description = newestDescription(context);
  let models: readonly EditorModel[] | undefined;
  return {
    check: {
      directoryName: context.modelName,
      entries: context.inspectedEntries,
      description,
      availableVersions: context.versions.map(Number),
      gpuInventory: inventoryOf(context.gpuIds, context.gpuIdsOfProcesses),
      gpuPolicy: context.gpuPolicy,
      isStrict: !context.isAutoCompleteEnabled,
      defaultMaxBatchSize: context.defaultMaxBatchSize,
      physicalCores: context.physicalCores,
      backends: context.backends,
      files: context.files,
      modelNames: context.models.map(({ name }) => name),
      lookup: (name) => composingModel(context, name, configOf(name)),
    },
    editor: {
      backends: context.backends,
      description,
      get models() {
        models ??= context.models.map(({ name }) => editorModel(name, configOf(name)));
        return models;
      },
    },
  };
}

function newestDescription({ descriptions }: LanguageContext): ModelDescription | undefined {
  return descriptions.toSorted((a, b) => Number(a.version) - Number(b.version)).at(-1)?.description;
}

/** A model that is merely not loaded is loaded together with the ensemble, so it counts as ready. */
function composingModel(
  context: LanguageContext,
  name: string,
  config: ModelConfig | undefined,
): ComposingModel | undefined {
  if (config === undefined) return undefined;
  const known = context.readiness[name];
  if (known === undefined) return { config, readyVersions: [1] };
  const { readyVersions, loadError } = known;
  return loadError === undefined ? { config, readyVersions } : { config, readyVersions, loadError };
}

function editorModel(name: string, config: ModelConfig | undefined): EditorModel {
  return {
    name,
    inputs: (config?.input ?? []).map((input) => input.name),
    outputs: (config?.output ?? []).map((output) => output.name),
  };
}
