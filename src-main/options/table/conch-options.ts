// Options that only Conch has, and the deprecated ones of the reference.

import type { Flag } from '../option-definition.ts';
import { UsageError } from '../option-definition.ts';
import { parseBool, parseByteSize, parseInteger, parseWord } from '../option-values.ts';

function legacyTrace(key: string): Flag['apply'] {
  return (draft, value) => void draft.legacyTrace.set(key, [...(draft.legacyTrace.get(key) ?? []), value]);
}

export const conchFlags: readonly Flag[] = [
  {
    name: 'ui',
    group: 'Conch',
    argument: undefined,
    help: 'Serve the window to a browser as well. Models are then controlled explicitly, all are loaded at start, and a crashed engine is started again.',
    apply: (draft) => {
      draft.shell.ui = true;
    },
  },
  {
    name: 'ui-port',
    group: 'Conch',
    argument: 'integer',
    help: 'Port of the window for browsers, 0 picks a free one. Default is 8003, or a free one when that is taken.',
    apply: (draft, value) => {
      draft.shell.uiPort = parseInteger(value, { min: 0, max: 65_535 });
    },
  },
  {
    name: 'ui-address',
    group: 'Conch',
    argument: 'string',
    help: 'Address the port of the window is bound to. Default is 127.0.0.1. Whoever reaches the port still needs the token.',
    apply: (draft, value) => {
      if (value === '') throw new UsageError('--ui-address needs an address');
      draft.shell.uiAddress = value;
      if (!/^(localhost|127\..*|::1)$/.test(value)) {
        draft.warnings.add(
          `the window listens on ${value}: whoever can read its address, token included, can load models on this computer`,
        );
      }
    },
  },
  {
    name: 'ui-root',
    group: 'Conch',
    argument: 'string',
    help: 'Folder below which the window may pick files and folders. Default is the parent of the first repository.',
    apply: (draft, value) => {
      draft.shell.uiRoot = value;
    },
  },
  {
    name: 'ui-open',
    group: 'Conch',
    argument: undefined,
    help: "Open the system's browser on the window.",
    apply: (draft) => {
      draft.shell.uiOpen = true;
    },
  },
  {
    name: 'user-data',
    group: 'Conch',
    argument: 'string',
    help: 'Folder of settings, saved requests, runs and the sample repository.',
    apply: (draft, value) => {
      draft.shell.userData = value;
    },
  },
  {
    name: 'no-repository',
    group: 'Conch',
    argument: undefined,
    help: 'With --ui: start without a repository and show the first page.',
    apply: (draft) => {
      draft.shell.noRepository = true;
    },
  },
  {
    name: 'http-allow-origin',
    group: 'Conch',
    argument: 'string',
    help: 'Origin of a web page that may call the HTTP and metrics endpoints. May be given several times.',
    apply: (draft, value) => {
      if (!/^[a-z][a-z0-9+.-]*:\/\/[^/\s]+$/i.test(value)) {
        throw new UsageError(`invalid origin '${value}': expected <scheme>://<host>[:<port>]`);
      }
      draft.engine.http.allowedOrigins.push(value);
    },
  },
  {
    name: 'http-allow-host',
    group: 'Conch',
    argument: 'string',
    help: 'Further name by which clients reach the HTTP and metrics endpoints while they listen on a loopback address. May be given several times.',
    apply: (draft, value) => {
      if (!/^[^\s/:@]+$/.test(value))
        throw new UsageError(`invalid host '${value}': expected a name without a port`);
      draft.engine.http.allowedHosts.push(value);
    },
  },
  {
    name: 'grpc-max-decompressed-size',
    group: 'Conch',
    argument: 'integer',
    help: 'Bytes that a compressed gRPC message may have when it is inflated. Default is 67108864.',
    apply: (draft, value) => {
      const byteSize = parseInteger(value, { max: 2_147_483_647 });
      if (byteSize <= 0) throw new UsageError('Error: --grpc-max-decompressed-size must be greater than 0.');
      draft.engine.grpc.maxDecompressedByteSize = byteSize;
    },
  },
  {
    name: 'allow-code-override',
    group: 'Conch',
    argument: 'boolean',
    help: 'Load calls may bring files that hold code. Default is false.',
    apply: (draft, value) => {
      draft.engine.repository.allowCodeOverride = parseBool(value);
    },
  },
  {
    name: 'gpu-policy',
    group: 'Conch',
    argument: 'string',
    help: 'What KIND_GPU means without a usable GPU: "fallback" runs on the CPU with a mark, "strict" fails. Default is "fallback".',
    apply: (draft, value) => {
      draft.engine.backends.gpuPolicy = parseWord(
        value,
        ['fallback', 'strict'],
        `invalid argument for --gpu-policy, got: ${value}`,
      );
    },
  },
];

export const deprecatedFlags: readonly Flag[] = [
  {
    name: 'strict-model-config',
    group: 'DEPRECATED',
    argument: 'boolean',
    help: 'The value true is the same as --disable-auto-complete-config.',
    apply: (draft, value) => {
      draft.engine.repository.autoCompleteConfig = !parseBool(value);
    },
    isDeprecated: true,
  },
  {
    name: 'response-cache-byte-size',
    group: 'DEPRECATED',
    argument: 'integer',
    help: 'The same as --cache-config=local,size=<bytes>.',
    apply: (draft, value) => {
      draft.legacyCacheByteSize = parseByteSize(value);
    },
    isDeprecated: true,
  },
  {
    name: 'trace-file',
    group: 'DEPRECATED',
    argument: 'string',
    help: 'The same as --trace-config=triton,file=<value>.',
    apply: legacyTrace('file'),
    isDeprecated: true,
  },
  {
    name: 'trace-level',
    group: 'DEPRECATED',
    argument: 'string',
    help: 'The same as --trace-config=level=<value>.',
    apply: legacyTrace('level'),
    isDeprecated: true,
  },
  {
    name: 'trace-rate',
    group: 'DEPRECATED',
    argument: 'integer',
    help: 'The same as --trace-config=rate=<value>.',
    apply: legacyTrace('rate'),
    isDeprecated: true,
  },
  {
    name: 'trace-count',
    group: 'DEPRECATED',
    argument: 'integer',
    help: 'The same as --trace-config=count=<value>.',
    apply: legacyTrace('count'),
    isDeprecated: true,
  },
  {
    name: 'trace-log-frequency',
    group: 'DEPRECATED',
    argument: 'integer',
    help: 'The same as --trace-config=triton,log-frequency=<value>.',
    apply: legacyTrace('log-frequency'),
    isDeprecated: true,
  },
];
