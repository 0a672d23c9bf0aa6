// Options that only Conch has.

import { field } from '../engine-field.ts';
import { scalar } from '../option-builders.ts';
import type { OptionDefinition } from '../option-definition.ts';
import { parseInteger } from '../option-values.ts';
import { UsageError } from '../usage-error.ts';
import { truth, whole } from '../value-types.ts';
import { gpuPolicy } from './backend-options.ts';
import { ownHttpOptions } from './http-options.ts';

const windowOptions: readonly OptionDefinition[] = [
  {
    name: 'ui',
    group: 'Conch',
    argument: undefined,
    help: 'Serve the window to a browser as well. Models are then controlled explicitly and all are loaded at start, unless --model-control-mode is given, and a crashed engine is started again.',
    apply: (draft) => {
      draft.shell.ui = true;
    },
  },
  {
    name: 'ui-port',
    group: 'Conch',
    argument: 'integer',
    help: 'Port of the window for browsers, 0 picks a free one. Default is 8003, or a free one when that is taken.',
    apply: (draft, text) => {
      draft.shell.uiPort = parseInteger(text, { min: 0, max: 65_535 });
    },
  },
  {
    name: 'ui-address',
    group: 'Conch',
    argument: 'string',
    help: 'Address the port of the window is bound to. Whoever reaches the port still needs the token.',
    standard: '127.0.0.1',
    apply: (draft, address) => {
      if (address === '') throw new UsageError('--ui-address needs an address');
      draft.shell.uiAddress = address;
      if (!/^(localhost|127\..*|::1)$/.test(address)) {
        draft.warnings.push(
          `the window listens on ${address}: whoever can read its address, token included, can load models on this computer`,
        );
      }
    },
  },
  {
    name: 'ui-root',
    group: 'Conch',
    argument: 'string',
    help: 'Folder below which the window may pick files and folders. Default is the parent of the first repository.',
    apply: (draft, folder) => {
      draft.shell.uiRoot = folder;
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
    apply: (draft, folder) => {
      draft.shell.userData = folder;
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
];

/** In the order of the usage text. Triton knows none of them. */
export const conchOptions: readonly OptionDefinition[] = [
  ...windowOptions,
  ...ownHttpOptions,
  scalar({
    name: 'grpc-max-decompressed-size',
    group: 'Conch',
    type: {
      ...whole(),
      parse: (text) => {
        const byteSize = parseInteger(text, { max: 2_147_483_647 });
        if (byteSize <= 0)
          throw new UsageError('Error: --grpc-max-decompressed-size must be greater than 0.');
        return byteSize;
      },
    },
    field: field('grpc', 'maxDecompressedByteSize'),
    help: 'Bytes that a compressed gRPC message may have when it is inflated.',
  }),
  scalar({
    name: 'allow-code-override',
    group: 'Conch',
    type: truth,
    field: field('repository', 'allowCodeOverride'),
    help: 'Load calls may bring files that hold code.',
  }),
  gpuPolicy,
];
