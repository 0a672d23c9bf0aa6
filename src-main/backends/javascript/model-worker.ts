// Entry of the thread in which one JavaScript model instance lives. It loads the author's file, then serves messages
// until it is told to finalize; the engine ends the thread.

import { parentPort, workerData } from 'node:worker_threads';
import { errorFromWire, errorToWire } from '../../../src-shared/errors.ts';
import { imageToTensor } from './image-tensor.ts';
import type { JavaScriptModel, ModelContext } from './model-api.ts';
import { ModelCalls } from './model-calls.ts';
import { loadModelModule } from './model-module.ts';
import { ModelRunner, type Post } from './model-runner.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './worker-messages.ts';

const setup = workerData as WorkerSetup;

const post: Post = (message, transfer = []) => parentPort?.postMessage(message, transfer);

function createContext(calls: ModelCalls): ModelContext {
  const { config, modelName, modelVersion, modelDir, versionDir, instanceName } = setup;
  const logAs =
    (level: Extract<FromWorker, { kind: 'log' }>['level']) =>
    (message: string): void =>
      post({ kind: 'log', level, message: String(message) });
  return {
    modelName,
    modelVersion,
    modelDir,
    versionDir,
    instanceName,
    config,
    parameters: Object.fromEntries(
      Object.entries(config.parameters).map(([key, { stringValue }]) => [key, stringValue]),
    ),
    isDecoupled: config.modelTransactionPolicy?.decoupled === true,
    log: { info: logAs('info'), warn: logAs('warn'), error: logAs('error') },
    infer: (call) => calls.infer(call),
    inferStream: (call) => calls.inferStream(call),
    imageToTensor,
  };
}

function serve(model: JavaScriptModel, runner: ModelRunner, calls: ModelCalls, message: ToWorker): void {
  switch (message.kind) {
    case 'execute':
      void runner.execute(message);
      break;
    case 'cancel':
      runner.cancel(message.key);
      break;
    case 'sent':
      runner.sent(message.serial, message.error && errorFromWire(message.error));
      break;
    case 'callResponse':
      calls.receive(message);
      break;
    case 'finalize':
      void finalize(model);
      break;
  }
}

async function finalize(model: JavaScriptModel): Promise<void> {
  try {
    await model.finalize?.();
  } catch (thrown) {
    post({ kind: 'log', level: 'error', message: `finalize failed: ${errorToWire(thrown).message}` });
  }
  post({ kind: 'finalized' });
}

async function start(): Promise<void> {
  const calls = new ModelCalls(post);
  const context = createContext(calls);
  try {
    const model = await loadModelModule(setup.modelFile);
    const runner = new ModelRunner({ model, context, setup, post });
    // Before initialize: it may call other models.
    parentPort?.on('message', (message: ToWorker) => serve(model, runner, calls, message));
    await model.initialize?.(context);
    post({ kind: 'ready' });
  } catch (thrown) {
    post({ kind: 'failed', error: errorToWire(thrown) });
  }
}

void start();
