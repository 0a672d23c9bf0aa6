// A session of a small model that is called through the runtime's C interface, and runs of it whose inputs and outputs
// stay where they are.

import { loadCApi } from './c-api.ts';
import type { CApi, Pointer } from './c-api.ts';
import { ERRORS_ONLY } from './native-ort.ts';
import type { NativeTensor, NumericData } from './native-ort.ts';
import type { OrtType } from './ort-datatypes.ts';
import type { SessionSettings } from './session-messages.ts';

const DEVICE_ALLOCATOR = 0;
const DEFAULT_MEMORY = 0;
const LEVELS = { disabled: 0, basic: 1, extended: 2, all: 99 } as const;

/** The runtime's numbers of element types; texts are not bound. */
const ELEMENT_TYPES: Readonly<Record<Exclude<OrtType, 'string'>, number>> = {
  float32: 1,
  uint8: 2,
  int8: 3,
  uint16: 4,
  int16: 5,
  int32: 6,
  int64: 7,
  bool: 9,
  float16: 10,
  float64: 11,
  uint32: 12,
  uint64: 13,
};

type Tensors = Readonly<Record<string, NativeTensor>>;

/** The environment of the process, which onnxruntime-node has made; kept as long as the thread. */
let environment: Pointer | undefined;

/** Reads nothing of `settings` but what a sequential session on the CPU has. Close it behind its runs. */
export class DirectSession {
  readonly #api: CApi;
  readonly #session: Pointer;
  readonly #memoryInfo: Pointer;

  /** Blocks. `model` is the whole file. Throws what the runtime says, or why there is no interface to it. */
  constructor(model: Uint8Array, settings: SessionSettings) {
    const api = loadCApi();
    this.#api = api;
    environment ??= made(api, (out) => api.createEnv(ERRORS_ONLY, 'conch', out));
    const env = environment;
    const options = made(api, (out) => api.createSessionOptions(out));
    try {
      applySettings(api, options, settings);
      this.#session = made(api, (out) => api.createSession(env, model, model.byteLength, options, out));
    } finally {
      api.releaseSessionOptions(options);
    }
    this.#memoryInfo = made(api, (out) => api.createCpuMemoryInfo(DEVICE_ALLOCATOR, DEFAULT_MEMORY, out));
  }

  /** Throws for tensors that cannot be bound. Their memory must stay as long as what is given back. */
  bind(inputs: Tensors, outputs: Tensors): BoundRun {
    const api = this.#api;
    const binding = made(api, (out) => api.createBinding(this.#session, out));
    const run = new BoundRun(api, this.#session, binding);
    try {
      for (const [name, tensor] of Object.entries(inputs)) {
        api.check(api.bindInput(binding, name, run.own(this.#tensor(tensor))));
      }
      for (const [name, tensor] of Object.entries(outputs)) {
        api.check(api.bindOutput(binding, name, run.own(this.#tensor(tensor))));
      }
    } catch (thrown) {
      run.release();
      throw thrown;
    }
    return run;
  }

  /** Frees the native session. What `bind` gave must be released before and not run again. */
  close(): void {
    this.#api.releaseSession(this.#session);
    this.#api.releaseMemoryInfo(this.#memoryInfo);
  }

  #tensor({ type, dims, data }: NativeTensor): Pointer {
    if (type === 'string') throw new Error('texts are not bound');
    const api = this.#api;
    const view = data as NumericData;
    const address = api.addressOf(view);
    const shape = BigInt64Array.from(dims, BigInt);
    const element = ELEMENT_TYPES[type];
    return made(api, (out) =>
      api.createTensor(this.#memoryInfo, address, view.byteLength, shape, shape.length, element, out),
    );
  }
}

/** Runs over the same memory again and again. Release it before its session is closed. */
export class BoundRun {
  readonly #api: CApi;
  readonly #session: Pointer;
  readonly #binding: Pointer;
  readonly #values: Pointer[] = [];
  #isReleased = false;

  constructor(api: CApi, session: Pointer, binding: Pointer) {
    this.#api = api;
    this.#session = session;
    this.#binding = binding;
  }

  /** `value` is released with this. */
  own(value: Pointer): Pointer {
    this.#values.push(value);
    return value;
  }

  /** Blocks. Throws what the runtime says, for outputs of other shapes than were bound too. */
  run(): void {
    const status = this.#api.run(this.#session, null, this.#binding);
    if (status !== null) this.#api.check(status);
  }

  /** Idempotent. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#api.releaseBinding(this.#binding);
    for (const value of this.#values) this.#api.releaseValue(value);
  }
}

function made(api: CApi, make: (out: [Pointer | null]) => Pointer | null): Pointer {
  const out: [Pointer | null] = [null];
  api.check(make(out));
  return out[0] as Pointer;
}

/** One thread: what is bound here runs shorter than others could be woken. */
function applySettings(api: CApi, options: Pointer, settings: SessionSettings): void {
  const { graphOptimizationLevel, enableCpuMemArena, enableMemPattern, extra } = settings;
  api.check(api.setOptimizationLevel(options, LEVELS[graphOptimizationLevel]));
  api.check(api.setIntraOpThreads(options, 1));
  api.check(api.setInterOpThreads(options, 1));
  if (enableCpuMemArena !== undefined)
    api.check(enableCpuMemArena ? api.enableCpuMemArena(options) : api.disableCpuMemArena(options));
  if (enableMemPattern !== undefined)
    api.check(enableMemPattern ? api.enableMemPattern(options) : api.disableMemPattern(options));
  const entries = (extra['session'] ?? {}) as Readonly<Record<string, string>>;
  for (const [key, value] of Object.entries(entries)) {
    api.check(api.addConfigEntry(options, `session.${key}`, value));
  }
}
