// One model as the latest successful poll read it: where it lies, what it should be, and the times that tell whether
// it changed since. Throws of `pollModel` are poll failures: the model keeps its former state and entry.

import { CONFIG_FILE } from '../../src-shared/config/config-file.ts';
import type { ConfigOrigins } from '../../src-shared/config/config-origins.ts';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { getLogger } from '../base/log.ts';
import { readError } from '../base/read-error.ts';
import { readTextFile } from '../base/regular-file.ts';
import { objectStores } from '../object-stores/shared-stores.ts';
import type { LocalCopy } from '../object-stores/local-copy.ts';
import { isStorePath, joinStorePath } from '../object-stores/store-path.ts';
import { AgentChain } from './agents/agent-chain.ts';
import type { RepositoryAgent } from './agents/repository-agent.ts';
import type { ConfigRules, ExplainedConfig } from './config-rules.ts';
import type { FileOverride } from './file-override.ts';
import { createFileOverride } from './file-override.ts';
import type { ModelFolder } from './model-folder.ts';
import { readModelFolder } from './model-folder.ts';
import { MAX_CONFIG_BYTES } from './model-folder.ts';
import type { ModelId } from './model-identity.ts';
import type { ModificationTimes } from './modification-times.ts';
import { tellCompleted } from './life-records.ts';
import { SourceLease } from './source-lease.ts';
import { loadErrors } from './load-errors.ts';

const log = getLogger('repository');

/** A model as the last poll found it. */
export interface PolledModel {
  readonly id: ModelId;
  /** Repository it was read from; undefined when all of it came with the load call. */
  readonly repository: string | undefined;
  /** Folder the server loads from; agents and file overrides may have moved it. A path in a store is copied for each load. */
  readonly modelDir: string;
  /** Existing version folders, ascending. */
  readonly versions: readonly number[];
  /** Configuration after poll-time completion. */
  readonly config: ModelConfig;
  readonly origins: ConfigOrigins;
  /** False when neither file nor override gave a configuration. */
  readonly hasConfig: boolean;
  /** `file`: from the folder. `config`: text sent with the load. `files`: folder and text sent with the load. */
  readonly source: 'file' | 'config' | 'files';
  /** Why code of the model may not run: it came with the load call, or its repository is not trusted. Undefined = it may. */
  readonly codeRefusal: 'sent' | 'untrusted' | undefined;
  readonly times: ModificationTimes;
  readonly configEntry: string;
  readonly lease: SourceLease;
}

/** What a load call brings in place of what lies in the folder. */
export interface ModelOverride {
  /** JSON form. */
  readonly configJson?: string | undefined;
  /** config.pbtxt form (from the editor). */
  readonly configText?: string | undefined;
  readonly files?: ReadonlyMap<string, Uint8Array> | undefined;
}

/** Settings of the server that reading a model depends on. */
export interface PollContext {
  readonly rules: ConfigRules;
  readonly agents: ReadonlyMap<string, RepositoryAgent>;
  readonly agentDirectory: string;
  readonly modelConfigName: string;
  readonly isStrict: boolean;
  readonly allowCodeOverride: boolean;
  /** False for a repository whose models that are code must not run. */
  readonly isTrusted: (repository: string) => boolean;
  /** Milliseconds since 1970, to compare with times of files. */
  readonly wallMs: () => number;
}

interface Draft {
  readonly folder: ModelFolder;
  readonly read: ExplainedConfig;
  readonly source: PolledModel['source'];
  readonly hasConfig: boolean;
  readonly times: ModificationTimes;
  readonly files: FileOverride | undefined;
}

/** True when a load call brings a configuration or at least one file. */
export function hasOverride(override: ModelOverride | undefined): override is ModelOverride {
  return (
    override !== undefined &&
    (override.configJson !== undefined ||
      override.configText !== undefined ||
      (override.files?.size ?? 0) > 0)
  );
}

/** Reads a model folder of a repository, with or without an overriding configuration. */
export async function pollFolder(
  id: ModelId,
  folder: ModelFolder,
  override: ModelOverride | undefined,
  context: PollContext,
): Promise<PolledModel> {
  const overriding = await overrideConfig(id.name, override, context.rules);
  const read = overriding ?? (await readConfig(folder, context));
  // The override counts as a change of the configuration made now, until a file becomes newer than it.
  const times =
    overriding === undefined
      ? folder.times
      : new Map([...folder.times, [folder.configEntry, Math.max(context.wallMs(), newest(folder))]]);
  return await finish(id, context, {
    folder,
    read: read ?? context.rules.empty(),
    source: overriding === undefined ? 'file' : 'config',
    hasConfig: read !== undefined,
    times,
    files: undefined,
  });
}

/** Builds the private folder of a model sent with the load call; the repository is not looked at. */
export async function pollFiles(
  name: string,
  override: ModelOverride,
  context: PollContext,
): Promise<PolledModel> {
  const read = await overrideConfig(name, override, context.rules);
  if (read === undefined) throw loadErrors.filesWithoutConfig();
  const files = await createFileOverride(override.files ?? new Map<string, Uint8Array>(), {
    allowCode: context.allowCodeOverride,
  });
  try {
    const folder = await readModelFolder(undefined, name, files.location, { modelConfigName: '' });
    // Without times the next plain load always finds the repository's copy newer.
    const draft: Draft = { folder, read, source: 'files', hasConfig: true, times: new Map(), files };
    return await finish({ namespace: '', name }, context, draft);
  } catch (thrown) {
    await files.remove();
    throw thrown;
  }
}

function codeRefusal(
  source: PolledModel['source'],
  { repository }: ModelFolder,
  { allowCodeOverride, isTrusted }: PollContext,
): PolledModel['codeRefusal'] {
  if (source === 'files' || repository === undefined) return allowCodeOverride ? undefined : 'sent';
  return isTrusted(repository) ? undefined : 'untrusted';
}

function newest(folder: ModelFolder): number {
  return Math.max(0, ...folder.times.values());
}

async function overrideConfig(
  name: string,
  override: ModelOverride | undefined,
  rules: ConfigRules,
): Promise<ExplainedConfig | undefined> {
  const sent = (override?.configText ?? override?.configJson ?? '').length;
  if (sent > MAX_CONFIG_BYTES) {
    throw loadErrors.configTooLong({ seen: sent, limit: MAX_CONFIG_BYTES });
  }
  if (override?.configText !== undefined) return rules.parseText(override.configText);
  if (override?.configJson === undefined) return undefined;
  // Nothing is a configuration in the parser's eyes, but no JSON.
  if (override.configJson.trim() === '') throw loadErrors.configOverride({ reason: 'it is empty' });
  try {
    const read = await rules.parseJson(override.configJson);
    logWarnings(`config of the load call for '${name}'`, read);
    return read;
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw loadErrors.configOverride({ reason }, { cause: thrown });
  }
}

async function readConfig(folder: ModelFolder, context: PollContext): Promise<ExplainedConfig | undefined> {
  if (folder.configPath === undefined) {
    if (!context.isStrict) return undefined;
    throw loadErrors.strictWithoutConfig({ file: joinStorePath(folder.path, CONFIG_FILE) });
  }
  let text: string;
  try {
    text = isStorePath(folder.configPath)
      ? await objectStores.readText(folder.configPath, MAX_CONFIG_BYTES)
      : await readTextFile(folder.configPath, MAX_CONFIG_BYTES);
  } catch (thrown) {
    throw readError(folder.configPath, thrown);
  }
  const read = await context.rules.parseText(text);
  logWarnings(folder.configPath, read);
  return read;
}

function logWarnings(source: string, { warnings = [] }: ExplainedConfig): void {
  for (const warning of warnings) log.warn(`${source}: ${warning}`);
}

/** Agents, completion, checks: the same for every source. */
async function finish(id: ModelId, context: PollContext, draft: Draft): Promise<PolledModel> {
  const { folder, source, hasConfig, times, files } = draft;
  const copy = await copyForAgents(draft);
  const agents = agentChain(id, context, draft, copy?.path ?? folder.path);
  try {
    await agents?.load();
  } catch (thrown) {
    await copy?.remove();
    throw thrown;
  }
  const lease = new SourceLease({ agents, files: copy ?? files });
  try {
    const moved =
      agents === undefined || agents.location === folder.path
        ? folder
        : await readModelFolder(folder.repository, id.name, agents.location, {
            ...context,
            isRenamed: folder.isRenamed,
          });
    const entries = moved.firstFolder?.entries ?? [];
    if (!context.isStrict) tellCompleted(draft.read.config, id.name, entries);
    const read = folder.isRenamed ? renamed(draft.read, id.name) : draft.read;
    const { config, origins } = context.rules.completePolled(read, id.name, entries);
    context.rules.checkPolled(config, { isStrict: context.isStrict });
    if (config.name !== id.name) {
      throw loadErrors.otherFolder({ folder: id.name, name: config.name });
    }
    const { path: modelDir, versions } = moved;
    return {
      id,
      repository: folder.repository,
      modelDir,
      versions,
      config,
      origins,
      hasConfig,
      source,
      codeRefusal: codeRefusal(source, folder, context),
      times,
      configEntry: folder.configEntry,
      lease,
    };
  } catch (thrown) {
    await agents?.loadFail();
    await copy?.remove();
    throw thrown;
  }
}

/** Agents work on folders of this machine, and may change what they are given. */
async function copyForAgents({ folder, read }: Draft): Promise<LocalCopy | undefined> {
  const configs = read.config.modelRepositoryAgents?.agents ?? [];
  return configs.length > 0 && isStorePath(folder.path) ? await objectStores.copy(folder.path) : undefined;
}

/** The name that was given wins over whatever the file says. */
function renamed(read: ExplainedConfig, name: string): ExplainedConfig {
  return { ...read, config: { ...read.config, name } };
}

function agentChain(
  id: ModelId,
  context: PollContext,
  draft: Draft,
  location: string,
): AgentChain | undefined {
  const configs = draft.read.config.modelRepositoryAgents?.agents ?? [];
  if (configs.length === 0) return undefined;
  return new AgentChain({
    modelName: id.name,
    location,
    configs,
    agents: context.agents,
    agentDirectory: context.agentDirectory,
  });
}
