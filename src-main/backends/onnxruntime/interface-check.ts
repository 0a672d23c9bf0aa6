// Compares a configuration with what the model file really offers, and with what the library can exchange. The first
// contradiction is the reason a version fails; runs in every mode, also for configurations completed automatically.

import { firstError } from '../../../src-shared/config/config-issue.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { ModelDescription } from '../../../src-shared/config/model-description.ts';
import { checkInterface } from '../../../src-shared/config/rules/interface-rules.ts';
import { ServerError, unsupported } from '../../../src-shared/errors.ts';
import { ortTypeOf } from './ort-datatypes.ts';

/** Throws the issue's code and text, or UNSUPPORTED for tensors that onnxruntime-node cannot take or give. */
export function requireInterface(config: ModelConfig, description: ModelDescription): void {
  const issue = firstError(checkInterface(config, description));
  if (issue !== undefined) throw new ServerError(issue.statusCode, issue.message);
  requireNoOverrides(config, description);
  requireExchangeable(config, description);
}

/** The library ignores a value given for an initialiser, so a request could not set it. */
function requireNoOverrides(config: ModelConfig, description: ModelDescription): void {
  const overridden = config.input.find((input) =>
    description.inputs.some((tensor) => tensor.name === input.name && tensor.isOptional),
  );
  if (overridden === undefined) return;
  const { name } = overridden;
  throw unsupported(
    `unable to load model '${config.name}', input '${name}' has a default value in the model file: onnxruntime-node would ignore the value given by a request. Export the model with '${name}' as an input without initialiser, or leave it out of the configuration.`,
  );
}

/** BF16 has a name in the protocol but no tensor in the JavaScript library. */
function requireExchangeable(config: ModelConfig, description: ModelDescription): void {
  const tensors = [...description.inputs.filter((input) => !input.isOptional), ...description.outputs];
  const strange = tensors.find(
    (tensor) => tensor.datatype !== undefined && ortTypeOf(tensor.datatype) === undefined,
  );
  if (strange === undefined) return;
  throw unsupported(
    `unable to load model '${config.name}', tensor '${strange.name}' has datatype ${strange.datatype}: onnxruntime-node offers no tensors of that type`,
  );
}
