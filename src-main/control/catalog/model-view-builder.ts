// One model as the window shows it, from what the repository knows and what lies on disk. Pure.

import path from 'node:path';

import { findBackend, type BackendDescription } from '../../../src-shared/config/backend-description.ts';
import { reloadNeed } from '../../../src-shared/config/config-diff.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { ConfigIssueView } from '../../../src-shared/contract/config-calls.ts';
import type { ModelState, ModelView, VersionView } from '../../../src-shared/contract/model-view.ts';
import { UNLOADED_REASON } from '../../repository/lifecycle-state.ts';
import type { Model } from '../../repository/model.ts';
import type { VersionRecord } from '../../repository/model-lifecycle.ts';
import type { FolderFacts } from './folder-facts.ts';
import { CPU, instancePlacement } from './instance-placement.ts';
import type { Placed } from './instance-placement.ts';
import { modelFailure } from './model-failure.ts';

/** Everything that a row of the list of models is made of. */
export interface ModelViewInput {
  readonly name: string;
  readonly repository: string;
  readonly facts: FolderFacts;
  readonly records: readonly VersionRecord[];
  /** Configuration on disk, completed as far as possible. */
  readonly diskConfig: ModelConfig;
  /** What the backends of the server say of themselves. */
  readonly backends: readonly BackendDescription[];
  readonly issues: readonly ConfigIssueView[];
  /** Text of the override this model runs with, if any. */
  readonly hasOverride: boolean;
  readonly changedOnDisk: boolean;
  readonly isConfigChanged: boolean;
  readonly usedBy: readonly string[];
  readonly duplicateOf: string | undefined;
  readonly isShadowed: boolean;
  readonly isQuarantined: boolean;
  /** Reason for which the repository refused the model as a whole. */
  readonly loadError: string | undefined;
  /** The models among it and its steps whose files are not those that its last load failed with. */
  readonly changedSinceFailure: readonly string[];
  readonly inFlight: number;
  /** Resident memory the load of a serving version took, where it is known. */
  readonly takenBytes: (version: string) => number | undefined;
}

/**
 * `issues` and facts are of the file on disk, state and instances of what is loaded: they differ until the model
 * is loaded again.
 */
export function buildModelView(input: ModelViewInput): ModelView {
  const { name, facts, records, issues } = input;
  const serving = records.filter(({ model }) => model !== undefined);
  const newest = serving.at(-1)?.model;
  const config = newest?.config ?? input.diskConfig;
  const state = stateOf(input, config);
  const reason = reasonOf(input, state);
  const notices = newest?.backendModel?.notices ?? [];
  const backend = findBackend(input.backends, config.backend);
  const placed = instancePlacement(newest?.instances.map(({ spec }) => spec) ?? [], notices);
  return {
    name,
    repository: input.repository,
    path: facts.path,
    kind: kindOf(config, backend, facts),
    backend: config.backend,
    format: config.ensembleScheduling === undefined ? (backend?.format ?? 'binary') : 'none',
    needs: backend?.needs,
    state,
    phase: phaseOf(input, state),
    reason,
    failure: hasFailed(input, state, reason) ? failureOf(input, reason ?? '', backend) : undefined,
    changedSinceFailure: hasFailed(input, state, reason) ? input.changedSinceFailure : [],
    versions: versionViews(input),
    servedVersions: serving.map(({ version }) => String(version)),
    device: newest === undefined ? undefined : deviceOf(placed),
    isDegraded: state === 'ready' && placed.some(({ isFallback }) => isFallback),
    notices,
    // Instances may have moved to the CPU since, in place.
    gpuTrial: placed.some(({ device }) => device !== CPU) ? newest?.backendModel?.gpuTrial : undefined,
    gpuMemory: newest?.gpu.shares ?? [],
    maxBatchSize: config.maxBatchSize,
    batching: batchingText(config),
    instanceCount: newest?.instances.length ?? 0,
    changedOnDisk: input.changedOnDisk,
    isConfigChanged: input.isConfigChanged,
    reloadKind:
      input.changedOnDisk && newest !== undefined ? reloadKind(newest.config, input.diskConfig) : 'none',
    hasOverride: input.hasOverride,
    loadedAtMs: newest?.loadedAtMs ?? 0,
    timings: newest === undefined ? undefined : timingsOf(newest, input),
    memoryBytes: memoryOf(newest),
    isDecoupled: config.modelTransactionPolicy?.decoupled === true,
    isEnsemble: config.ensembleScheduling !== undefined,
    isSequence: config.sequenceBatching !== undefined,
    usedBy: input.usedBy,
    uses: [...new Set((config.ensembleScheduling?.step ?? []).map(({ modelName }) => modelName))],
    issueCounts: {
      error: issues.filter(({ severity }) => severity === 'error').length,
      warning: issues.filter(({ severity }) => severity === 'warning').length,
      info: issues.filter(({ severity }) => severity === 'info').length,
    },
    duplicateOf: input.duplicateOf,
    isShadowed: input.isShadowed,
    isQuarantined: input.isQuarantined,
  };
}

function timingsOf({ timings, version }: Model, input: ModelViewInput): ModelView['timings'] {
  const { totalMs, phases } = timings;
  return { totalMs, phases, memoryDeltaBytes: input.takenBytes(version) };
}

/** A model that serves has failed when its last reload did: what was built before serves on. */
function hasFailed({ facts }: ModelViewInput, state: ModelState, reason: string | undefined): boolean {
  // A folder that cannot be read is told of its repository; what serves needs it for the next load only.
  return state === 'failed' || (state === 'ready' && reason !== undefined && facts.error === undefined);
}

/** The newest version folder without a file in it; undefined = none, or the model needs none. */
function emptyVersionOf({ facts, diskConfig }: ModelViewInput): string | undefined {
  if (diskConfig.ensembleScheduling !== undefined) return undefined;
  return facts.versions.findLast(({ fileCount }) => fileCount === 0)?.version;
}

function failureOf(
  input: ModelViewInput,
  reason: string,
  backend: BackendDescription | undefined,
): ModelView['failure'] {
  const about = {
    emptyVersion: emptyVersionOf(input),
    folder: input.facts.path,
    onnxBeside: onnxBesideOf(input, backend),
  };
  if (!input.changedSinceFailure.includes(input.name)) return modelFailure(reason, input.issues, about);
  // The findings are about the text that lies there now. What they offer still helps, but they do not explain the failure.
  const issues = input.issues.map((issue) => ({ ...issue, hint: '' }));
  return { ...modelFailure(reason, issues, about), code: undefined };
}

/** The ONNX file of the newest version of a model that another backend is to run. */
function onnxBesideOf(
  { facts }: ModelViewInput,
  backend: BackendDescription | undefined,
): string | undefined {
  const newest = facts.versions.at(-1)?.version;
  if (backend?.format !== 'binary' || newest === undefined) return undefined;
  const name = `${newest}/model.onnx`;
  return facts.files.some((file) => file.path === name) ? path.join(facts.path, name) : undefined;
}

function stateOf(input: ModelViewInput, config: ModelConfig): ModelState {
  const { records, loadError, isQuarantined, duplicateOf } = input;
  if (records.some(({ state, phase }) => state === 'LOADING' || phase !== undefined)) return 'loading';
  if (records.some(({ state }) => state === 'READY')) return 'ready';
  if (records.some(({ state }) => state === 'UNLOADING')) return 'unloading';
  const failed = records.some(({ state, reason }) => state === 'UNAVAILABLE' && reason !== UNLOADED_REASON);
  const isFailed = failed || loadError !== undefined || isQuarantined || duplicateOf !== undefined;
  if (!isRunnable(config, input.backends)) return 'not-runnable';
  return isFailed ? 'failed' : 'unloaded';
}

/** Models of unknown backends, and of those that miss something here, are kept and shown as not runnable. */
function isRunnable(config: ModelConfig, backends: readonly BackendDescription[]): boolean {
  if (config.backend === '' || config.ensembleScheduling !== undefined) return true;
  const backend = findBackend(backends, config.backend);
  return backend !== undefined && backend.needs === undefined;
}

/** As the repository index says it. */
const IN_TWO_REPOSITORIES = 'model appears in two or more repositories';

function reasonOf(input: ModelViewInput, state: ModelState): string | undefined {
  const { records, loadError, isQuarantined, facts, duplicateOf } = input;
  if (facts.error !== undefined) return facts.error;
  if (state === 'failed' && duplicateOf !== undefined) return IN_TWO_REPOSITORIES;
  if (state === 'ready')
    return records.find(({ lastError }) => lastError !== undefined)?.lastError?.message ?? loadError;
  const failed = records.findLast(
    ({ state: s, reason }) => s === 'UNAVAILABLE' && reason !== UNLOADED_REASON,
  );
  if (failed !== undefined) return failed.reason || undefined;
  if (loadError !== undefined) return loadError;
  return isQuarantined
    ? 'The server process ended while this model was used. It is not loaded by itself.'
    : undefined;
}

function phaseOf({ records, inFlight }: ModelViewInput, state: ModelState): string | undefined {
  if (state === 'loading') return records.find(({ phase }) => phase !== undefined)?.phase;
  if (state === 'unloading' && inFlight > 0)
    return `${inFlight} ${inFlight === 1 ? 'request' : 'requests'} in flight`;
  return undefined;
}

function versionViews({ facts, records }: ModelViewInput): readonly VersionView[] {
  const known = new Map(records.map((record) => [String(record.version), record]));
  const names = new Set([...facts.versions.map(({ version }) => version), ...known.keys()]);
  return [...names]
    .sort((a, b) => Number(a) - Number(b))
    .map((version) => {
      const files = facts.versions.find((entry) => entry.version === version);
      const record = known.get(version);
      return {
        version,
        state: record?.state ?? (records.length > 0 ? 'NOT_SELECTED' : 'UNKNOWN'),
        reason: record?.reason ?? '',
        byteSize: files?.byteSize ?? 0,
        fileCount: files?.fileCount ?? 0,
        modifiedAtMs: files?.modifiedAtMs ?? 0,
        loadMs: record?.model?.timings.totalMs,
        memoryBytes: memoryOf(record?.model),
        gpuMemory: record?.model?.gpu.shares ?? [],
      };
    });
}

/** Undefined where nothing says what runs the model: neither its configuration nor a file. */
function kindOf(
  config: ModelConfig,
  backend: BackendDescription | undefined,
  { files }: FolderFacts,
): string | undefined {
  if (config.ensembleScheduling !== undefined) return 'ensemble';
  if (config.sequenceBatching !== undefined) return 'sequence';
  if (backend?.format === 'onnx') return 'onnx';
  if (config.backend !== '') return config.backend;
  return files.some((file) => file.path.endsWith('.onnx')) ? 'onnx' : undefined;
}

/** Undefined where nothing is placed: an ensemble runs nowhere itself. */
function deviceOf(placed: readonly Placed[]): string | undefined {
  if (placed.length === 0) return undefined;
  return [...new Set(placed.map(({ device }) => device))].join(', ');
}

function batchingText(config: ModelConfig): string {
  const { maxBatchSize, dynamicBatching, sequenceBatching } = config;
  if (sequenceBatching !== undefined)
    return `sequence, ${sequenceBatching.oldest === undefined ? 'direct' : 'oldest'}`;
  if (maxBatchSize <= 0) return 'none';
  if (dynamicBatching === undefined) return `max ${maxBatchSize}, not combined`;
  const delay = Number(dynamicBatching.maxQueueDelayMicroseconds);
  return delay === 0 ? `max ${maxBatchSize}` : `max ${maxBatchSize}, delay ${delay} µs`;
}

function reloadKind(running: ModelConfig, onDisk: ModelConfig): ModelView['reloadKind'] {
  const need = reloadNeed(running, onDisk);
  return need === 'in-place' ? 'instances' : 'full';
}

function memoryOf(model: Model | undefined): number | undefined {
  const known = (model?.instances ?? [])
    .map(({ memoryByteSize }) => memoryByteSize)
    .filter((size) => size !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, size) => total + size, 0);
}
