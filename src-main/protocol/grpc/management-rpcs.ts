// The unary rpcs besides inference: each is one function from a plain request message to a plain response message
// over the protocol-neutral service. Throwing becomes the call's status.

import { modelConfigToMessage } from '../../../src-shared/config/config-message.ts';
import type { InferenceService, LoadParameters, TensorMetadata } from '../../service/inference-service.ts';
import type { SharedMemoryRegion } from '../../service/shared-memory.ts';
import type { PlainMessage } from '../../grpc-wire/messages.ts';
import { requestErrors } from '../../service/request-errors.ts';
import { serverErrors } from '../../service/server-errors.ts';
import { grpcErrors } from './grpc-errors.ts';
import { logSettingsRpc, traceSettingRpc } from './settings-rpcs.ts';
import { statisticsMessage } from './statistics-message.ts';

/** Answers one rpc; throws ServerError, which becomes the status of the call. */
export type UnaryRpc = (
  service: InferenceService,
  request: PlainMessage,
) => PlainMessage | Promise<PlainMessage>;

/** Name and version of a request that has both; an empty version is the newest one. */
function nameAndVersion(request: PlainMessage): { readonly name: string; readonly version: string } {
  return { name: String(request['name']), version: String(request['version']) };
}

const serverLive: UnaryRpc = (service) => {
  refuseWhileExiting(service);
  return { live: service.isLive() };
};

const serverReady: UnaryRpc = async (service) => {
  refuseWhileExiting(service);
  return { ready: await service.isHealthy() };
};

const healthCheck: UnaryRpc = async (service) => {
  refuseWhileExiting(service);
  return { status: (await service.isHealthy()) ? 'SERVING' : 'NOT_SERVING' };
};

const modelReady: UnaryRpc = async (service, request) => {
  const { name, version } = nameAndVersion(request);
  return { ready: await service.isModelReady(name, version) };
};

const serverMetadata: UnaryRpc = (service) => ({ ...service.serverMetadata() });

const modelMetadata: UnaryRpc = (service, request) => {
  const { name, version } = nameAndVersion(request);
  const metadata = service.modelMetadata(name, version);
  const tensors = (list: readonly TensorMetadata[]): unknown => list.map((tensor) => ({ ...tensor }));
  return { ...metadata, inputs: tensors(metadata.inputs), outputs: tensors(metadata.outputs) };
};

const modelConfig: UnaryRpc = (service, request) => {
  const { name, version } = nameAndVersion(request);
  return { config: modelConfigToMessage(service.modelConfig(name, version)) };
};

const modelStatistics: UnaryRpc = (service, request) => {
  const { name, version } = nameAndVersion(request);
  return { model_stats: service.statistics(name, version).map(statisticsMessage) };
};

function refuseWhileExiting(service: InferenceService): void {
  if (service.isExiting()) throw serverErrors.exiting();
}

function refuseRepositoryName(request: PlainMessage): void {
  if (request['repository_name'] !== '') {
    throw requestErrors.repositoryName();
  }
}

const repositoryIndex: UnaryRpc = async (service, request) => {
  refuseRepositoryName(request);
  const entries = await service.repositoryIndex({ readyOnly: request['ready'] === true });
  return { models: entries.map((entry) => ({ ...entry })) };
};

interface RepositoryParameter {
  readonly parameter_choice?: string;
  readonly string_param?: string;
  readonly bytes_param?: Uint8Array;
  readonly bool_param?: boolean;
}

function parametersOf(request: PlainMessage): readonly [string, RepositoryParameter][] {
  return Object.entries(request['parameters'] as Readonly<Record<string, RepositoryParameter>>);
}

const repositoryModelLoad: UnaryRpc = async (service, request) => {
  refuseRepositoryName(request);
  let configJson: string | undefined;
  const files = new Map<string, Uint8Array>();
  for (const [key, parameter] of parametersOf(request)) {
    const choice = parameter.parameter_choice;
    if (key === 'config') {
      if (choice !== 'string_param') throw wrongLoadKind(key, 'string_param');
      configJson = parameter.string_param ?? '';
    } else if (key.startsWith('file:')) {
      if (choice !== 'bytes_param') throw wrongLoadKind(key, 'bytes_param');
      files.set(key.slice('file:'.length), parameter.bytes_param ?? new Uint8Array());
    } else {
      throw grpcErrors.loadParameter({ key });
    }
  }
  const parameters: LoadParameters = {
    ...(configJson === undefined ? {} : { configJson }),
    ...(files.size === 0 ? {} : { files }),
  };
  await service.loadModel(request['model_name'] as string, parameters);
  return {};
};

function wrongLoadKind(key: string, expected: string): Error {
  return grpcErrors.loadParameterType({ key, expected });
}

const repositoryModelUnload: UnaryRpc = async (service, request) => {
  refuseRepositoryName(request);
  let unloadDependents = false;
  for (const [key, parameter] of parametersOf(request)) {
    if (key !== 'unload_dependents') continue;
    if (parameter.parameter_choice !== 'bool_param') {
      throw grpcErrors.unloadParameterType();
    }
    unloadDependents = parameter.bool_param === true;
  }
  await service.unloadModel(request['model_name'] as string, { unloadDependents });
  return {};
};

const systemStatus: UnaryRpc = (service, request) => ({
  regions: byName(
    service.systemSharedMemory.status(request['name'] as string),
    ({ name, key, offset, byteSize }) => ({
      name,
      key,
      offset,
      byte_size: byteSize,
    }),
  ),
});

const cudaStatus: UnaryRpc = (service, request) => ({
  regions: byName(
    service.cudaSharedMemory.status(request['name'] as string),
    ({ name, deviceId, byteSize }) => ({
      name,
      device_id: deviceId,
      byte_size: byteSize,
    }),
  ),
});

function byName(
  regions: readonly SharedMemoryRegion[],
  message: (region: SharedMemoryRegion) => PlainMessage,
): Readonly<Record<string, PlainMessage>> {
  return Object.fromEntries(regions.map((region) => [region.name, message(region)]));
}

const systemRegister: UnaryRpc = (service, request) => {
  service.systemSharedMemory.register({
    name: request['name'] as string,
    key: request['key'] as string,
    offset: Number(request['offset']),
    byteSize: Number(request['byte_size']),
  });
  return {};
};

const cudaRegister: UnaryRpc = (service, request) => {
  service.cudaSharedMemory.register({
    name: request['name'] as string,
    key: '',
    offset: 0,
    byteSize: Number(request['byte_size']),
    rawHandle: request['raw_handle'] as Uint8Array,
    deviceId: Number(request['device_id']),
  });
  return {};
};

const systemUnregister: UnaryRpc = (service, request) => {
  service.systemSharedMemory.unregister(request['name'] as string);
  return {};
};

const cudaUnregister: UnaryRpc = (service, request) => {
  service.cudaSharedMemory.unregister(request['name'] as string);
  return {};
};

/** Rpc name -> restriction category and function (docs/reference/grpc.md#restricted-functions). */
export const MANAGEMENT_RPCS: Readonly<
  Record<string, { readonly category: string; readonly run: UnaryRpc }>
> = {
  Check: { category: 'health', run: healthCheck },
  ServerLive: { category: 'health', run: serverLive },
  ServerReady: { category: 'health', run: serverReady },
  ModelReady: { category: 'health', run: modelReady },
  ServerMetadata: { category: 'metadata', run: serverMetadata },
  ModelMetadata: { category: 'metadata', run: modelMetadata },
  ModelConfig: { category: 'model-config', run: modelConfig },
  ModelStatistics: { category: 'statistics', run: modelStatistics },
  RepositoryIndex: { category: 'model-repository', run: repositoryIndex },
  RepositoryModelLoad: { category: 'model-repository', run: repositoryModelLoad },
  RepositoryModelUnload: { category: 'model-repository', run: repositoryModelUnload },
  SystemSharedMemoryStatus: { category: 'shared-memory', run: systemStatus },
  SystemSharedMemoryRegister: { category: 'shared-memory', run: systemRegister },
  SystemSharedMemoryUnregister: { category: 'shared-memory', run: systemUnregister },
  CudaSharedMemoryStatus: { category: 'shared-memory', run: cudaStatus },
  CudaSharedMemoryRegister: { category: 'shared-memory', run: cudaRegister },
  CudaSharedMemoryUnregister: { category: 'shared-memory', run: cudaUnregister },
  TraceSetting: { category: 'trace', run: traceSettingRpc },
  LogSettings: { category: 'logging', run: logSettingsRpc },
};
