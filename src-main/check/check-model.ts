// Reads one model folder the way a load would and gathers everything that is wrong, without loading anything.

import path from 'node:path';

import { artefactNames, findBackend } from '../../src-shared/config/backend-description.ts';
import { completeModelConfig } from '../../src-shared/config/complete-model-config.ts';
import { emptyModelConfig } from '../../src-shared/config/config-defaults.ts';
import { spanOfPath } from '../../src-shared/config/config-path.ts';
import type { ConfigIssue } from '../../src-shared/config/config-issue.ts';
import { firstError } from '../../src-shared/config/config-issue.ts';
import { validateModelConfig, withSpans } from '../../src-shared/config/config-validator.ts';
import type { Finding } from '../../src-shared/contract/finding.ts';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { ModelDescription } from '../../src-shared/config/model-description.ts';
import type { ParsedModelConfig } from '../../src-shared/config/parse-model-config.ts';
import { parseModelConfig } from '../../src-shared/config/parse-model-config.ts';
import { checkInterface } from '../../src-shared/config/rules/interface-rules.ts';
import { toServerError } from '../../src-shared/errors.ts';
import { findArtefact } from '../backends/onnxruntime/artefact.ts';
import { readTextFile } from '../base/regular-file.ts';
import type { BackendRegistry } from '../inference/backend-registry.ts';
import { modelFiles, requireConfinedFiles } from '../inference/model-files.ts';
import { describeOnnx } from '../onnx/describe-onnx.ts';
import { readOnnx } from '../onnx/onnx-reader.ts';
import type { ModelFolder } from '../repository/model-folder.ts';
import { MAX_CONFIG_BYTES, readModelFolder } from '../repository/model-folder.ts';
import type { FolderLocation } from '../repository/repository-scanner.ts';
import { missingFile, missingFileHint } from './missing-file.ts';

/** A model folder as far as it could be read. */
export interface CheckedModel {
  readonly name: string;
  readonly path: string;
  /** Completed as far as it could be. */
  readonly config: ModelConfig;
  /** As the folder has it; empty but for the name where it has none. */
  readonly written: ModelConfig;
  /** Of the configuration in use, absolute; undefined = there is none. */
  readonly configPath: string | undefined;
  readonly versions: readonly number[];
  readonly findings: readonly Finding[];
  /** More findings about the configuration, placed in its text. */
  withIssues(issues: readonly ConfigIssue[]): CheckedModel;
  /** Where the text has the field of that path, or what is around it. */
  placeOf(path: string): Pick<Finding, 'file' | 'line' | 'column'>;
}

/** Against which server a folder is checked. */
export interface CheckOptions {
  readonly modelConfigName: string;
  /** Configurations must be complete by themselves. */
  readonly isStrict: boolean;
  /** The backends of a server. */
  readonly backends: BackendRegistry;
}

function fileFinding(severity: Finding['severity'], file: string, message: string): Finding {
  return { severity, file, line: 0, column: 0, code: undefined, message, hint: '' };
}

function issueFinding(file: string, issue: ConfigIssue): Finding {
  const { severity, code, message, hint, span } = issue;
  return { severity, file, line: span?.line ?? 0, column: span?.column ?? 0, code, message, hint };
}

/** Issues of completion that validation repeats are listed once. */
function distinct(issues: readonly ConfigIssue[]): ConfigIssue[] {
  const seen = new Map(issues.map((issue) => [`${issue.code} ${issue.path} ${issue.message}`, issue]));
  return [...seen.values()];
}

async function readConfig(folder: ModelFolder): Promise<ParsedModelConfig | undefined> {
  if (folder.configPath === undefined) return undefined;
  const text = await readTextFile(folder.configPath, MAX_CONFIG_BYTES);
  return parseModelConfig(text, { fileName: folder.configPath });
}

/** What is left of a model whose folder or configuration cannot be read: the reason. */
function unreadable(folder: CheckedFolder, findings: readonly Finding[], thrown: unknown): CheckedModel {
  const reason = fileFinding('error', folder.configPath ?? folder.path, toServerError(thrown).message);
  const config = emptyModelConfig({ name: folder.name });
  return checkedModel(folder, undefined, config, [...findings, reason]);
}

/**
 * Facts of the newest version's model file. What the backend refuses or ignores is a finding, and so are a name that leads
 * out of the folder and a file that cannot be read.
 */
async function describeNewest(
  folder: ModelFolder,
  config: ModelConfig,
  { backends }: CheckOptions,
  findings: Finding[],
): Promise<ModelDescription | undefined> {
  const version = folder.versions.at(-1);
  const backend = findBackend(backends.descriptions, config.backend);
  if (version === undefined || backend?.needs !== undefined) return undefined;
  const files = modelFiles(folder.name, folder.path, String(version));
  try {
    if (backend !== undefined) {
      const notices = (await backends.choose(config, files)).check?.(config) ?? [];
      const file = folder.configPath ?? folder.path;
      findings.push(...notices.map((notice) => fileFinding('warning', file, notice)));
    }
    await requireConfinedFiles(config, files, backend === undefined ? [] : artefactNames(backend));
  } catch (thrown) {
    findings.push(fileFinding('error', folder.configPath ?? folder.path, toServerError(thrown).message));
    return undefined;
  }
  if (backend?.format !== 'onnx') {
    const missing = backend === undefined ? undefined : await missingFile(config, files, backend);
    if (missing !== undefined) {
      const hint = missingFileHint(files);
      findings.push({ ...fileFinding('error', files.versionDir, missing.message), hint });
    }
    return undefined;
  }
  try {
    return describeOnnx(await readOnnx(await findArtefact(config, files)));
  } catch (thrown) {
    const file = path.join(files.versionDir, config.defaultModelFilename);
    findings.push(fileFinding('error', file, toServerError(thrown).message));
    return undefined;
  }
}

type CheckedFolder = Pick<ModelFolder, 'name' | 'path' | 'versions' | 'configPath'>;

function checkedModel(
  folder: CheckedFolder,
  parsed: ParsedModelConfig | undefined,
  config: ModelConfig,
  findings: readonly Finding[],
): CheckedModel {
  const file = folder.configPath ?? folder.path;
  return {
    name: folder.name,
    path: folder.path,
    versions: folder.versions,
    config,
    written: parsed?.config ?? emptyModelConfig({ name: folder.name }),
    configPath: folder.configPath,
    findings,
    placeOf: (field) => {
      const span = parsed === undefined ? undefined : spanOfPath(parsed.tree.root, field);
      return { file, line: span?.line ?? 0, column: span?.column ?? 0 };
    },
    withIssues: (issues) => {
      const placed = distinct(parsed === undefined ? issues : withSpans(issues, parsed.tree));
      const added = placed.map((issue) => issueFinding(file, issue));
      // What a backend said without a place, and a rule with one, is the same fault.
      const told = new Set(added.map(({ message }) => message));
      const kept = findings.filter(({ code, message }) => code !== undefined || !told.has(message));
      return checkedModel(folder, parsed, config, [...kept, ...added]);
    },
  };
}

/**
 * Completes the configuration as a load would, from the model file where there is one. Does not reject: a folder or a
 * configuration that cannot be read is a finding, so that the other models are checked.
 */
export async function checkModel(location: FolderLocation, options: CheckOptions): Promise<CheckedModel> {
  const { repository, name, path: place } = location;
  try {
    return await checkRead(await readModelFolder(repository, name, place, options), options);
  } catch (thrown) {
    return unreadable({ name, path: place, versions: [], configPath: undefined }, [], thrown);
  }
}

async function checkRead(folder: ModelFolder, options: CheckOptions): Promise<CheckedModel> {
  const findings: Finding[] = [
    ...folder.problems.map((problem) => fileFinding('warning', folder.path, problem)),
    ...folder.ignoredVersions.map(({ warning }) => fileFinding('warning', folder.path, warning)),
  ];
  try {
    return await checkConfig(folder, await readConfig(folder), findings, options);
  } catch (thrown) {
    return unreadable(folder, findings, thrown);
  }
}

async function checkConfig(
  folder: ModelFolder,
  parsed: ParsedModelConfig | undefined,
  findings: Finding[],
  options: CheckOptions,
): Promise<CheckedModel> {
  const { backends } = options;
  const written = parsed?.config ?? emptyModelConfig({ name: folder.name });
  const syntax = parsed?.issues ?? [];
  if (firstError(syntax) !== undefined) {
    return checkedModel(folder, parsed, written, findings).withIssues(syntax);
  }
  const entries = (folder.firstFolder?.entries ?? []).map(({ name, isFolder }) => ({
    name,
    isDirectory: isFolder,
  }));
  const poll = { directoryName: folder.name, entries };
  const backend = completeModelConfig(written, poll).config;
  const description = await describeNewest(folder, backend, options, findings);
  const completed = completeModelConfig(written, {
    ...poll,
    description: options.isStrict ? undefined : description,
    backends: backends.descriptions,
  });
  // A load ends where completion does: what the rules would say of the gaps it leaves is the same fault again.
  if (firstError(completed.issues) !== undefined) {
    return checkedModel(folder, parsed, completed.config, findings).withIssues([
      ...syntax,
      ...completed.issues,
    ]);
  }
  const rules = validateModelConfig(completed.config, {
    stage: 'all',
    isStrict: options.isStrict,
    backends: backends.descriptions,
    directoryName: folder.name,
    availableVersions: folder.versions,
  });
  const againstFile = description === undefined ? [] : checkInterface(completed.config, description);
  return checkedModel(folder, parsed, completed.config, findings).withIssues([
    ...syntax,
    ...completed.issues,
    ...rules,
    ...againstFile,
  ]);
}
