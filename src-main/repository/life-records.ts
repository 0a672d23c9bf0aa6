// What the log tells of models that come and go beside the outcome: the records that operators know from the reference's
// core and backends, each at the moment that it stands for.

import { completeBackendFields } from '../../src-shared/config/backend-completion.ts';
import { modelConfigToDebugText } from '../../src-shared/config/config-debug-text.ts';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { getLogger } from '../base/log.ts';
import type { FolderEntry } from './model-folder.ts';
import type { InstanceSpec } from '../inference/backend.ts';

const log = getLogger('repository');
const DETAILS = 1;
const STEPS = 2;

/** A backend tells these at INFO; the Python backend tells only of instances that begin. */
function tell(backend: string, message: string): void {
  if (backend === 'python') log.verbose(DETAILS, message);
  else log.info(message);
}

/** A configuration as it was read, with what name and entries of the model's folder say; before the backend completes it. */
export function tellCompleted(
  read: ModelConfig,
  directoryName: string,
  folder: readonly FolderEntry[],
): void {
  if (!log.isVerbose(DETAILS)) return;
  const entries = folder.map(({ name, isFolder }) => ({ name, isDirectory: isFolder }));
  const { config } = completeBackendFields(read, { directoryName, entries });
  log.verbose(DETAILS, `Server side auto-completed config: \n${modelConfigToDebugText(config)}\n`);
}

/** A backend begins with a version of a model. */
export function tellModelBegins(backend: string, model: string, version: string): void {
  tell(backend, `TRITONBACKEND_ModelInitialize: ${model} (version ${version})`);
}

/** A backend is done with a version of a model, loaded or not. */
export function tellModelEnds(backend: string): void {
  tell(backend, 'TRITONBACKEND_ModelFinalize: delete model state');
}

/** An instance is about to be made of `artefact`, the file that the configuration names. */
export function tellInstanceBegins({ name, kind, deviceId }: InstanceSpec, artefact: string): void {
  const device = kind.replace('KIND_', '');
  log.info(`TRITONBACKEND_ModelInstanceInitialize: ${name} (${device} device ${Math.max(0, deviceId)})`);
  const place = deviceId < 0 ? device : `${device} ${deviceId}`;
  log.verbose(DETAILS, `Creating instance ${name} on ${place} using artifact '${artefact}'`);
}

/** An instance was made. */
export function tellInstanceServes({ name, deviceId }: InstanceSpec): void {
  const device = Math.max(0, deviceId);
  log.verbose(DETAILS, `Starting backend thread for ${name} at nice 0 on device ${device}...`);
  log.verbose(STEPS, `Created model instance named '${name}' with device id '${device}'`);
}

/** An in-place change of instances keeps this one. */
export function tellInstanceKept({ name, deviceId }: InstanceSpec): void {
  log.verbose(STEPS, `Re-using model instance named '${name}' with device id '${Math.max(0, deviceId)}'`);
}

/** An instance is about to be closed. */
export function tellInstanceEnds(backend: string, { name }: InstanceSpec): void {
  log.verbose(DETAILS, `Stopping backend thread for ${name}...`);
  tell(backend, 'TRITONBACKEND_ModelInstanceFinalize: delete instance state');
}

/** Steps of the core, named as the reference names them. */
export const steps = {
  load: (id: string): void => log.verbose(STEPS, `AsyncLoad() '${id}'`),
  create: (id: string, version: number): void =>
    log.verbose(STEPS, `CreateModel() '${id}' version ${version}`),
  complete: (id: string, version: number): void =>
    log.verbose(STEPS, `OnLoadComplete() '${id}' version ${version}`),
  final: (id: string): void => log.verbose(STEPS, `OnLoadFinal() '${id}' for all version(s)`),
  unload: (id: string): void => log.verbose(STEPS, `AsyncUnload() '${id}'`),
  destroyed: (id: string, version: string): void =>
    log.verbose(STEPS, `OnDestroy callback() '${id}' version ${version}`),
};
