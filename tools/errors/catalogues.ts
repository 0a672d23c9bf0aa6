// All catalogues of errors, in the order of docs/errors.md. A test finds one that is missing here.

import type { ErrorEntry } from '../../src-shared/error-catalogue.ts';
import { hostedCatalogue } from '../../src-main/backends/hosted/hosted-errors.ts';
import { sessionCatalogue } from '../../src-main/backends/instance-host/session-errors.ts';
import { javascriptCatalogue } from '../../src-main/backends/javascript/javascript-errors.ts';
import { onnxruntimeCatalogue } from '../../src-main/backends/onnxruntime/onnxruntime-errors.ts';
import { pythonHostCatalogue } from '../../src-main/backends/python-host/host-errors.ts';
import { pythonCatalogue } from '../../src-main/backends/python/python-errors.ts';
import { teachingCatalogue } from '../../src-main/backends/teaching/teaching-errors.ts';
import { grpcWireCatalogue } from '../../src-main/grpc-wire/wire-errors.ts';
import { limitCatalogue } from '../../src-main/base/limit-errors.ts';
import { backendCatalogue } from '../../src-main/inference/backend-errors.ts';
import { inputCatalogue } from '../../src-main/inference/input-errors.ts';
import { metricCatalogue } from '../../src-main/metrics/custom-metric-errors.ts';
import { onnxCatalogue } from '../../src-main/onnx/onnx-errors.ts';
import { grpcCatalogue } from '../../src-main/protocol/grpc/grpc-errors.ts';
import { httpBodyCatalogue } from '../../src-main/protocol/http/body-errors.ts';
import { httpCatalogue } from '../../src-main/protocol/http/http-errors.ts';
import { agentCatalogue } from '../../src-main/repository/agents/agent-errors.ts';
import { batchingCatalogue } from '../../src-main/repository/batching-errors.ts';
import { composingCatalogue } from '../../src-main/repository/ensemble-load-errors.ts';
import { loadCatalogue } from '../../src-main/repository/load-errors.ts';
import { modelCatalogue } from '../../src-main/repository/model-errors.ts';
import { repositoryCatalogue } from '../../src-main/repository/repository-errors.ts';
import { warmupCatalogue } from '../../src-main/repository/warmup-errors.ts';
import { cacheCatalogue } from '../../src-main/scheduling/cache-errors.ts';
import { ensembleCatalogue } from '../../src-main/scheduling/ensemble-errors.ts';
import { queueCatalogue } from '../../src-main/scheduling/queue-errors.ts';
import { rateLimitCatalogue } from '../../src-main/scheduling/rate-limit-errors.ts';
import { sequenceCatalogue } from '../../src-main/scheduling/sequence-errors.ts';
import { stateCatalogue } from '../../src-main/scheduling/state-errors.ts';
import { memoryCatalogue } from '../../src-main/service/memory-errors.ts';
import { requestCatalogue } from '../../src-main/service/request-errors.ts';
import { serverCatalogue } from '../../src-main/service/server-errors.ts';
import { tensorCatalogue } from '../../src-main/tensor/tensor-errors.ts';
import { traceCatalogue } from '../../src-main/tracing/trace-errors.ts';

/** `entries` by the name that code uses, in the order of the page. */
export interface ListedCatalogue {
  readonly room: string;
  readonly entries: Readonly<Record<string, ErrorEntry>>;
}

/** Title on the page, and the errors. */
export const CATALOGUES: readonly (readonly [string, ListedCatalogue])[] = [
  ['The server', serverCatalogue],
  ['Models and versions', modelCatalogue],
  ['Loading', loadCatalogue],
  ['Repositories', repositoryCatalogue],
  ['Models of an ensemble', composingCatalogue],
  ['Warm-up', warmupCatalogue],
  ['Repository agents', agentCatalogue],
  ['Batching libraries', batchingCatalogue],
  ['Inputs and outputs', inputCatalogue],
  ['Shared memory', memoryCatalogue],
  ['Calls of both protocols', requestCatalogue],
  ['Calls over HTTP', httpCatalogue],
  ['Tensors in the body of an HTTP request', httpBodyCatalogue],
  ['JSON of tensors, and classes', tensorCatalogue],
  ['Calls over gRPC', grpcCatalogue],
  ['Messages of gRPC', grpcWireCatalogue],
  ['Files and sizes', limitCatalogue],
  ['Trace settings', traceCatalogue],
  ['Metrics of models', metricCatalogue],
  ['Queues', queueCatalogue],
  ['Sequences', sequenceCatalogue],
  ['State of sequences', stateCatalogue],
  ['Ensembles', ensembleCatalogue],
  ['Response cache', cacheCatalogue],
  ['Rate limiter', rateLimitCatalogue],
  ['Backends', backendCatalogue],
  ['ONNX files', onnxCatalogue],
  ['ONNX models', onnxruntimeCatalogue],
  ['Threads of instances', sessionCatalogue],
  ['Models with code', hostedCatalogue],
  ['JavaScript models', javascriptCatalogue],
  ['Python models', pythonCatalogue],
  ['Python processes', pythonHostCatalogue],
  ['Models of the teaching backends', teachingCatalogue],
];
