// An InferenceService with two models and no engine: `echo` answers each input under the same name, `burst` (decoupled)
// answers INPUT's first element many times. For tests of protocol rooms.

import { emptyModelConfig, modelInput, modelOutput } from '../../src-shared/config/config-defaults.ts';
import { invalidArg, notFound, unavailable } from '../../src-shared/errors.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import { INVALID_DATATYPE } from '../inference/inference-request.ts';
import type { OutputTensor } from '../inference/inference-response.ts';
import type { ModelUse } from '../inference/model-invoker.ts';
import { bytesOf, contiguous } from '../inference/tensor-bytes.ts';
import type { InferenceService, LoadParameters } from '../service/inference-service.ts';
import type { TraceSettingsState } from '../tracing/trace-settings.ts';
import type { SharedMemoryService } from '../service/shared-memory.ts';
import type { LogSettingsChange, LogSettingsState } from '../logging/log-settings.ts';

/**
 * Throws INVALID_ARG or NOT_FOUND with Triton's words for other models. `usesHeld` must be zero at the end of a
 * test.
 */
export class EchoService implements InferenceService {
  isStopping = false;
  /** Keep every request and load for assertions; off for long runs. */
  isRecording = true;
  readonly loads: { readonly name: string; readonly parameters: LoadParameters }[] = [];
  readonly requests: InferenceRequest[] = [];
  readonly regions = new Map<string, Uint8Array>();
  usesHeld = 0;
  /** Requests wait here while it is set; call `answerHeld` to go on. */
  holdsRequests = false;
  readonly #held: InferenceRequest[] = [];

  isExiting = (): boolean => this.isStopping;
  isLive = (): boolean => !this.isStopping;
  isReady = (): boolean => !this.isStopping;
  isHealthy = (): Promise<boolean> => Promise.resolve(this.isReady());
  hasModel = (name: string): boolean => name === 'echo' || name === 'burst';
  isModelReady = (name: string): Promise<boolean> => Promise.resolve(name === 'echo');
  serverMetadata = () => ({ name: 'conch', version: '2.0', extensions: ['classification'] });
  modelMetadata = (name: string) => ({
    name,
    versions: ['1'],
    platform: 'echo',
    inputs: [{ name: 'INPUT', datatype: 'INT32', shape: [-1, 2] }],
    outputs: [{ name: 'INPUT', datatype: 'INT32', shape: [-1, 2] }],
  });
  modelConfig = (name: string) =>
    emptyModelConfig({
      name,
      maxBatchSize: 4,
      input: [modelInput({ name: 'INPUT', dataType: 'TYPE_INT32', dims: [2] })],
      output: [modelOutput({ name: 'INPUT', dataType: 'TYPE_INT32', dims: [2] })],
    });
  statistics = (name: string) => {
    if (name !== '' && name !== 'echo') throw invalidArg(`requested model '${name}' is not available`);
    return [];
  };
  repositoryIndex = () =>
    Promise.resolve([{ name: 'echo', version: '1', state: 'READY' as const }, { name: 'raw' }]);
  loadModel = (name: string, parameters: LoadParameters): Promise<void> => {
    if (this.isRecording) this.loads.push({ name, parameters });
    return name === 'broken'
      ? Promise.reject(invalidArg(`load failed for model 'broken': version 1 is at UNAVAILABLE state: no`))
      : Promise.resolve();
  };
  unloadModel = (): Promise<void> => Promise.resolve();
  registerRepository = (): Promise<void> => Promise.resolve();
  unregisterRepository = (): void => undefined;
  label = (_use: ModelUse, _output: string, index: number): string | undefined =>
    index === 0 ? 'first' : undefined;

  useModel(name: string): ModelUse {
    if (name !== 'echo' && name !== 'burst')
      throw notFound(`Request for unknown model: '${name}' is not found`);
    this.usesHeld += 1;
    return {
      name,
      version: '1',
      config: this.modelConfig(name),
      isDecoupled: name === 'burst',
      infer: (request) => this.#run(request),
      release: () => {
        this.usesHeld -= 1;
      },
    };
  }

  infer(_use: ModelUse, request: InferenceRequest): void {
    if (this.isStopping) throw unavailable('Server not ready');
    for (const { name, datatype } of request.inputs)
      if (datatype === INVALID_DATATYPE) throw invalidArg(`data-type of '${name}' is '${datatype}'`);
    this.#run(request);
  }

  /** Answers the requests that were held, in their order, and holds none from now on. */
  answerHeld(): void {
    this.holdsRequests = false;
    for (const request of this.#held.splice(0)) this.#run(request);
  }

  #run(request: InferenceRequest): void {
    if (this.isRecording) this.requests.push(request);
    request.actualVersion = '1';
    if (this.holdsRequests) this.#held.push(request);
    else if (request.modelName === 'burst') void this.#burst(request);
    else {
      const outputs = request.inputs.map((input): OutputTensor => ({
        name: input.name,
        datatype: input.datatype,
        shape: input.clientShape,
        bytes: contiguous(input.bytes),
      }));
      void request.respondOutputs(outputs, true, new Map([['took', 7n]]));
      request.release();
    }
  }

  async #burst(request: InferenceRequest): Promise<void> {
    const [input] = request.inputs;
    const bytes = contiguous(input?.bytes ?? { chunks: [], byteSize: 0 });
    const count = new DataView(bytes.buffer, bytes.byteOffset).getInt32(0, true);
    for (let i = 0; i < count && !request.isCancelled; i += 1) {
      await request.respondOutputs([{ name: 'INPUT', datatype: 'INT32', shape: [1, 2], bytes }], false);
    }
    await request.respond(undefined, true);
    request.release();
  }

  readonly traceSettings = {
    get: (): TraceSettingsState => ({
      traceFile: '',
      traceLevel: ['OFF'],
      traceRate: '1000',
      traceCount: '-1',
      logFrequency: '0',
      traceMode: 'triton',
      modeSettings: [],
    }),
    update: (): TraceSettingsState => this.traceSettings.get(),
  };

  #log: LogSettingsState = {
    logFile: '',
    logInfo: true,
    logWarning: true,
    logError: true,
    logVerboseLevel: 0,
    logFormat: 'default',
  };

  readonly logSettings = {
    get: (): LogSettingsState => this.#log,
    update: (change: LogSettingsChange): LogSettingsState => {
      this.#log = { ...this.#log, ...change };
      return this.#log;
    },
  };

  readonly systemSharedMemory: SharedMemoryService = {
    status: () =>
      [...this.regions].map(([name, bytes]) => ({
        name,
        key: `/${name}`,
        offset: 0,
        byteSize: bytes.length,
        deviceId: 0,
      })),
    register: ({ name, byteSize }) => void this.regions.set(name, new Uint8Array(byteSize)),
    unregister: (name) => void this.regions.delete(name),
    read: (name, offset, byteSize) => bytesOf(this.#region(name).slice(offset, offset + byteSize)),
    write: (name, offset, _byteSize, bytes) => this.#region(name).set(bytes, offset),
    retain: (name) => {
      this.#region(name);
      return () => undefined;
    },
    records: () => [],
    has: (name) => this.regions.has(name),
  };

  readonly cudaSharedMemory: SharedMemoryService = {
    ...this.systemSharedMemory,
    status: () => [],
    register: ({ name }) => {
      throw invalidArg(`failed to register CUDA shared memory region: '${name}', GPUs not supported`);
    },
    has: () => false,
  };

  #region(name: string): Uint8Array {
    const bytes = this.regions.get(name);
    if (bytes === undefined) throw notFound(`Unable to find shared memory region: '${name}'`);
    return bytes;
  }
}
