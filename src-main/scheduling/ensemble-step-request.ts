// Tensors between the steps of an ensemble: as values they carry the batch size and sequence under which they were
// made; given to a step they become inputs in the shape its model wants. Bytes are passed on, never copied.
// (docs/reference/ensembles.md#step-requests)

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { DataType } from '../../src-shared/datatypes.ts';
import { ServerError } from '../../src-shared/errors.ts';
import { getLogger } from '../base/log.ts';
import { InferenceRequest, InferInput, type ResponseCallback } from '../inference/inference-request.ts';
import type { OutputTensor } from '../inference/inference-response.ts';
import type { ModelUse } from '../inference/model-invoker.ts';
import { clientOutputShape } from '../inference/output-shape.ts';
import { contiguous, type TensorBytes } from '../inference/tensor-bytes.ts';
import type { ReadyStep } from './ensemble-graph.ts';
import type { SequenceTag } from './ensemble-sequence-tag.ts';
import { adaptBatchDim } from './ensemble-shapes.ts';

const log = getLogger('scheduling');

/** A tensor on its way between the steps of an ensemble; the bytes are shared by all who read them. */
export interface EnsembleValue {
  readonly datatype: DataType;
  /** Full shape under `batchSize`. */
  readonly shape: readonly number[];
  readonly bytes: TensorBytes;
  /** 0 = made without batching. */
  readonly batchSize: number;
  readonly sequence: SequenceTag;
}

/** Sequence of a step: that of its first input; others that differ are reported. */
function sequenceOfStep(ready: ReadyStep<EnsembleValue>, fallback: SequenceTag): SequenceTag {
  let first: SequenceTag | undefined;
  for (const { modelTensor, value } of ready.inputs) {
    if (value === undefined) continue;
    first ??= value.sequence;
    const { correlationId, flags } = value.sequence;
    if (correlationId === first.correlationId && flags === first.flags) continue;
    log.error(
      `inputs of model '${ready.step.modelName}' belong to different sequences: '${modelTensor}' to ${correlationId}, an earlier one to ${first.correlationId}, which is used`,
    );
  }
  return first ?? fallback;
}

/** The request of one step on behalf of the ensemble's request. */
export function createStepRequest(
  ready: ReadyStep<EnsembleValue>,
  use: ModelUse,
  parent: InferenceRequest,
  onResponse: ResponseCallback,
): InferenceRequest {
  const { step } = ready;
  const sequence = sequenceOfStep(ready, parent);
  const trace = parent.trace?.child(use.name, use.version);
  return new InferenceRequest({
    modelName: use.name,
    modelVersion: step.modelVersion,
    id: parent.id,
    correlationId: sequence.correlationId,
    flags: sequence.flags,
    priority: parent.priority,
    timeoutUs: parent.timeoutUs,
    parameters: parent.parameters,
    inputs: stepInputs(ready, use.config),
    requestedOutputs: step.outputNames,
    onResponse,
    trace,
  });
}

function stepInputs(ready: ReadyStep<EnsembleValue>, config: ModelConfig): InferInput[] {
  const dimsOf = inputDims(config);
  const batches = config.maxBatchSize > 0;
  const inputs: InferInput[] = [];
  for (const { modelTensor, value } of ready.inputs) {
    if (value === undefined) continue;
    const shape = adaptBatchDim(value, { batches, dims: dimsOf.get(modelTensor) ?? [] });
    inputs.push(new InferInput(modelTensor, value.datatype, shape, value.bytes));
  }
  return inputs;
}

const dimsOfConfigs = new WeakMap<ModelConfig, ReadonlyMap<string, readonly number[]>>();

/** Dims of each input, worked out once per configuration. */
function inputDims(config: ModelConfig): ReadonlyMap<string, readonly number[]> {
  let dims = dimsOfConfigs.get(config);
  if (dims === undefined) {
    dims = new Map(config.input.map((input) => [input.name, input.dims]));
    dimsOfConfigs.set(config, dims);
  }
  return dims;
}

/** An ensemble output in the shape clients of the ensemble expect. */
export function ensembleOutput(config: ModelConfig, name: string, value: EnsembleValue): OutputTensor {
  const output = config.output.find((candidate) => candidate.name === name);
  const dims = output?.reshape?.shape ?? output?.dims ?? [];
  const shape = adaptBatchDim(value, { batches: config.maxBatchSize > 0, dims });
  return {
    name,
    datatype: value.datatype,
    shape: clientOutputShape(config, name, shape),
    bytes: contiguous(value.bytes),
  };
}

/**
 * Marks a step's request cancelled before it is queued. Schedulers with a queue drop it there; the default scheduler
 * would run it, so it is refused here.
 */
export function cancelBeforeStart(request: InferenceRequest, config: ModelConfig): void {
  request.cancel();
  const isNoticed =
    config.dynamicBatching !== undefined ||
    config.sequenceBatching !== undefined ||
    config.ensembleScheduling !== undefined;
  if (!isNoticed) throw new ServerError('CANCELLED', '');
}
