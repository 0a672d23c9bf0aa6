// Names of classes for an ensemble that has none of its own: those of a model inside it. What leaves an ensemble is often
// the number of a class that a step before gave its names to.

import type { StepLabels } from '../../../src-shared/contract/inference-calls.ts';
import type { Model } from '../../repository/model.ts';

type FindServing = (name: string, version: string) => Model | undefined;

/** Those of the step nearest to the outputs, looking into ensembles inside; undefined = no step names any. */
export function stepLabels(model: Model, find: FindServing): StepLabels | undefined {
  for (const { modelName, modelVersion } of (model.config.ensembleScheduling?.step ?? []).toReversed()) {
    const step = find(modelName, modelVersion < 0 ? '' : String(modelVersion));
    if (step === undefined) continue;
    for (const [output, labels] of step.labels)
      if (labels.length > 0) return { model: modelName, output, labels };
    const inner = stepLabels(step, find);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
