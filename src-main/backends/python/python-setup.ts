// What a Python host is told about a model: its files, its configuration, and the arguments of its initialize().

import path from 'node:path';
import { modelConfigToJson } from '../../../src-shared/config/config-json.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { getLogger } from '../../base/log.ts';
import type { InstanceSpec } from '../../inference/backend.ts';
import { isForGpu } from '../../inference/gpu-instances.ts';
import type { ModelFiles } from '../../inference/model-files.ts';
import { artefactPath } from '../../inference/model-files.ts';
import { isThere } from '../../base/file-exists.ts';
import { pythonFolder } from '../python-host/host-files.ts';
import type { HostSetup } from '../python-host/host-messages.ts';
import { MODEL_FILE } from './description.ts';
import { pythonErrors } from './python-errors.ts';

const log = getLogger('python');

/** The file that is run: that of a backend written in Python, else the model's own. */
export interface ModelCode {
  readonly file: string;
  /** Folder of a backend that is written in Python; undefined for others. */
  readonly ownBackendDir: string | undefined;
}

/** Throws INTERNAL with the reference's texts when there is no such file, or it is no Python. */
export async function modelCode(
  config: ModelConfig,
  files: ModelFiles,
  backendFile: string | undefined,
  instanceName: string,
): Promise<ModelCode> {
  if (backendFile !== undefined) return { file: backendFile, ownBackendDir: path.dirname(backendFile) };
  const file = await artefactPath(config, files, [MODEL_FILE]);
  if (!file.endsWith('.py')) {
    throw pythonErrors.fileName({ name: path.basename(file) });
  }
  if (!(await isThere(file))) {
    log.error(`Failed to preinitialize Python stub: Python model file not found in '${file}'`, {
      model: files.modelName,
    });
    throw pythonErrors.fileMissing({ instance: instanceName }, { details: { missing: file } });
  }
  return { file, ownBackendDir: undefined };
}

/** For a host that only runs auto_complete_config() and ends. */
export function completionSetup(config: ModelConfig, files: ModelFiles, code: ModelCode): HostSetup {
  return {
    command: 'complete',
    ...hostFiles(files, code),
    isDecoupled: false,
    args: { model_config: modelConfigToJson(config), model_name: files.modelName },
  };
}

/**
 * For the host of one instance: its arguments are those that initialize() of the reference gets, all of
 * them texts.
 */
export function instanceSetup(
  config: ModelConfig,
  files: ModelFiles,
  code: ModelCode,
  spec: InstanceSpec,
): HostSetup {
  const place = placeOf(spec);
  return {
    command: 'serve',
    ...hostFiles(files, code),
    isDecoupled: config.modelTransactionPolicy?.decoupled === true,
    args: {
      model_config: modelConfigToJson(config),
      model_instance_kind: place.kind,
      model_instance_name: spec.name,
      model_instance_device_id: String(place.deviceId),
      model_repository: files.modelDir,
      model_version: files.version,
      model_name: files.modelName,
    },
  };
}

/** Models put themselves where it says: an instance for a GPU that is not there runs on the CPU, and is told so. */
function placeOf(spec: InstanceSpec): { readonly kind: string; readonly deviceId: number } {
  if (isForGpu(spec)) return { kind: 'GPU', deviceId: spec.deviceId };
  return { kind: spec.kind === 'KIND_GPU' ? 'CPU' : spec.kind.replace(/^KIND_/, ''), deviceId: 0 };
}

function hostFiles(
  { modelDir, versionDir }: ModelFiles,
  { file, ownBackendDir }: ModelCode,
): Pick<HostSetup, 'modelFile' | 'modelDir' | 'versionDir' | 'backendDir' | 'ownBackendDir'> {
  return { modelFile: file, modelDir, versionDir, backendDir: pythonFolder(), ownBackendDir };
}
