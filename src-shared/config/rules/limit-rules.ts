// Numbers that the protocol allows and no machine can serve. Taken at their word they would hold a load for hours or
// take all memory, so a version that asks for them is refused, with the field's name and the bound.

import { dataTypeFromConfig, elementByteSize } from '../../datatypes.ts';
import { elementCount } from '../../tensor/shape.ts';
import { configIssue, setTo, type ConfigIssue, type IssueCode } from '../config-issue.ts';
import { countInstances } from '../config-normalize.ts';
import type { ModelConfig } from '../model-config.ts';

/** Instances of one version; each holds its own copy of the model. */
const MAX_INSTANCES = 1024;
/** Threads that one session may be told to start. */
const MAX_THREADS = 1024;
/** Sequences that the instances of one version keep a place for. */
const MAX_SEQUENCE_SLOTS = 262_144;
/** Requests that the warmup of one instance sends. */
const MAX_WARMUP_REQUESTS = 1_000_000;
/** Requests that are made at once for one warmup execution. */
const MAX_WARMUP_BATCH = 65_536;
/** Bytes of a tensor that the configuration alone calls into being. */
const MAX_TENSOR_BYTES = 2n ** 31n;

const THREAD_PARAMETERS = ['intra_op_thread_count', 'inter_op_thread_count'];

/** Whether `count` threads for one session are more than are started for any. */
export function isTooManyThreads(count: number): boolean {
  return count > MAX_THREADS;
}

/** The refusal of `count` threads, which `place` asks for. */
export function tooManyThreads(place: string, count: string | number): string {
  return `${place} asks for ${count} threads, at most ${MAX_THREADS} are started for a session`;
}

/** For a configuration with normalised instance groups. */
export function checkInstanceCount({ name, instanceGroup }: ModelConfig): ConfigIssue[] {
  const total = countInstances(instanceGroup);
  if (total <= MAX_INSTANCES) return [];
  let before = 0;
  const index = instanceGroup.findIndex((group) => (before += countInstances([group])) > MAX_INSTANCES);
  const group = instanceGroup[index]?.name ?? '';
  const message = `instance group ${group} of model ${name} makes ${total} instances of the model, at most ${MAX_INSTANCES} are allowed`;
  return [
    configIssue('D42', message, {
      path: `instance_group[${index}].count`,
      hint: 'Each instance loads the model again. One or two per device are usual, one per core at most.',
      changes: [setTo(`instance_group[${index}].count`, 1)],
    }),
  ];
}

/** Everything but the number of instances. */
export function checkLimits(config: ModelConfig): ConfigIssue[] {
  return [
    ...checkThreads(config),
    ...checkSequenceSlots(config),
    ...checkWarmupSize(config),
    ...checkStates(config),
  ];
}

function checkThreads(config: ModelConfig): ConfigIssue[] {
  if (config.backend !== 'onnxruntime') return [];
  return THREAD_PARAMETERS.flatMap((key) => {
    const text = config.parameters[key]?.stringValue.trim() ?? '';
    if (!/^\+?\d+$/.test(text) || !isTooManyThreads(Number(text))) return [];
    const path = `parameters["${key}"].string_value`;
    const message = tooManyThreads(`parameter '${key}' of model ${config.name}`, text);
    const hint = 'More threads than cores make a model slower; 0 lets the library choose.';
    return [configIssue('D41', message, { path, hint, changes: [setTo(path, '0')] })];
  });
}

function checkSequenceSlots(config: ModelConfig): ConfigIssue[] {
  const { name, maxBatchSize, sequenceBatching } = config;
  if (sequenceBatching === undefined) return [];
  const candidates = sequenceBatching.oldest?.maxCandidateSequences ?? 0;
  const perInstance = candidates > 0 ? candidates : Math.max(1, maxBatchSize);
  const slots = perInstance * Math.max(1, countInstances(config.instanceGroup));
  if (slots <= MAX_SEQUENCE_SLOTS) return [];
  const path = candidates > 0 ? 'sequence_batching.oldest.max_candidate_sequences' : 'max_batch_size';
  const message = `sequence batching keeps places for ${slots} sequences for ${name}, at most ${MAX_SEQUENCE_SLOTS} are allowed`;
  const hint = 'Sequences that find no place wait; as many places as are served at a time are enough.';
  return [configIssue('D35', message, { path, hint })];
}

function checkWarmupSize(config: ModelConfig): ConfigIssue[] {
  let requests = 0;
  for (const [index, sample] of config.modelWarmup.entries()) {
    const path = `model_warmup[${index}]`;
    const subject = `warmup sample '${sample.name}' of model ${config.name}`;
    if (sample.batchSize > MAX_WARMUP_BATCH) {
      const message = `${subject} has batch_size ${sample.batchSize}, at most ${MAX_WARMUP_BATCH} are allowed`;
      return [tooMuch('D60', message, `${path}.batch_size`)];
    }
    requests += sample.batchSize * Math.max(1, sample.count);
    if (requests > MAX_WARMUP_REQUESTS) {
      const message = `${subject} brings the requests of the warmup to ${requests}, at most ${MAX_WARMUP_REQUESTS} are sent to an instance`;
      return [tooMuch('D60', message, `${path}.count`)];
    }
    for (const [name, input] of Object.entries(sample.inputs)) {
      const bytes = bytesOf(input.dataType, input.dims);
      if (bytes <= MAX_TENSOR_BYTES) continue;
      const message = `${subject} takes ${bytes} bytes for input '${name}', at most ${MAX_TENSOR_BYTES} are allowed`;
      return [tooMuch('D60', message, `${path}.inputs[${JSON.stringify(name)}].dims`)];
    }
  }
  return [];
}

function checkStates(config: ModelConfig): ConfigIssue[] {
  return (config.sequenceBatching?.state ?? []).flatMap((state, index) => {
    const bytes = bytesOf(state.dataType, state.initialState[0]?.dims ?? state.dims);
    if (bytes <= MAX_TENSOR_BYTES) return [];
    const message = `state input '${state.inputName}' of model ${config.name} takes ${bytes} bytes for each sequence, at most ${MAX_TENSOR_BYTES} are allowed`;
    return [tooMuch('D36', message, `sequence_batching.state[${index}].dims`)];
  });
}

function tooMuch(code: IssueCode, message: string, path: string): ConfigIssue {
  return configIssue(code, message, { path, hint: 'Write a smaller number.' });
}

/** Bytes of a tensor with every variable dimension at 1; texts at one byte each. */
function bytesOf(dataType: ModelConfig['input'][number]['dataType'], dims: readonly number[]): bigint {
  const elements = elementCount(dims.map((dim) => Math.max(1, dim))) ?? 0n;
  const type = dataTypeFromConfig(dataType);
  return elements * BigInt(Math.max(1, type === undefined ? 1 : elementByteSize(type)));
}
