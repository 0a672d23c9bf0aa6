// Sequence controls against the model file: present, of shape [1] beside the batch dimension, of the right type.

import { dataTypeFromConfig, type DataType } from '../../datatypes.ts';
import { formatShape } from '../../tensor/shape.ts';
import { configIssue, type ConfigIssue } from '../config-issue.ts';
import type { ModelConfig, SequenceControl } from '../model-config.ts';
import type { ModelDescription } from '../model-description.ts';

interface PlacedControl {
  readonly name: string;
  readonly control: SequenceControl;
  readonly path: string;
}

function controlsOf(config: ModelConfig): PlacedControl[] {
  return (config.sequenceBatching?.controlInput ?? []).flatMap((input, index) =>
    input.control.map((control) => ({
      name: input.name,
      control,
      path: `sequence_batching.control_input[${index}]`,
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

export function checkControlTensors(config: ModelConfig, description: ModelDescription): ConfigIssue[] {
  return controlsOf(config).flatMap(({ name, control, path }) => {
    const tensor = description.inputs.find((input) => input.name === name);
    const prefix = `unable to load model '${config.name}', sequence control '${name}'`;
    if (tensor === undefined) {
      const message = `configuration specified sequence control '${name}', but model does not provide that input`;
      const known = description.inputs.map((input) => input.name).join(', ');
      const options = {
        path: `${path}.name`,
        statusCode: 'INTERNAL',
        hint: `The model has: ${known}.`,
      } as const;
      return [configIssue('D35', message, options)];
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
      const message = `${prefix}, the model expects data-type ${provided} but the model configuration specifies data-type TYPE_${wanted}`;
      issues.push(configIssue('D35', message, { path, hint: `Use the control values of type ${provided}.` }));
    }
    return issues;
  });
}
