// A configuration against what the model file says: counts, names, types and shapes of inputs and outputs, control
// tensors. Checked when an instance is created, in strict mode too; the first error is the reason a version fails.

import { checkTensorKinds } from '../config-auto-complete.ts';
import { configIssue, nameList, type ConfigChange, type ConfigIssue } from '../config-issue.ts';
import type { ModelConfig } from '../model-config.ts';
import { supportsBatching, type ModelDescription, type TensorDescription } from '../model-description.ts';
import { dataTypeToConfig } from '../../datatypes.ts';
import { DEFAULT_MAX_BATCH_SIZE } from '../config-defaults.ts';
import { checkControlTensors, countControls } from './control-interface-rules.ts';
import { checkTensors } from './tensor-interface-rules.ts';

/** All findings; needs a completed configuration. */
export function checkInterface(config: ModelConfig, description: ModelDescription): ConfigIssue[] {
  const unsupported = checkTensorKinds(description);
  if (unsupported.length > 0) return unsupported;
  return [
    ...checkControlTensors(config, description),
    ...checkInputCount(config, description),
    ...checkTensors(config, description),
    ...adviseOutputs(config, description),
    ...adviseBatching(config, description),
  ];
}

const quoted = ({ name }: TensorDescription): string => `'${name}'`;

function checkInputCount(config: ModelConfig, description: ModelDescription): ConfigIssue[] {
  const provided = description.inputs.filter((input) => !input.isOptional);
  const expected =
    config.input.filter((input) => !input.optional).length +
    config.batchInput.length +
    countControls(config) +
    (config.sequenceBatching?.state.length ?? 0);
  if (expected === provided.length) return [];
  const known = new Set([
    ...config.input.map((input) => input.name),
    ...config.batchInput.flatMap((tensor) => tensor.targetName),
    ...(config.sequenceBatching?.controlInput ?? []).map((control) => control.name),
    ...(config.sequenceBatching?.state ?? []).map((state) => state.inputName),
  ]);
  const missing = provided.filter((input) => !known.has(input.name));
  const hint =
    missing.length > 0
      ? `Not in the config: ${nameList(missing.map(quoted))}.`
      : `The model has: ${nameList(provided.map(quoted)) || 'no inputs'}.`;
  const message = `unable to load model '${config.name}', configuration expects ${expected} inputs, model provides ${provided.length}`;
  const changes = additions(config, 'input', missing);
  return [configIssue('D10', message, { path: 'input', hint, changes })];
}

/** Outputs that the configuration leaves out: allowed, but then nobody can ask for them. */
function adviseOutputs(config: ModelConfig, description: ModelDescription): ConfigIssue[] {
  if (config.output.length === 0) return [];
  const known = new Set([
    ...config.output.map((output) => output.name),
    ...(config.sequenceBatching?.state ?? []).map((state) => state.outputName),
  ]);
  const missing = description.outputs.filter((output) => !known.has(output.name));
  if (missing.length === 0) return [];
  const names = nameList(missing.map(quoted));
  return [
    configIssue('D10', `outputs of the model that the configuration leaves out: ${names}`, {
      path: 'output',
      severity: 'info',
      hint: 'A request cannot ask for an output that is not listed. Leave it out on purpose, or add it.',
      changes: additions(config, 'output', missing),
    }),
  ];
}

/** More repairs of one kind than anybody chooses from. */
const MAX_OFFERS = 20;

/** The tensors that are missing, one after the other behind those that are there. */
function additions(
  config: ModelConfig,
  direction: 'input' | 'output',
  missing: readonly TensorDescription[],
): ConfigChange[] {
  return missing.slice(0, MAX_OFFERS).map((tensor) => {
    const dims = config.maxBatchSize > 0 ? tensor.shape.slice(1) : tensor.shape;
    const dataType = tensor.datatype === undefined ? 'TYPE_INVALID' : dataTypeToConfig(tensor.datatype);
    const value = { name: tensor.name, dataType, dims: dims.length === 0 ? [1] : dims };
    return {
      title: `Add ${direction} ${tensor.name}`,
      sets: [{ path: `${direction}[${config[direction].length}]`, value }],
    };
  });
}

/** A model that could batch but is not asked to. */
function adviseBatching(config: ModelConfig, description: ModelDescription): ConfigIssue[] {
  const isCandidate = config.maxBatchSize === 0 && config.input.length > 0 && description.inputs.length > 0;
  if (!isCandidate || !supportsBatching(description)) return [];
  return [
    configIssue('D22', 'max_batch_size is 0, but every tensor of the model has a dynamic first dimension', {
      path: 'max_batch_size',
      severity: 'info',
      hint: 'Set max_batch_size and leave the first dimension out of dims to let the server batch.',
      changes: [
        {
          title: `Set max_batch_size to ${DEFAULT_MAX_BATCH_SIZE} and shorten dims`,
          sets: [
            { path: 'max_batch_size', value: DEFAULT_MAX_BATCH_SIZE },
            ...config.input.map((input, index) => ({
              path: `input[${index}].dims`,
              value: input.dims.slice(1),
            })),
            ...config.output.map((output, index) => ({
              path: `output[${index}].dims`,
              value: output.dims.slice(1),
            })),
          ],
        },
      ],
    }),
  ];
}
