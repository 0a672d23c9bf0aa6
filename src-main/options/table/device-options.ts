// Options of the rate limiter, of memory and devices, and of shared memory.

import { changed, field } from '../engine-field.ts';
import type { RateLimitResourceOption } from '../engine-options.ts';
import { inert, keyed, listed, scalar, setting } from '../option-builders.ts';
import type { OptionDefinition } from '../option-definition.ts';
import { parseByteSize, parseDevicePair, parseInteger, parseNumber } from '../option-values.ts';
import { UsageError } from '../usage-error.ts';
import { decimal, oneOf, truth } from '../value-types.ts';

const MEMORY = 'Memory/Device Management';

/** Prefix of what is refused once all options are read. */
const BUILD = 'Failed to build Triton option:\nerror: setting';

const rateLimitMode = field('rateLimit', 'mode');
const rateLimitModes = oneOf('rate-limit', ['off', 'execution_count']);

const rateLimiterOptions: readonly OptionDefinition[] = [
  {
    ...scalar({
      name: 'rate-limit',
      group: 'Rate Limiter',
      type: rateLimitModes,
      field: rateLimitMode,
      help: '"execution_count" lets models run by their resources and priorities, "off" runs them freely.',
    }),
    settings: [
      setting({
        screen: {
          kind: 'boolean',
          key: 'server.rateLimiter',
          section: 'Running models',
          title: 'Rate limiter',
          defaultValue: false,
          help: 'Let the rate_limiter settings of instance groups take effect.',
        },
        apply: (engine, isOn) => rateLimitMode.set(engine, isOn === true ? 'execution_count' : 'off'),
        read: (text) => rateLimitModes.parse(text) === 'execution_count',
      }),
    ],
  },
  listed({
    name: 'rate-limit-resource',
    group: 'Rate Limiter',
    argument: '<string>:<integer>:<integer>',
    list: field('rateLimit', 'resources'),
    parse: parseResource,
    printItem: ({ name, count, deviceId }) =>
      `${name}:${count}${deviceId === undefined ? '' : `:${deviceId}`}`,
    help: 'Amount of a resource: <name>:<count>[:<device>].',
  }),
];

function parseResource(text: string): RateLimitResourceOption {
  const [name = '', count, device, ...rest] = text.split(':');
  if (name === '' || count === undefined || rest.length > 0) {
    throw new UsageError(
      `--rate-limit-resource option format is '<resource_name>:<count>:<device>' or '<resource_name>:<count>'. Got ${text}`,
    );
  }
  return {
    name,
    count: parseInteger(count, { min: 0 }),
    deviceId: device === undefined ? undefined : parseInteger(device, { min: 0 }),
  };
}

const memoryOptions: readonly OptionDefinition[] = [
  {
    name: 'pinned-memory-pool-byte-size',
    group: MEMORY,
    argument: 'integer',
    help: 'Size of the pool of pinned memory.',
    apply: (draft, text) => {
      draft.table.pinnedMemoryPoolByteSize = parseByteSize(text);
    },
    noEffect: 'the runtime allocates its own transfer buffers.',
  },
  {
    name: 'cuda-memory-pool-byte-size',
    group: MEMORY,
    argument: '<integer>:<integer>',
    help: 'Size of the memory pool of a GPU: <gpu>:<bytes>. May be given several times.',
    apply: (draft, text) => {
      const [deviceId, byteSize] = parseDevicePair(text);
      draft.table.cudaMemoryPools.push([deviceId, parseByteSize(byteSize)]);
    },
    noEffect: 'the runtime manages GPU memory by itself.',
  },
  inert({
    name: 'cuda-virtual-address-size',
    group: MEMORY,
    argument: '<integer>:<integer>',
    help: 'Address space for state that grows: <gpu>:<bytes>. May be given several times.',
    check: (text) => parseByteSize(parseDevicePair(text)[1]),
    noEffect: 'the runtime manages GPU memory by itself.',
  }),
];

const placementOptions: readonly OptionDefinition[] = [
  scalar({
    name: 'min-supported-compute-capability',
    group: MEMORY,
    type: decimal,
    field: field('backends', 'minComputeCapability'),
    help: 'GPUs below this compute capability are left alone.',
  }),
  inert({
    name: 'buffer-manager-thread-count',
    group: MEMORY,
    argument: 'integer',
    help: 'Threads that gather inputs and scatter outputs.',
    standard: '0',
    check: (text) => parseInteger(text),
    noEffect: 'tensors are gathered once, straight into the batch.',
    harmless: (text) => text === '0',
  }),
  keyed({
    group: MEMORY,
    argument: '<string>,<string>=<string>',
    help: 'Binding of model instances to hardware: <policy>,<setting>=<value> with numa-node or cpu-cores.',
    form: { option: 'host-policy', scope: 'required', scopeName: 'policy name' },
    entries: {
      get: ({ backends }) =>
        backends.hostPolicies.map(({ policy, setting: key, value }) => ({ scope: policy, key, value })),
      add: (engine, { scope, key, value }) =>
        changed(engine, 'backends', {
          hostPolicies: [
            ...engine.backends.hostPolicies,
            { policy: scope, setting: checkPolicySetting(key), value },
          ],
        }),
    },
    noEffect: 'model instances are not bound to processors.',
  }),
  inert({
    name: 'model-load-gpu-limit',
    group: MEMORY,
    argument: '<device_id>:<fraction>',
    help: 'Fraction of GPU memory above which loading is refused: <gpu>:<fraction>. May be given several times.',
    check: checkGpuLimit,
    noEffect: 'memory use of GPUs is not watched while loading.',
  }),
];

function checkPolicySetting(name: string): string {
  if (name === 'numa-node' || name === 'cpu-cores') return name;
  throw new UsageError(
    `Unsupported host policy setting '${name}' is specified, supported settings are 'numa-node', 'cpu-cores'`,
    { lead: `${BUILD} host policy: Unsupported - ` },
  );
}

function checkGpuLimit(text: string): void {
  const [device, limit] = parseDevicePair(text);
  const fraction = parseNumber(limit);
  const lead = `${BUILD} model load GPU limit: Invalid argument - `;
  if (device < 0) throw new UsageError(`expects device ID >= 0, got ${device}`, { lead });
  if (fraction >= 0 && fraction <= 1) return;
  throw new UsageError(`expects limit fraction to be in range [0.0, 1.0], got ${fraction.toFixed(6)}`, {
    lead,
  });
}

/** In the order of the usage text. */
export const deviceOptions: readonly OptionDefinition[] = [
  ...rateLimiterOptions,
  ...memoryOptions,
  ...placementOptions,
  scalar({
    name: 'allow-client-shm',
    group: 'Shared Memory',
    type: truth,
    field: field('sharedMemory', 'allowClient'),
    help: 'Clients may register shared memory.',
    screen: {
      key: 'server.allowClientShm',
      section: 'Endpoints',
      title: 'Shared memory',
      help: 'Let clients on this computer register shared-memory regions.',
    },
  }),
];
