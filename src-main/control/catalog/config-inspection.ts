// Checks one model's configuration text with everything the engine knows: the model files, the other models, the
// machine. The same rules as a load, without loading anything.

import type { BackendDescription } from '../../../src-shared/config/backend-description.ts';
import type { CheckedConfig } from '../../../src-shared/config/check-config.ts';
import { checkConfigText } from '../../../src-shared/config/check-config.ts';
import type { ModelLookup } from '../../../src-shared/config/composing-model.ts';
import { modelConfigToLines } from '../../../src-shared/config/config-encoder.ts';
import { firstError, type ConfigIssue } from '../../../src-shared/config/config-issue.ts';
import { modelConfigToJson } from '../../../src-shared/config/config-json.ts';
import type { ConfigOrigins } from '../../../src-shared/config/config-origins.ts';
import { originOf } from '../../../src-shared/config/config-origins.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { ModelDescription } from '../../../src-shared/config/model-description.ts';
import { inventoryOf } from '../../../src-shared/config/usable-gpus.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import type { ConfigIssueView, EffectiveConfig } from '../../../src-shared/contract/config-calls.ts';
import { findArtefact } from '../../backends/onnxruntime/artefact.ts';
import { modelFiles } from '../../inference/model-files.ts';
import { describeOnnx } from '../../onnx/describe-onnx.ts';
import { readOnnx } from '../../onnx/onnx-reader.ts';
import type { FolderFacts } from './folder-facts.ts';

/** The machine and the server that configurations are checked for. */
export interface InspectionMachine {
  readonly gpuIds: readonly number[];
  /** Of the GPUs that models in processes of their own can use; absent: the same. */
  readonly gpuIdsOfProcesses?: readonly number[];
  readonly gpuPolicy: 'fallback' | 'strict';
  readonly isStrict: boolean;
  /** What the backends of the server say of themselves; read at each use, as their needs change. */
  readonly backends: readonly BackendDescription[];
}

/** What the model files of the versions say; without those that are missing or cannot be read. */
export async function describeVersions(
  facts: FolderFacts,
  config: Pick<ModelConfig, 'name' | 'defaultModelFilename'>,
): Promise<readonly { readonly version: string; readonly description: ModelDescription }[]> {
  const found = await Promise.all(
    facts.versions.map(async ({ version }) => {
      try {
        const model = await readOnnx(
          await findArtefact(config, modelFiles(config.name, facts.path, version)),
        );
        return [{ version, description: describeOnnx(model) }];
      } catch {
        return [];
      }
    }),
  );
  return found.flat();
}

/** The text that is checked, and the folder that it is for. */
export interface InspectionInput {
  readonly name: string;
  readonly text: string;
  /** Whose model file completes the text; undefined = the newest. */
  readonly version?: string | undefined;
  readonly facts: FolderFacts;
  readonly machine: InspectionMachine;
  readonly lookup: ModelLookup;
}

/** Never throws. */
export async function inspectConfig({
  name,
  text,
  version,
  facts,
  machine,
  lookup,
}: InspectionInput): Promise<CheckedConfig> {
  const { config } = parseModelConfig(text);
  const descriptions = await describeVersions(facts, config);
  const described = descriptions.find((candidate) => candidate.version === version) ?? descriptions.at(-1);
  return checkConfigText(text, {
    directoryName: name,
    entries: facts.inspectedEntries,
    description: described?.description,
    availableVersions: facts.versions.map(({ version }) => Number(version)),
    gpuInventory: inventoryOf(machine.gpuIds, machine.gpuIdsOfProcesses),
    gpuPolicy: machine.gpuPolicy,
    isStrict: machine.isStrict,
    backends: machine.backends,
    files: facts.files.map((file) => file.path),
    lookup,
  });
}

/** What the window is told of a folder's text: nothing of a folder that cannot be read, nor hints about a text that is not there. */
export function findingsOf(facts: FolderFacts, issues: readonly ConfigIssue[]): readonly ConfigIssueView[] {
  if (facts.error !== undefined) return [];
  return facts.configText === undefined && firstError(issues) === undefined ? [] : issues.map(issueView);
}

/** A finding as the page gets it, with its repairs. */
export function issueView(issue: ConfigIssue): ConfigIssueView {
  const { code, severity, message, hint, path: field, span, fixes } = issue;
  return {
    code,
    severity,
    message,
    hint,
    path: field,
    startOffset: span?.startOffset ?? 0,
    endOffset: span?.endOffset ?? 0,
    line: span?.line ?? 0,
    column: span?.column ?? 0,
    fixes,
  };
}

/** The configuration that is or would be served, line by line, and where each value comes from. */
export function effectiveConfig(
  config: ModelConfig,
  origins: ConfigOrigins,
  error?: string,
): EffectiveConfig {
  const lines = modelConfigToLines(config);
  return {
    text: lines.map(({ text }) => text).join('\n'),
    origins: lines.map(({ path: field }) => originOf(origins, field)),
    json: modelConfigToJson(config),
    error,
  };
}
