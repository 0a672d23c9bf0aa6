// ONNX Runtime's C interface, as far as short runs need it. onnxruntime-node makes every tensor of a run anew, the outputs
// that it was given a place for too: 8 of the 10 us that a run of a model of two inputs and two outputs takes. Through the C
// interface they are bound to their memory once, and a run is one call.
// Invariant: the functions are those of the library that onnxruntime-node itself has loaded. Their places in the
// runtime's table are for good: its versions only append to it.

import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type * as Koffi from 'koffi';

import { runtimeFolder } from './ort-library.ts';

/** An address; nothing looks at what lies there but the runtime. */
export type Pointer = bigint;
/** Null = it worked; else what went wrong, to be released. */
type Status = Pointer | null;
type Out = [Pointer | null];

/** Asked for with this number, the table has all functions below. */
const INTERFACE_VERSION = 17;
const LIBRARY = /^(lib)?onnxruntime(\.dll|\.so\.\d.*|\.\d.*\.dylib)$/;

/** What is called of the table; all take and give addresses unless they say otherwise. */
export interface CApi {
  /** Releases the status and throws its text unless it is null. */
  check(status: Status): void;
  /** One for the process, kept for good. */
  createEnv(level: number, name: string, out: Out): Status;
  /** `bytes` is a whole model file, which need not outlive the call; the session is the caller's to release. */
  createSession(env: Pointer, bytes: Uint8Array, byteSize: number, options: Pointer, out: Out): Status;
  /** The caller releases them, at any time after the session was made. */
  createSessionOptions(out: Out): Status;
  /** Plans memory for shapes that come again. */
  enableMemPattern(options: Pointer): Status;
  /** Needed where shapes change from run to run. */
  disableMemPattern(options: Pointer): Status;
  /** Keeps the memory of runs for later ones. */
  enableCpuMemArena(options: Pointer): Status;
  /** Gives the memory of a run back at its end. */
  disableCpuMemArena(options: Pointer): Status;
  /** 0 = none, 1 = basic, 2 = extended, 99 = all. */
  setOptimizationLevel(options: Pointer, level: number): Status;
  /** Threads within an operator, the calling one included; 0 = one for each core. */
  setIntraOpThreads(options: Pointer, count: number): Status;
  /** Threads between operators; only parallel sessions use them. */
  setInterOpThreads(options: Pointer, count: number): Status;
  /** A setting by name, as in `onnxruntime_session_options_config_keys.h`. */
  addConfigEntry(options: Pointer, key: string, value: string): Status;
  /** Of memory that is the caller's; `dims` are copied. */
  createTensor(
    info: Pointer,
    data: Pointer,
    byteSize: number,
    dims: BigInt64Array,
    rank: number,
    type: number,
    out: Out,
  ): Status;
  /** Says of tensors that their memory is the CPU's; the caller releases it. */
  createCpuMemoryInfo(allocator: number, kind: number, out: Out): Status;
  /** Which memory the tensors of a session's runs lie in; the caller releases it before the session. */
  createBinding(session: Pointer, out: Out): Status;
  /** The value must stay until the binding is gone, or another one is bound to the name. */
  bindInput(binding: Pointer, name: string, value: Pointer): Status;
  /** As `bindInput`; runs write into the memory of the value, whose shape must fit. */
  bindOutput(binding: Pointer, name: string, value: Pointer): Status;
  /** Blocks; `runOptions` null = the usual ones. */
  run(session: Pointer, runOptions: null, binding: Pointer): Status;
  /** Of a status that is not null; `check` does it for those that it was given. */
  releaseStatus(status: Pointer): void;
  /** Tensors that were made with it go on. */
  releaseMemoryInfo(info: Pointer): void;
  /** With no run under way, and behind its bindings. */
  releaseSession(session: Pointer): void;
  /** The memory of the tensor stays, since it is the caller's. */
  releaseValue(value: Pointer): void;
  /** Sessions that were made with them go on. */
  releaseSessionOptions(options: Pointer): void;
  /** The values that were bound stay. */
  releaseBinding(binding: Pointer): void;
  /** Where a typed array lies. */
  addressOf(view: ArrayBufferView): Pointer;
}

type Calls = Omit<CApi, 'check' | 'addressOf'> & { errorMessage: (status: Pointer) => string };

/** Place in the table, what is given back, what is taken. */
const TABLE: Readonly<Record<keyof Calls, readonly [number, string, ...string[]]>> = {
  errorMessage: [2, 'str', 'void *'],
  createEnv: [3, 'void *', 'int', 'str', '_Out_ void **'],
  createSession: [8, 'void *', 'void *', 'void *', 'size_t', 'void *', '_Out_ void **'],
  createSessionOptions: [10, 'void *', '_Out_ void **'],
  enableMemPattern: [16, 'void *', 'void *'],
  disableMemPattern: [17, 'void *', 'void *'],
  enableCpuMemArena: [18, 'void *', 'void *'],
  disableCpuMemArena: [19, 'void *', 'void *'],
  setOptimizationLevel: [23, 'void *', 'void *', 'int'],
  setIntraOpThreads: [24, 'void *', 'void *', 'int'],
  setInterOpThreads: [25, 'void *', 'void *', 'int'],
  createTensor: [49, 'void *', 'void *', 'void *', 'size_t', 'void *', 'size_t', 'int', '_Out_ void **'],
  createCpuMemoryInfo: [69, 'void *', 'int', 'int', '_Out_ void **'],
  releaseStatus: [93, 'void', 'void *'],
  releaseMemoryInfo: [94, 'void', 'void *'],
  releaseSession: [95, 'void', 'void *'],
  releaseValue: [96, 'void', 'void *'],
  releaseSessionOptions: [100, 'void', 'void *'],
  addConfigEntry: [130, 'void *', 'void *', 'str', 'str'],
  run: [133, 'void *', 'void *', 'void *', 'void *'],
  createBinding: [134, 'void *', 'void *', '_Out_ void **'],
  releaseBinding: [135, 'void', 'void *'],
  bindInput: [136, 'void *', 'void *', 'str', 'void *'],
  bindOutput: [137, 'void *', 'void *', 'str', 'void *'],
};

let loaded: CApi | undefined;

/** The same object for every caller in a thread. Throws where there is no such library, or it is too old. */
export function loadCApi(): CApi {
  loaded ??= load();
  return loaded;
}

function load(): CApi {
  const koffi = createRequire(import.meta.url)('koffi') as typeof Koffi;
  const folder = runtimeFolder();
  const file = readdirSync(folder).find((name) => LIBRARY.test(name));
  if (file === undefined) throw new Error(`no library of ONNX Runtime in '${folder}'`);
  const base = koffi.load(path.join(folder, file)).func('OrtGetApiBase', 'void *', [])() as Pointer;
  const getApi = functionAt(koffi, base, 0, 'void *', ['uint32_t']);
  const table = getApi(INTERFACE_VERSION) as Pointer | null;
  if (table === null) throw new Error(`'${file}' has no interface of version ${INTERFACE_VERSION}`);
  const calls = Object.fromEntries(
    Object.entries(TABLE).map(([name, [at, result, ...takes]]) => [
      name,
      functionAt(koffi, table, at, result, takes),
    ]),
  ) as unknown as Calls;
  return {
    ...calls,
    check(status) {
      if (status === null) return;
      const text = calls.errorMessage(status);
      calls.releaseStatus(status);
      throw new Error(text);
    },
    addressOf: (view) => koffi.address(view),
  };
}

/** The function whose address lies at place `at` of a table. */
function functionAt(
  koffi: typeof Koffi,
  table: Pointer,
  at: number,
  result: string,
  takes: readonly string[],
): (...args: unknown[]) => unknown {
  const address: unknown = koffi.decode(table, at * koffi.sizeof('void *'), 'void *');
  const types = takes.map((type) =>
    type.startsWith('_Out_ ') ? koffi.out(type.slice('_Out_ '.length)) : type,
  );
  return koffi.decode(address, koffi.proto(result, types)) as (...args: unknown[]) => unknown;
}
