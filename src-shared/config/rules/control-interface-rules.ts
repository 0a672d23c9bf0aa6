// Sequence controls against the model file: present, of shape [1] beside the batch dimension, of the right type.

import { dataTypeFromConfig, dataTypeToConfig, type DataType } from '../../datatypes.ts';
import { formatShape } from '../../tensor/shape.ts';
import {
  configIssue,
  explainedIssue,
  nameList,
  removeAt,
  setTo,
  type ConfigChange,
  type ConfigIssue,
} from '../config-issue.ts';
import type { ModelConfig, SequenceControl } from '../model-config.ts';
import type { ModelDescription } from '../model-description.ts';
import { nearestName } from '../nearest-name.ts';

interface PlacedControl {
  readonly name: string;
  readonly control: SequenceControl;
  readonly path: string;
  readonly controlPath: string;
}

function controlsOf(config: ModelConfig): PlacedControl[] {
  return (config.sequenceBatching?.controlInput ?? []).flatMap((input, index) =>
    input.control.map((control, at) => ({
      name: input.name,
      control,
      path: `sequence_batching.control_input[${index}]`,
      controlPath: `sequence_batching.control_input[${index}].control[${at}]`,
    })),
  );
}

/** Model inputs that the server fills with controls. */
export function countControls(config: ModelConfig): number {
  return controlsOf(config).length;
}

/** Element type that a control tensor carries; INT32 where the config says nothing. */
function controlDatatype(control: SequenceControl): DataType {
  if (control.kind === 'CONTROL_SEQUENCE_CORRID') return dataTypeFromConfig(control.dataType) ?? 'UINT64';
  if (control.fp32FalseTrue.length > 0) return 'FP32';
  return control.boolFalseTrue.length > 0 ? 'BOOL' : 'INT32';
}

/** The input that a misspelled control most likely means: one that nothing else of the configuration names. */
function freeInput(config: ModelConfig, { inputs }: ModelDescription, name: string): string | undefined {
  const taken = new Set([
    ...config.input.map((input) => input.name),
    ...(config.sequenceBatching?.controlInput ?? []).map((input) => input.name),
    ...(config.sequenceBatching?.state ?? []).map((state) => state.inputName),
  ]);
  const free = inputs.map((input) => input.name).filter((input) => !taken.has(input));
  return nearestName(name, free) ?? (free.length === 1 ? free[0] : undefined);
}

const VALUE_LISTS = {
  INT32: { int32FalseTrue: [0, 1] },
  FP32: { fp32FalseTrue: [0, 1] },
  BOOL: { boolFalseTrue: [false, true] },
} as const;

/** As ONNX Runtime calls them. */
const ONNX_NAMES: Readonly<Record<DataType, string>> = {
  BOOL: 'BOOL',
  UINT8: 'UINT8',
  UINT16: 'UINT16',
  UINT32: 'UINT32',
  UINT64: 'UINT64',
  INT8: 'INT8',
  INT16: 'INT16',
  INT32: 'INT32',
  INT64: 'INT64',
  FP16: 'FLOAT16',
  FP32: 'FLOAT',
  FP64: 'DOUBLE',
  BF16: 'BFLOAT16',
  BYTES: 'STRING',
};

/** The same control with values of the type that the model takes. */
function retyped(control: SequenceControl, datatype: DataType | undefined, path: string): ConfigChange[] {
  if (control.kind === 'CONTROL_SEQUENCE_CORRID')
    return datatype === undefined ? [] : [setTo(`${path}.data_type`, dataTypeToConfig(datatype))];
  if (datatype !== 'INT32' && datatype !== 'FP32' && datatype !== 'BOOL') return [];
  const value = { kind: control.kind, ...VALUE_LISTS[datatype] };
  return [setTo(path, value, `Use values of type ${datatype}`)];
}

/** Findings about the inputs of the model that sequence controls name. */
export function checkControlTensors(config: ModelConfig, description: ModelDescription): ConfigIssue[] {
  const tensors = new Map(description.inputs.map((input) => [input.name, input]));
  return controlsOf(config).flatMap(({ name, control, path, controlPath }) => {
    const tensor = tensors.get(name);
    const prefix = `unable to load model '${config.name}', sequence control '${name}'`;
    if (tensor === undefined) {
      const message = `configuration specified sequence control '${name}', but model does not provide that input`;
      const options = { path: `${path}.name`, statusCode: 'INTERNAL' } as const;
      const issue = explainedIssue('D35', message, options, () => {
        const nearest = freeInput(config, description, name);
        return {
          hint: `The model has: ${nameList([...tensors.keys()])}.`,
          changes: [
            ...(nearest === undefined ? [] : [setTo(`${path}.name`, nearest, `Rename to ${nearest}`)]),
            removeAt(path, `Remove control ${name}`),
          ],
        };
      });
      return [issue];
    }
    const issues: ConfigIssue[] = [];
    const dims = config.maxBatchSize > 0 ? tensor.shape.slice(1) : tensor.shape;
    if (dims.length !== 1 || dims[0] !== 1) {
      const message = `${prefix} in model has dims ${formatShape(dims)} but dims [1] is expected`;
      issues.push(configIssue('D35', message, { path, hint: 'Export the control input with one element.' }));
    }
    const wanted = controlDatatype(control);
    if (tensor.datatype !== wanted) {
      const provided = tensor.datatype ?? '<invalid>';
      const expected = tensor.datatype === undefined ? 'UNDEFINED' : ONNX_NAMES[tensor.datatype];
      const message = `${prefix}, the model expects data-type ${expected} but the model configuration specifies data-type ${dataTypeToConfig(wanted)}`;
      const changes = retyped(control, tensor.datatype, controlPath);
      const hint = `Use the control values of type ${provided}.`;
      issues.push(configIssue('D35', message, { path, hint, changes }));
    }
    return issues;
  });
}
