// Which repository each step of an ensemble takes its model from: found when the ensemble is loaded, kept until it is
// loaded again.

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { ModelInvoker } from '../inference/model-invoker.ts';
import type { Model } from './model.ts';

/** Name of a composing model -> what answers to it. */
type Composing = ReadonlyMap<string, Model>;

/** A name that no step uses is looked up in `namespace` first. */
export function boundInvoker(
  stepInvoker: (namespace: string) => ModelInvoker,
  namespace: string,
  composing: Composing,
): ModelInvoker {
  return {
    use: (name, version) => stepInvoker(composing.get(name)?.id.namespace ?? namespace).use(name, version),
  };
}

/** With the namespaces in the steps, as the reference writes them into the configuration. */
export function withNamespaces(config: ModelConfig, composing: Composing): ModelConfig {
  const { ensembleScheduling: scheduling } = config;
  if (scheduling === undefined) return config;
  const step = scheduling.step.map((one) => {
    return { ...one, modelNamespace: composing.get(one.modelName)?.id.namespace ?? one.modelNamespace };
  });
  return { ...config, ensembleScheduling: { ...scheduling, step } };
}
