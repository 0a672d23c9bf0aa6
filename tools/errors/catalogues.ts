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
import { writeCatalogue } from '../../src-main/base/write-errors.ts';
import { filesCatalogue } from '../../src-main/control/files/file-errors.ts';
import { installationCatalogue } from '../../src-main/control/files/installation-errors.ts';
import { catalogCatalogue } from '../../src-main/control/catalog/catalog-errors.ts';
import { foldersCatalogue } from '../../src-main/control/repository/folder-errors.ts';
import { configCatalogue } from '../../src-main/control/config/config-errors.ts';
import { codeCatalogue } from '../../src-main/control/code/code-errors.ts';
import { settingsCatalogue } from '../../src-main/control/settings/settings-errors.ts';
import { tasksCatalogue } from '../../src-main/control/tasks/tasks-errors.ts';
import { savedCatalogue } from '../../src-main/control/saved/saved-errors.ts';
import { captureCatalogue } from '../../src-main/control/capture/capture-errors.ts';
import { warmupFileCatalogue } from '../../src-main/control/inference/warmup-file-errors.ts';
import { observeCatalogue } from '../../src-main/control/observe/observe-errors.ts';
import { graphCatalogue } from '../../src-main/control/graph/graph-errors.ts';
import { probeCatalogue } from '../../src-main/control/probe/probe-errors.ts';
import { perfHistoryCatalogue } from '../../src-main/control/perf/perf-history-errors.ts';
import { pythonSetupCatalogue } from '../../src-main/control/python/python-setup-errors.ts';
import { convertCatalogue } from '../../src-main/control/python/convert-errors.ts';
import { backendCatalogue } from '../../src-main/inference/backend-errors.ts';
import { inputCatalogue } from '../../src-main/inference/input-errors.ts';
import { metricCatalogue } from '../../src-main/metrics/custom-metric-errors.ts';
import { onnxCatalogue } from '../../src-main/onnx/onnx-errors.ts';
import { grpcCatalogue } from '../../src-main/protocol/grpc/grpc-errors.ts';
import { cloudCatalogue } from '../../src-main/protocol/http/cloud/cloud-errors.ts';
import { httpBodyCatalogue } from '../../src-main/protocol/http/body-errors.ts';
import { httpCatalogue } from '../../src-main/protocol/http/http-errors.ts';
import { openaiCatalogue } from '../../src-main/protocol/openai/openai-errors.ts';
import { playgroundCatalogue } from '../../src-main/playground/playground-errors.ts';
import { agentCatalogue } from '../../src-main/repository/agents/agent-errors.ts';
import { batchingCatalogue } from '../../src-main/repository/batching-errors.ts';
import { composingCatalogue } from '../../src-main/repository/ensemble-load-errors.ts';
import { loadCatalogue } from '../../src-main/repository/load-errors.ts';
import { modelCatalogue } from '../../src-main/repository/model-errors.ts';
import { storeCatalogue } from '../../src-main/object-stores/store-errors.ts';
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
import { rpcCatalogue } from '../../src-shared/rpc/rpc-errors.ts';
import { uploadCatalogue } from '../../src-main/shell/headless/upload-errors.ts';
import { shellCatalogue } from '../../src-main/shell/electron/shell-errors.ts';
import { sampleCatalogue } from '../../src-shared/config/sample-errors.ts';
import { analyzeCatalogue } from '../../src-main/analyze/analyze-errors.ts';
import { perfRunCatalogue } from '../../src-main/perf/runs/run-errors.ts';
import { perfPlanCatalogue } from '../../src-main/perf/measure/plan-errors.ts';
import { perfDataCatalogue } from '../../src-main/perf/data/data-errors.ts';
import { perfServerCatalogue } from '../../src-main/perf/server/link-errors.ts';
import { clientCatalogue } from '../../src-main/client/client-errors.ts';
import { checkCatalogue } from '../../src-main/check/check-errors.ts';
import { handoverCatalogue } from '../../src-main/handover/handover-errors.ts';
import { cliCatalogue } from '../../src-main/cli/cli-errors.ts';
import { gpuLibraryCatalogue } from '../../src-main/gpu/libraries/library-errors.ts';

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
  ['Repositories in object stores', storeCatalogue],
  ['Models of an ensemble', composingCatalogue],
  ['Warm-up', warmupCatalogue],
  ['Repository agents', agentCatalogue],
  ['Batching libraries', batchingCatalogue],
  ['Inputs and outputs', inputCatalogue],
  ['Shared memory', memoryCatalogue],
  ['Calls of both protocols', requestCatalogue],
  ['Calls over HTTP', httpCatalogue],
  ['Endpoints for managed clouds', cloudCatalogue],
  ['OpenAI-compatible endpoint', openaiCatalogue],
  ['Tensors in the body of an HTTP request', httpBodyCatalogue],
  ['JSON of tensors, and classes', tensorCatalogue],
  ['Calls over gRPC', grpcCatalogue],
  ['Messages of gRPC', grpcWireCatalogue],
  ['Files and sizes', limitCatalogue],
  ['Full disks', writeCatalogue],
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
  ['Paths and files of the window', filesCatalogue],
  ['The installation', installationCatalogue],
  ['Models in the window', catalogCatalogue],
  ['Folders of models and repositories', foldersCatalogue],
  ['Configurations in the window', configCatalogue],
  ['Source files in the window', codeCatalogue],
  ['Settings', settingsCatalogue],
  ['Tasks', tasksCatalogue],
  ['Saved requests', savedCatalogue],
  ['Captured requests', captureCatalogue],
  ['Data files of warm-up samples', warmupFileCatalogue],
  ['Counters', observeCatalogue],
  ['Graphs', graphCatalogue],
  ['Comparisons of versions', probeCatalogue],
  ['History of measurements', perfHistoryCatalogue],
  ['Python environments', pythonSetupCatalogue],
  ['Models of frameworks', convertCatalogue],
  ['Inputs of the playground', playgroundCatalogue],
  ['Calls of the window', rpcCatalogue],
  ['Files sent by a page', uploadCatalogue],
  ['The desktop app', shellCatalogue],
  ['Texts of warm-up samples', sampleCatalogue],
  ['Measurements in the window', perfRunCatalogue],
  ['Plans of load tests', perfPlanCatalogue],
  ['Data of load tests', perfDataCatalogue],
  ['Servers of load tests', perfServerCatalogue],
  ['Search for configurations', analyzeCatalogue],
  ['Clients', clientCatalogue],
  ['Commands', cliCatalogue],
  ['Checks of a repository', checkCatalogue],
  ['Hand-over', handoverCatalogue],
  ['Libraries for GPUs', gpuLibraryCatalogue],
];
