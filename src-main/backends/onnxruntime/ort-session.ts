// One ONNX Runtime session inside an instance worker: reads jobs from shared memory without copying numeric inputs,
// runs them, and leaves small outputs in the slot; large outputs are handed over as the buffers the run returned.

import { internal, toServerError } from '../../../src-shared/errors.ts';
import type { LargeResult, ServedSession } from '../instance-host/session-server.ts';
import { usableProviders } from './available-providers.ts';
import { DirectRuns } from './direct-runs.ts';
import { requireFirstRun } from './first-run.ts';
import { RUN_END_WORD, RUN_START_WORD } from './job-layout.ts';
import { loadNativeOrt } from './native-ort.ts';
import type { NativeSession, NativeTensor } from './native-ort.ts';
import { runtimeError } from './ort-errors.ts';
import { prepareProviders } from './ort-library.ts';
import { loadWithOverridable } from './overridable-inputs.ts';
import { PreparedRun } from './prepared-run.ts';
import { handOver, writeOutputs } from './run-outputs.ts';
import { hasForeseeableOutputs, tensorInfo } from './session-info.ts';
import type { ProviderChoice, SessionInfo, SessionInit } from './session-messages.ts';
import { leaveSpare, takeSpare } from './spare-session.ts';

/**
 * Opens the session with the first list of providers that works; the text 'providers' instead of a description asks
 * which providers this machine can load. Throws `onnx runtime error <code>: <text>`.
 */
export function openOrtSession(rawInit: unknown): {
  readonly session: ServedSession;
  readonly info: unknown;
} {
  const ort = loadNativeOrt();
  if (rawInit === 'providers') {
    return { session: NO_SESSION, info: usableProviders(ort.listSupportedBackends()) };
  }
  const init = rawInit as SessionInit;
  const refusals: string[] = [];
  const spare = takeSpare(isInspection(init) ? undefined : init.inspection);
  for (const [index, attempt] of init.providerAttempts.entries()) {
    try {
      let defaults: Readonly<Record<string, NativeTensor>> = {};
      const make = (providers: readonly ProviderChoice[]): NativeSession => {
        prepareProviders(providers.map(({ name }) => name));
        const made = new ort.InferenceSession();
        const options = { ...init.settings, executionProviders: providers.map(providerOption) };
        const { path, overridable = [] } = init;
        if (overridable.length === 0) made.loadModel(path, options);
        else defaults = loadWithOverridable(made, path, overridable, options);
        return made;
      };
      const session = spare ?? make(attempt);
      if (attempt[0]?.name !== 'cpu') requireFirstRun(session, () => make([{ name: 'cpu' }]));
      const info: SessionInfo = {
        inputs: session.inputMetadata.map(tensorInfo),
        outputs: session.outputMetadata.map(tensorInfo),
        provider: attempt[0]?.name ?? 'cpu',
        refusals,
      };
      const ordinary = info.provider === 'cpu' ? init : { ...init, directStamp: undefined };
      return { session: new OrtSession(session, ordinary, defaults), info };
    } catch (thrown) {
      if (index === init.providerAttempts.length - 1) throw runtimeError(thrown);
      refusals.push(`${attempt[0]?.name ?? ''}: ${toServerError(thrown).message.trim()}`);
    }
  }
  throw internal('no execution provider was given');
}

/** Stands in where a worker was asked a question only. */
const NO_SESSION: ServedSession = {
  run: () => {
    throw internal('this session runs nothing');
  },
  close: () => undefined,
};

function providerOption(choice: ProviderChoice): { name: string; deviceId?: number } | string {
  return choice.deviceId === undefined ? choice.name : { name: choice.name, deviceId: choice.deviceId };
}

/** Opened to be looked at only. */
const isInspection = ({ outputs }: SessionInit): boolean => outputs.length === 0;

/** Sessions of this thread. */
let openCount = 0;

class OrtSession implements ServedSession {
  readonly #session: NativeSession;
  readonly #init: SessionInit;
  readonly #prepared: PreparedRun[] = [];
  readonly #inputNames: readonly string[];
  /** Every output wanted, made by the runtime. */
  readonly #fetches: Readonly<Record<string, null>>;
  /** Values of optional inputs that a request leaves out. */
  readonly #defaults: Readonly<Record<string, NativeTensor>>;
  #placesOutputs: boolean;
  /** Undefined for sessions whose runs are all done by themselves. */
  readonly #direct: DirectRuns | undefined;

  constructor(session: NativeSession, init: SessionInit, defaults: Readonly<Record<string, NativeTensor>>) {
    this.#session = session;
    this.#init = init;
    this.#defaults = defaults;
    this.#inputNames = session.inputMetadata.map(({ name }) => name);
    this.#fetches = Object.fromEntries(init.outputs.map((name) => [name, null]));
    this.#placesOutputs = hasForeseeableOutputs(session, init.outputs, init.isBatching);
    const { path, directStamp: stamp, settings } = init;
    this.#direct = stamp === undefined ? undefined : new DirectRuns({ path, stamp, settings });
    openCount += 1;
  }

  run(slot: SharedArrayBuffer, slotNumber: number): LargeResult | undefined {
    const prepared = this.#prepare(slot, slotNumber);
    const { words } = prepared;
    const startNs = nowNs();
    const isDirect = this.#direct?.run(prepared) === true;
    const isPlaced = isDirect || this.#runPlaced(prepared);
    const outputs = isPlaced ? undefined : this.#runFree(prepared);
    const endNs = nowNs();
    words[RUN_START_WORD] = startNs;
    words[RUN_END_WORD] = endNs;
    this.#direct?.note(isDirect, endNs - startNs);
    return outputs === undefined ? undefined : this.#deliver(prepared, slot, outputs);
  }

  close(): void {
    this.#direct?.close();
    this.#prepared.length = 0;
    openCount -= 1;
    const { inspection } = this.#init;
    // In a thread that others use nobody would look for it.
    const isSpare = inspection !== undefined && isInspection(this.#init) && openCount === 0;
    if (isSpare) leaveSpare(inspection, this.#session);
    else this.#session.dispose();
  }

  #prepare(slot: SharedArrayBuffer, slotNumber: number): PreparedRun {
    const known = this.#prepared[slotNumber];
    if (known?.fits(slot) === true) return known;
    if (known !== undefined) this.#direct?.forget(known);
    const prepared = new PreparedRun(slot, this.#init.feeds);
    for (const name of this.#inputNames) {
      if (prepared.feeds[name] !== undefined) continue;
      const value = this.#defaults[name];
      if (value === undefined) throw runtimeError(new Error(`input '${name}' is missing in 'feeds'.`));
      prepared.feeds[name] = value;
    }
    this.#prepared[slotNumber] = prepared;
    return prepared;
  }

  /** Runs with the outputs of the slot; false where it has none, or where they turn out to have other shapes. */
  #runPlaced(prepared: PreparedRun): boolean {
    if (prepared.placed === undefined || !this.#placesOutputs) return false;
    try {
      this.#session.run(prepared.feeds, prepared.placed);
      return true;
    } catch {
      // Whatever it was: the run without them says it again.
      this.#placesOutputs = false;
      return false;
    }
  }

  #runFree(prepared: PreparedRun): readonly NativeTensor[] {
    try {
      const outputs = this.#session.run(prepared.feeds, this.#fetches);
      return this.#init.outputs.map((name) => outputs[name] as NativeTensor);
    } catch (thrown) {
      throw runtimeError(thrown);
    }
  }

  #deliver(
    prepared: PreparedRun,
    slot: SharedArrayBuffer,
    tensors: readonly NativeTensor[],
  ): LargeResult | undefined {
    const offsets = writeOutputs(slot, prepared.words, tensors);
    if (offsets === undefined) return handOver(tensors);
    if (this.#placesOutputs) {
      prepared.place(
        this.#init.outputs.map((name, index) => ({
          name,
          tensor: tensors[index] as NativeTensor,
          byteOffset: offsets[index] ?? 0,
        })),
      );
    }
    return undefined;
  }
}

const nowNs = (): number => Number(process.hrtime.bigint());
