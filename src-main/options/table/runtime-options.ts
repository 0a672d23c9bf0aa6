// Options of backends, agents, the response cache, the rate limiter, devices and shared memory.

import type { Flag } from '../option-definition.ts';
import { UsageError } from '../option-definition.ts';
import {
  parseBool,
  parseByteSize,
  parseDevicePair,
  parseInteger,
  parseNumber,
  parseScopedSetting,
  parseWord,
} from '../option-values.ts';
import type { ServeDraft } from '../serve-draft.ts';

function addCacheSetting(draft: ServeDraft, text: string): void {
  const { scope, key, value } = parseScopedSetting(text);
  if (scope === '') throw new UsageError(`Cannot parse '${text}': expected <cache>,<key>=<value>`);
  const { cache } = draft.engine;
  if (cache.name !== '' && cache.name !== scope) {
    throw new UsageError(
      'found multiple cache configurations, but only a single cache is currently supported',
    );
  }
  cache.name = scope;
  cache.settings.push([key, value]);
}

function addRateLimitResource(draft: ServeDraft, text: string): void {
  const [name = '', count, device, ...rest] = text.split(':');
  if (name === '' || count === undefined || rest.length > 0) {
    throw new UsageError(`Cannot parse '${text}': expected <name>:<count>[:<device>]`);
  }
  draft.engine.rateLimit.resources.push({
    name,
    count: parseInteger(count, { min: 0 }),
    deviceId: device === undefined ? undefined : parseInteger(device, { min: 0 }),
  });
}

export const runtimeFlags: readonly Flag[] = [
  {
    name: 'backend-directory',
    group: 'Backend',
    argument: 'string',
    help: 'Folder of backend libraries, named in messages and tables. Default is /opt/tritonserver/backends.',
    apply: (draft, value) => {
      draft.engine.backends.directory = value;
    },
  },
  {
    name: 'backend-config',
    group: 'Backend',
    argument: 'string,string=string',
    help: 'Setting of one backend or of all: [<backend>,]<key>=<value>. May be given several times.',
    apply: (draft, value) => {
      const setting = parseScopedSetting(value);
      draft.engine.backends.settings.push({
        backend: setting.scope,
        key: setting.key,
        value: setting.value,
      });
    },
  },
  {
    name: 'repoagent-directory',
    group: 'Repository Agent',
    argument: 'string',
    help: 'Folder of repository agents, named in messages. Default is /opt/tritonserver/repoagents.',
    apply: (draft, value) => {
      draft.engine.repository.agentDirectory = value;
    },
  },
  {
    name: 'cache-config',
    group: 'Response Cache',
    argument: 'string,string=string',
    help: 'Switches a response cache on and sets it up: <cache>,<key>=<value>, for example local,size=1048576. May be given several times.',
    apply: addCacheSetting,
  },
  {
    name: 'cache-directory',
    group: 'Response Cache',
    argument: 'string',
    help: 'Folder of cache libraries.',
    apply: () => undefined,
    noEffect: 'the local cache is built in and no other can be loaded.',
  },
  {
    name: 'rate-limit',
    group: 'Rate Limiter',
    argument: 'string',
    help: '"execution_count" lets models run by their resources and priorities, "off" runs them freely. Default is "off".',
    apply: (draft, value) => {
      draft.engine.rateLimit.mode = parseWord(
        value,
        ['off', 'execution_count'],
        `invalid argument for --rate-limit, got: ${value}`,
      );
    },
  },
  {
    name: 'rate-limit-resource',
    group: 'Rate Limiter',
    argument: 'string:integer:integer',
    help: 'Amount of a resource: <name>:<count>[:<device>]. May be given several times.',
    apply: addRateLimitResource,
  },
  {
    name: 'pinned-memory-pool-byte-size',
    group: 'Memory/Device Management',
    argument: 'integer',
    help: 'Size of the pool of pinned memory.',
    apply: (draft, value) => {
      draft.table.pinnedMemoryPoolByteSize = parseByteSize(value);
    },
    noEffect: 'the runtime allocates its own transfer buffers.',
  },
  {
    name: 'cuda-memory-pool-byte-size',
    group: 'Memory/Device Management',
    argument: 'integer:integer',
    help: 'Size of the memory pool of a GPU: <gpu>:<bytes>. May be given several times.',
    apply: (draft, value) => {
      const [deviceId, byteSize] = parseDevicePair(value);
      draft.table.cudaMemoryPools.push([deviceId, parseByteSize(byteSize)]);
    },
    noEffect: 'the runtime manages GPU memory by itself.',
  },
  {
    name: 'cuda-virtual-address-size',
    group: 'Memory/Device Management',
    argument: 'integer:integer',
    help: 'Address space for state that grows: <gpu>:<bytes>. May be given several times.',
    apply: (_draft, value) => void parseByteSize(parseDevicePair(value)[1]),
    noEffect: 'the runtime manages GPU memory by itself.',
  },
  {
    name: 'min-supported-compute-capability',
    group: 'Memory/Device Management',
    argument: 'float',
    help: 'GPUs below this compute capability are left alone. Default is 7.5.',
    apply: (draft, value) => {
      draft.engine.backends.minComputeCapability = parseNumber(value);
    },
  },
  {
    name: 'buffer-manager-thread-count',
    group: 'Memory/Device Management',
    argument: 'integer',
    help: 'Threads that gather inputs and scatter outputs.',
    apply: (_draft, value) => void parseInteger(value),
    noEffect: 'tensors are gathered once, straight into the batch.',
    harmless: (value) => value === '0',
  },
  {
    name: 'host-policy',
    group: 'Memory/Device Management',
    argument: 'string,string=string',
    help: 'Binding of model instances to hardware: <policy>,<setting>=<value> with numa-node or cpu-cores. May be given several times.',
    apply: (draft, value) => {
      const setting = parseScopedSetting(value);
      if (setting.scope === '') {
        throw new UsageError(`Cannot parse '${value}': expected <policy>,<setting>=<value>`);
      }
      draft.engine.backends.hostPolicies.push({
        policy: setting.scope,
        setting: setting.key,
        value: setting.value,
      });
    },
    noEffect: 'model instances are not bound to processors.',
  },
  {
    name: 'model-load-gpu-limit',
    group: 'Memory/Device Management',
    argument: 'integer:float',
    help: 'Fraction of GPU memory above which loading is refused: <gpu>:<fraction>. May be given several times.',
    apply: (_draft, value) => {
      const fraction = parseNumber(parseDevicePair(value)[1]);
      if (fraction < 0 || fraction > 1) {
        throw new UsageError(`expects limit fraction to be in range [0.0, 1.0], got ${fraction.toFixed(6)}`);
      }
    },
    noEffect: 'memory use of GPUs is not watched while loading.',
  },
  {
    name: 'allow-client-shm',
    group: 'Shared Memory',
    argument: 'boolean',
    help: 'Clients may register shared memory. Default is false.',
    apply: (draft, value) => {
      draft.engine.sharedMemory.allowClient = parseBool(value);
    },
  },
];
