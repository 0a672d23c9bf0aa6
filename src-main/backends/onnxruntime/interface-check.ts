// Compares a configuration with what the model file really offers, and with what the library can exchange. The first
// contradiction is the reason a version fails; runs in every mode, also for configurations completed automatically.

import { firstError } from '../../../src-shared/config/config-issue.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { ModelDescription } from '../../../src-shared/config/model-description.ts';
import { checkInterface } from '../../../src-shared/config/rules/interface-rules.ts';
import { ServerError } from '../../../src-shared/errors.ts';
import { onnxruntimeErrors } from './onnxruntime-errors.ts';
import { ortTypeOf } from './ort-datatypes.ts';

/** Throws the issue's code and text, or UNSUPPORTED for tensors that onnxruntime-node cannot take or give. */
export function requireInterface(config: ModelConfig, description: ModelDescription): void {
  const issue = firstError(checkInterface(config, description));
  if (issue !== undefined) throw new ServerError(issue.statusCode, issue.message);
  requireExchangeable(config, description);
}

/** BF16 has a name in the protocol but no tensor in the JavaScript library. */
function requireExchangeable(config: ModelConfig, description: ModelDescription): void {
  const configured = new Set(config.input.map(({ name }) => name));
  const inputs = description.inputs.filter(({ name, isOptional }) => !isOptional || configured.has(name));
  const tensors = [...inputs, ...description.outputs];
  const strange = tensors.find(
    (tensor) => tensor.datatype !== undefined && ortTypeOf(tensor.datatype) === undefined,
  );
  if (strange === undefined) return;
  throw onnxruntimeErrors.noSuchTensors({
    model: config.name,
    tensor: strange.name,
    datatype: String(strange.datatype),
  });
}
