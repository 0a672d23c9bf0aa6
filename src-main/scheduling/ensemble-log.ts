// What the verbose log tells of the responses inside an ensemble, in the reference's words.

import { getLogger } from '../base/log.ts';
import type { InferenceResponse } from '../inference/inference-response.ts';

const log = getLogger('scheduling');

/** Where the reference takes memory for each output of a step, the model's own memory is used here. */
export function logStepOutputs(
  outputs: readonly { readonly modelTensor: string }[],
  response: InferenceResponse,
): void {
  for (const { name, bytes } of response.outputs) {
    log.verbose(
      1,
      `Internal response allocation: ${name}, size ${bytes.byteLength}, memory type 0, type id 0`,
    );
    if (outputs.some(({ modelTensor }) => modelTensor === name)) continue;
    log.verbose(
      1,
      `in ensemble, an internal response header specified output '${name}' that does not map to any ensemble tensors`,
    );
  }
  for (const { bytes } of response.outputs) {
    log.verbose(1, `Internal response release: size ${bytes.byteLength}`);
  }
}
