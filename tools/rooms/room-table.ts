// The rooms of the product: which folders there are, what each owns, who may see whom, and which libraries each may use.
// This is the only place where that is written down: `check-rooms.ts` enforces it, and the table of ARCHITECTURE.md is
// made of it. A folder that is not listed here is refused, so that a new one gets a level and a sentence first.

import { PAGE } from './page-rooms.ts';
import type { Ladder, RoomTable } from './room-types.ts';

const NODE = 'node:*';
const STORES = ['@aws-sdk/client-s3', '@azure/identity', '@azure/storage-blob', '@google-cloud/storage'];
const SHARED: Ladder = {
  name: 'shared',
  sees: [],
  levels: [
    [{ folder: 'src-shared', scope: 'files', owns: 'error codes and data types' }],
    [{ folder: 'src-shared/tensor', owns: 'tensor values as JSON' }],
    [{ folder: 'src-shared/config', owns: 'the configuration language: text, schema, rules, editor help' }],
    [
      {
        folder: 'src-shared/contract',
        owns: 'every call and event between page and engine',
        libraries: ['zod'],
      },
    ],
    [{ folder: 'src-shared/rpc', owns: 'carrying calls and events over a channel' }],
  ],
};

const ENGINE: Ladder = {
  name: 'engine',
  sees: ['shared'],
  levels: [
    [
      { folder: 'src-main/base', owns: 'time, logs, events, files, workers', libraries: [NODE] },
      { folder: 'src-main/tensor', owns: 'tensor bytes' },
    ],
    [
      {
        folder: 'src-main/metrics',
        owns: 'counters and statistics',
        libraries: [NODE, 'prom-client', 'hdr-histogram-js'],
      },
      { folder: 'src-main/logging', owns: 'where log lines go', libraries: [NODE] },
      { folder: 'src-main/object-stores', owns: 'what lies in object stores', libraries: [NODE, ...STORES] },
      {
        folder: 'src-main/gpu',
        owns: 'which graphics adapters the machine has, what is in use of them, and the libraries for them',
        libraries: [NODE, 'yauzl'],
      },
      { folder: 'src-main/onnx', owns: 'reading and writing ONNX files', libraries: [NODE] },
      {
        folder: 'src-main/http2',
        owns: 'HTTP/2 on a socket: frames, header compression, flow control',
        libraries: [NODE],
      },
      {
        folder: 'src-main/grpc-wire',
        owns: 'protobuf messages to and from bytes',
        libraries: ['protobufjs'],
      },
    ],
    [
      {
        folder: 'src-main/inference',
        owns: 'requests, responses, instances: the words the rooms above share',
        libraries: [NODE, 're2js'],
      },
    ],
    [
      {
        folder: 'src-main/backends/instance-host',
        owns: 'the thread of a model instance',
        libraries: [NODE],
      },
      { folder: 'src-main/backends/teaching', owns: 'what the backends without a model file share' },
      {
        folder: 'src-main/backends/hosted',
        owns: 'the life of an instance whose code runs in a thread or a process',
      },
    ],
    [
      {
        folder: 'src-main/wire-threads',
        owns: 'what two threads with an event loop each tell each other',
        libraries: [NODE],
      },
      {
        folder: 'src-main/backends/python-host',
        owns: 'Python processes of model instances, and which Python runs them',
        libraries: [NODE],
      },
    ],
    [
      {
        folder: 'src-main/backends/onnxruntime',
        owns: 'running ONNX models',
        libraries: [NODE, 'koffi', 'onnxruntime-node'],
      },
      {
        folder: 'src-main/backends/javascript',
        owns: 'running models written in JavaScript',
        libraries: [NODE, '@napi-rs/image'],
      },
      {
        folder: 'src-main/backends/python',
        owns: 'running models written in Python',
        libraries: [NODE],
      },
      {
        folder: 'src-main/backends',
        scope: 'each',
        owns: 'one way each of running a model; none sees another, nor the schedulers',
      },
      { folder: 'src-main/scheduling', owns: 'queues, batches, sequences, ensembles', libraries: [NODE] },
      {
        folder: 'src-main/tracing',
        owns: 'traces of requests',
        libraries: [
          NODE,
          '@opentelemetry/api',
          '@opentelemetry/exporter-trace-otlp-proto',
          '@opentelemetry/resources',
          '@opentelemetry/sdk-trace',
        ],
      },
    ],
    [
      {
        folder: 'src-main/backends',
        scope: 'files',
        owns: 'the list of backends',
      },
      {
        folder: 'src-main/repository',
        owns: 'which models exist, which are loaded, every change of that',
        libraries: [NODE, 'chokidar'],
      },
      {
        folder: 'src-main/client',
        owns: 'HTTP and gRPC clients for our own requests',
        libraries: [NODE, '@grpc/grpc-js'],
      },
    ],
    [
      {
        folder: 'src-main/service',
        owns: 'the operations of the server, without a protocol',
        libraries: [NODE],
      },
      {
        folder: 'src-main/check',
        owns: 'what is wrong with a repository, without serving it',
        libraries: [NODE],
      },
      { folder: 'src-main/perf', owns: 'the load generator and its reports', libraries: [NODE] },
      { folder: 'src-main/playground', owns: 'requests of the window, as a client' },
    ],
    [
      {
        folder: 'src-main/analyze',
        owns: 'the search for the fastest configuration of a model',
        libraries: [NODE, 'yaml'],
      },
      { folder: 'src-main/protocol/http', owns: 'the HTTP endpoint', libraries: [NODE] },
      {
        folder: 'src-main/protocol/grpc',
        owns: 'the gRPC endpoint',
        libraries: [NODE, 'protobufjs'],
      },
      { folder: 'src-main/samples', owns: 'the sample repository', libraries: [NODE] },
    ],
    [
      {
        folder: 'src-main/protocol/openai',
        owns: 'the OpenAI-compatible endpoint',
        libraries: [NODE, 'zod', '@huggingface/jinja'],
      },
    ],
    [{ folder: 'src-main/options', owns: 'what a server can be told: every option, its setting, its help' }],
    [
      {
        folder: 'src-main/handover',
        owns: 'what starts other engines on a repository, and what will not run there',
        libraries: [NODE, 'yaml', 'yauzl', 'zod'],
      },
      {
        folder: 'src-main/control/files',
        owns: 'which paths the window may name; bin, copies, blobs',
        libraries: [NODE, 'trash', 'yazl'],
      },
      { folder: 'src-main/control/series', owns: 'what is counted of models, over time' },
      { folder: 'src-main/control/pages', owns: 'the pages that are connected' },
    ],
    [
      {
        folder: 'src-main/control/settings',
        owns: 'settings of the app, on disk and in the window',
        libraries: [NODE],
      },
      { folder: 'src-main/control/tasks', owns: 'what takes long and can be cancelled', libraries: [NODE] },
      {
        folder: 'src-main/control/catalog',
        owns: 'every model as the window shows it, loaded or not',
        libraries: [NODE],
      },
      { folder: 'src-main/control/probe', owns: 'running a model on made-up rows to compare its answers' },
      { folder: 'src-main/control/doctor', owns: 'what the counters of a model say about its batching' },
    ],
    [{ folder: 'src-main/control/saved', owns: 'requests that were kept', libraries: [NODE, 'zod'] }],
    [
      {
        folder: 'src-main/control',
        scope: 'each',
        owns: 'the calls about one noun, and what answers them',
        libraries: [NODE, 'zod'],
      },
    ],
    [
      {
        folder: 'src-main/control',
        scope: 'files',
        owns: "the engine's side of the contract, put together of one room for each noun",
      },
      {
        folder: 'src-main',
        scope: 'files',
        owns: 'the one place where rooms become an engine',
        libraries: [NODE],
      },
    ],
    [
      { folder: 'src-main/cli', owns: 'the command line', libraries: [NODE, 'commander', 'zod'] },
      { folder: 'src-main/shell/supervision', owns: 'when an engine is started again', libraries: [NODE] },
    ],
    [
      {
        folder: 'src-main/shell/hosting',
        owns: 'what both shells do around an engine in its process',
        libraries: [NODE],
      },
    ],
    [
      {
        folder: 'src-main/shell/electron',
        owns: 'processes and windows of the desktop app',
        libraries: [NODE, 'electron', 'zod'],
      },
      {
        folder: 'src-main/shell/headless',
        owns: 'the same without a desktop: the `conch` command',
        libraries: [NODE, 'ws'],
      },
    ],
  ],
};

const PRELOAD: Ladder = {
  name: 'preload',
  sees: ['shared'],
  levels: [
    [{ folder: 'src-preload', owns: 'hands the page its ports, in Electron', libraries: ['electron'] }],
  ],
};

/** Of the whole product. */
export const ROOM_TABLE: RoomTable = {
  ladders: [SHARED, ENGINE, PRELOAD, PAGE],
  testFolders: ['src-shared/testing', 'src-main/testing', 'src-renderer/testing'],
  outside: ['package.json'],
  computed: {
    'src-main/backends/onnxruntime/gpu-libraries.ts':
      "loads the runtime's native half out of the user's data folder",
    'src-main/backends/javascript/model-module.ts': "loads the user's model file",
    'src-main/backends/onnxruntime/native-ort.ts': 'loads the native half of onnxruntime-node',
  },
};
