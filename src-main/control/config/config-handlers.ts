// Answers the calls about config.pbtxt and .onnx files: read, check, write, effective configuration, profiles.

import { readdir } from 'node:fs/promises';
import path from 'node:path';

import { makeFolder } from '../../base/make-folder.ts';
import {
  CONFIG_FILE,
  configFileOf,
  profileOf,
  PROFILE_FOLDER,
} from '../../../src-shared/config/config-file.ts';
import { MAX_EDITED_BYTES } from '../../../src-shared/contract/config-calls.ts';
import { localFolder } from '../files/local-folder.ts';
import { firstError } from '../../../src-shared/config/config-issue.ts';
import { reloadNeed, diffModelConfigs } from '../../../src-shared/config/config-diff.ts';
import { modelConfigToText } from '../../../src-shared/config/config-encoder.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import type { ConfigContext, ConfigFile, configCalls } from '../../../src-shared/contract/config-calls.ts';
import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import { writeFileAtomic } from '../../base/atomic-file.ts';
import type { Model } from '../../repository/model.ts';
import { batchProbe } from '../probe/batch-probe.ts';
import type { InspectionMachine } from '../catalog/config-inspection.ts';
import { describeVersions, effectiveConfig, inspectConfig, issueView } from '../catalog/config-inspection.ts';
import { emptyFolderFacts, readConfigContent } from '../catalog/folder-facts.ts';
import { readGitHead } from '../files/git-head.ts';
import type { ModelCatalog } from '../catalog/model-catalog.ts';
import { inspectOnnxFile } from './onnx-views.ts';
import type { PathGuard } from '../files/path-guard.ts';
import { catalogErrors } from '../catalog/catalog-errors.ts';
import { configErrors } from './config-errors.ts';

/** What the calls about configurations work with. */
export interface ConfigDependencies {
  readonly catalog: ModelCatalog;
  readonly machine: InspectionMachine;
  readonly physicalCores: number;
  readonly defaultMaxBatchSize: number;
  /** Profile that the server was started with. */
  readonly activeProfile: string | undefined;
  /** Newest serving version, if any. */
  readonly serving: (name: string) => Model | undefined;
  readonly guard: PathGuard;
}

const PROFILE_NAME = /^[\w.-]{1,100}$/;

/**
 * Text that does not parse is an answer with issues, not an error. Writing fails when the file has changed since
 * `expectedHash`.
 */
export function configHandlers(deps: ConfigDependencies): HandlersFor<typeof configCalls> {
  const { catalog } = deps;
  const check = (model: string, text: string, version?: string) =>
    inspectConfig({
      version,
      name: model,
      text,
      facts: catalog.facts(model),
      machine: deps.machine,
      lookup: catalog.lookup,
    });
  return {
    'config/read': async ({ model }) => {
      await catalog.refresh(model);
      return readConfig(deps, model);
    },
    'config/write': ({ model, text, expectedHash }) => writeConfig(deps, model, text, expectedHash),
    'config/effective': async ({ model, text, version }) => {
      const running = deps.serving(model);
      if (text === undefined && running !== undefined) {
        return effectiveConfig(running.config, running.origins);
      }
      const { configText = '', configRefusal } = catalog.facts(model);
      const { config, origins, issues } = await check(model, text ?? configText, version);
      const refused =
        text === undefined && configRefusal !== undefined ? refusedText(configRefusal) : undefined;
      const error = refused ?? firstError(issues)?.message;
      return effectiveConfig(config, origins, error);
    },
    'config/context': ({ model }) => configContext(deps, model),
    'config/validate': async ({ model, text }) => (await check(model, text)).issues.map(issueView),
    'config/previewReload': async ({ model, text }) => {
      const running = deps.serving(model);
      if (running === undefined) {
        const sentence = 'The model is not loaded; it will be loaded with this text.';
        return { kind: 'full' as const, sentence, changedPaths: [] };
      }
      const { config } = await check(model, text);
      const changedPaths = diffModelConfigs(running.config, config).map((change) => change.path);
      return previewOf(reloadNeed(running.config, config), changedPaths, {
        counts: [instanceCount(running.config), instanceCount(config)],
        lastLoadMs: running.timings.totalMs,
      });
    },
    ...textHandlers(deps),
    ...scratchHandlers(deps),
    'config/inspectOnnx': ({ path: file }) =>
      inspectOnnxFile(deps.guard.check(file), deps.defaultMaxBatchSize),
    'config/batchProbe': ({ path: file }, { signal }) => batchProbe(deps.guard.check(file), signal),
  };
}

type TextCalls =
  | 'config/profiles'
  | 'config/readProfile'
  | 'config/writeProfile'
  | 'config/lastLoaded'
  | 'config/gitHead';

/** Other texts of a model than the one in config.pbtxt. */
function textHandlers(deps: ConfigDependencies): Pick<HandlersFor<typeof configCalls>, TextCalls> {
  const { catalog } = deps;
  return {
    'config/profiles': async ({ model }) => ({
      profiles: await listProfiles(catalog.facts(model).path),
      active: deps.activeProfile,
    }),
    'config/readProfile': ({ model, profile }) => readProfile(deps, model, profile),
    'config/writeProfile': async ({ model, profile, text }) => {
      const file = profileFile(localFolder(catalog.location(model)), profile);
      await makeFolder(path.dirname(file));
      await writeFileAtomic(file, text);
    },
    'config/lastLoaded': ({ model }) => ({ text: catalog.loadedText(model) }),
    'config/gitHead': ({ model, profile }, { signal }) => {
      const { path: folder } = catalog.facts(model);
      const file = profile === undefined ? path.join(folder, CONFIG_FILE) : profileFile(folder, profile);
      return readGitHead(file, signal);
    },
  };
}

/** Texts of no model. Without a folder nothing is said about files, only about the text itself. */
function scratchHandlers(
  deps: ConfigDependencies,
): Pick<HandlersFor<typeof configCalls>, 'config/readScratch' | 'config/checkScratch'> {
  return {
    'config/readScratch': async ({ path: location }) => {
      const file = deps.guard.check(location);
      const { text, refusal } = await readConfigContent(file);
      if (refusal !== undefined) throw configErrors.notOpened({ file, reason: REFUSALS[refusal] });
      return { text: text ?? '' };
    },
    'config/checkScratch': async ({ name, text }) => {
      const facts = emptyFolderFacts('');
      const { machine, catalog } = deps;
      const { issues } = await inspectConfig({ name, text, facts, machine, lookup: catalog.lookup });
      return issues.filter(({ code }) => code !== 'D45' && code !== 'D05').map(issueView);
    },
  };
}

function readConfig({ catalog }: ConfigDependencies, model: string): ConfigFile {
  const { configText, configHash, configRefusal, path: folder, readOnlyReason } = catalog.facts(model);
  const file = path.join(folder, CONFIG_FILE);
  return {
    exists: configHash !== undefined,
    text: configText ?? '',
    hash: configHash,
    path: file,
    readOnlyReason,
    refusal: configRefusal,
  };
}

const REFUSALS = {
  large: `it is larger than ${MAX_EDITED_BYTES} bytes`,
  binary: 'it is no UTF-8 text',
} as const;

function refusedText(refusal: keyof typeof REFUSALS): string {
  return `config.pbtxt is not opened here: ${REFUSALS[refusal]}; shown is what completes without it`;
}

/** Before anything is written over config.pbtxt. */
function assertEditable({ refusal }: ConfigFile, model: string): void {
  if (refusal === undefined) return;
  throw configErrors.notChanged({ model, reason: REFUSALS[refusal] });
}

async function writeConfig(
  deps: ConfigDependencies,
  model: string,
  text: string,
  expectedHash: string | undefined,
): Promise<ConfigFile> {
  const { catalog } = deps;
  if (Buffer.byteLength(text) > MAX_EDITED_BYTES) {
    throw catalogErrors.tooLarge({ file: CONFIG_FILE, model, limit: MAX_EDITED_BYTES });
  }
  await catalog.refresh(model);
  const before = readConfig(deps, model);
  assertEditable(before, model);
  if (before.hash !== expectedHash) {
    throw catalogErrors.changedOnDisk({ file: CONFIG_FILE, model }, { details: { hash: before.hash } });
  }
  await writeFileAtomic(before.path, text);
  await catalog.refresh(model);
  return readConfig(deps, model);
}

async function configContext(deps: ConfigDependencies, model: string): Promise<ConfigContext> {
  const { catalog, machine } = deps;
  const facts = catalog.facts(model);
  const { config } = parseModelConfig(facts.configText ?? '');
  return {
    modelName: model,
    versions: facts.versions.map(({ version }) => version),
    descriptions: await describeVersions(facts, config),
    gpuIds: machine.gpuIds,
    gpuIdsOfProcesses: machine.gpuIdsOfProcesses ?? machine.gpuIds,
    backends: machine.backends,
    physicalCores: deps.physicalCores,
    isAutoCompleteEnabled: !machine.isStrict,
    defaultMaxBatchSize: deps.defaultMaxBatchSize,
    models: catalog
      .names()
      .filter((name) => name !== model)
      .map((name) => ({ name, configText: modelConfigToText(catalog.config(name)) })),
    files: facts.files.map(({ path: file }) => file),
    inspectedEntries: facts.inspectedEntries,
  };
}

/** Of all groups; a group without a count has one instance. */
function instanceCount({ instanceGroup }: ModelConfig): number {
  return instanceGroup.reduce((total, { count }) => total + Math.max(1, count), 0);
}

function previewOf(
  need: 'none' | 'in-place' | 'rebuild',
  changedPaths: readonly string[],
  { counts, lastLoadMs }: { readonly counts: readonly [number, number]; readonly lastLoadMs: number },
) {
  if (need === 'none')
    return { kind: 'none' as const, sentence: 'Nothing that the server uses would change.', changedPaths };
  if (need === 'in-place') {
    const [from, to] = counts;
    const change = from === to ? 'Instances change' : `Instances change from ${from} to ${to}`;
    const sentence = `${change}: updated in place, without interruption.`;
    return { kind: 'instances' as const, sentence, changedPaths };
  }
  const seconds = lastLoadMs < 100 ? 'less than 0.1 s' : `about ${(lastLoadMs / 1000).toFixed(1)} s`;
  const sentence = `Full reload, ${seconds}; the running version serves until the new one is ready.`;
  return { kind: 'full' as const, sentence, changedPaths };
}

async function listProfiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(path.join(folder, PROFILE_FOLDER)).catch(() => []);
  return names.map(profileOf).filter((profile) => profile !== undefined);
}

async function readProfile(
  { catalog }: ConfigDependencies,
  model: string,
  profile: string,
): Promise<{ readonly text: string }> {
  const file = profileFile(localFolder(catalog.location(model)), profile);
  const content = await readConfigContent(file).catch(() => {
    throw configErrors.noProfile({ model, profile });
  });
  if (content.refusal === undefined) return { text: content.text ?? '' };
  throw configErrors.notOpened({ file, reason: REFUSALS[content.refusal] });
}

function profileFile(folder: string, profile: string): string {
  if (!PROFILE_NAME.test(profile) || profile.startsWith('.')) {
    throw configErrors.profileName({ profile });
  }
  return path.join(folder, configFileOf(profile));
}
