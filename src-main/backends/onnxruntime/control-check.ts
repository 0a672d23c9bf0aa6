// Sequence control tensors against the model file: present, one value per request, of the type the encoding implies.

import type { ModelConfig, SequenceControl } from '../../../src-shared/config/model-config.ts';
import type { ModelDescription, TensorDescription } from '../../../src-shared/config/model-description.ts';
import { dataTypeFromConfig } from '../../../src-shared/datatypes.ts';
import type { ConfigDataType } from '../../../src-shared/datatypes.ts';
import { internal, invalidArg } from '../../../src-shared/errors.ts';

export const shapeText = (dims: readonly number[]): string => `[${dims.join(',')}]`;

/** "INT32"; "<invalid>" for element types without a name in the protocol. */
export const datatypeText = (tensor: TensorDescription): string => tensor.datatype ?? '<invalid>';

/** Number of control tensors the model takes. Throws INTERNAL for a missing one, INVALID_ARG for a wrong one. */
export function checkControls(config: ModelConfig, description: ModelDescription): number {
  const controls = config.sequenceBatching?.controlInput ?? [];
  for (const { name, control } of controls) {
    const tensor = description.inputs.find((input) => input.name === name);
    if (tensor === undefined) {
      throw internal(
        `configuration specified sequence control '${name}', but model does not provide that input`,
      );
    }
    const start = `unable to load model '${config.name}', sequence control '${name}'`;
    const dims = config.maxBatchSize > 0 ? tensor.shape.slice(1) : tensor.shape;
    if (dims.length !== 1 || dims[0] !== 1) {
      throw invalidArg(`${start} in model has dims ${shapeText(dims)} but dims [1] is expected`);
    }
    for (const entry of control) {
      const dataType = controlDataType(entry);
      if (dataTypeFromConfig(dataType) === tensor.datatype) continue;
      throw invalidArg(
        `${start}, the model expects data-type ${datatypeText(tensor)} but the model configuration specifies data-type ${dataType}`,
      );
    }
  }
  return controls.length;
}

function controlDataType(control: SequenceControl): ConfigDataType {
  if (control.kind === 'CONTROL_SEQUENCE_CORRID') return control.dataType;
  if (control.int32FalseTrue.length > 0) return 'TYPE_INT32';
  return control.fp32FalseTrue.length > 0 ? 'TYPE_FP32' : 'TYPE_BOOL';
}
