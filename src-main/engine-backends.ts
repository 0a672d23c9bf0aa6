// The backends of the engine by name, and what the command line says to each of them.

import { identityBackend } from './backends/identity/identity-backend.ts';
import { javascriptBackend } from './backends/javascript/javascript-backend.ts';
import { OnnxruntimeBackend } from './backends/onnxruntime/onnxruntime-backend.ts';
import { repeatBackend } from './backends/repeat/repeat-backend.ts';
import { dynaSequenceBackend, sequenceBackend } from './backends/sequence/accumulator-backends.ts';
import { implicitStateBackend } from './backends/sequence/implicit-state-backend.ts';
import { iterativeSequenceBackend } from './backends/sequence/iterative-sequence-backend.ts';
import { squareBackend } from './backends/square/square-backend.ts';
import type { Disposer } from './base/disposer.ts';
import { BackendRegistry } from './inference/backend-registry.ts';
import type { BackendOptions } from './options/engine-options.ts';
import type { Backend } from './inference/backend.ts';

export interface EngineBackends {
  readonly onnxruntime: OnnxruntimeBackend;
  readonly registry: BackendRegistry;
  /** Settings for all backends, then those for this one; the last of a key counts. */
  readonly settingsOf: (backend: string) => ReadonlyMap<string, string>;
}

/** `owned` closes what backends share (worker threads). */
export function createBackends(
  options: BackendOptions,
  extra: readonly Backend[],
  owned: Disposer,
): EngineBackends {
  const onnxruntime = owned.add(new OnnxruntimeBackend({ gpuPolicy: options.gpuPolicy }));
  const builtIn: readonly Backend[] = [
    onnxruntime,
    javascriptBackend,
    identityBackend,
    repeatBackend,
    squareBackend,
    sequenceBackend,
    dynaSequenceBackend,
    implicitStateBackend,
    iterativeSequenceBackend,
  ];
  return {
    onnxruntime,
    registry: new BackendRegistry([...builtIn, ...extra], { directory: options.directory }),
    settingsOf: (backend) => {
      const ofScope = (scope: string): [string, string][] =>
        options.settings.filter((setting) => setting.backend === scope).map(({ key, value }) => [key, value]);
      return new Map([...ofScope(''), ...ofScope(backend)]);
    },
  };
}
