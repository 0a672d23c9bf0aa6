// Every option of the server, once. The order inside a group is that of the usage text, and the order of all of them is
// that of the settings on their screen.

import type { OptionDefinition } from './option-definition.ts';
import { backendOptions } from './table/backend-options.ts';
import { cacheOptions, responseCacheByteSize } from './table/cache-options.ts';
import { conchOptions } from './table/conch-options.ts';
import { deviceOptions } from './table/device-options.ts';
import { cloudOptions, metricsOptions } from './table/frontend-options.ts';
import { grpcOptions } from './table/grpc-options.ts';
import { httpOptions } from './table/http-options.ts';
import { openaiOptions } from './table/openai-options.ts';
import { repositoryOptions, strictModelConfig } from './table/repository-options.ts';
import { logOptions, serverOptions } from './table/server-options.ts';
import { deprecatedTraceOptions, traceOptions } from './table/trace-options.ts';

/** Every option of `conch serve`, in the order of the settings on their screen. */
export const SERVER_OPTIONS: readonly OptionDefinition[] = [
  ...httpOptions,
  ...repositoryOptions,
  ...backendOptions,
  ...cacheOptions,
  ...deviceOptions,
  ...grpcOptions,
  ...cloudOptions,
  ...openaiOptions,
  ...metricsOptions,
  ...traceOptions,
  ...conchOptions,
  ...serverOptions,
  ...logOptions,
  strictModelConfig,
  responseCacheByteSize,
  ...deprecatedTraceOptions,
];
