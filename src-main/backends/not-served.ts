// Triton's backends that this server does not have: known by name and by their files, so that a model of theirs is shown
// for what it is, with a sentence on what it needs. Whoever adds one of these backends removes it here.

import type { ArtefactForm, BackendDescription } from '../../src-shared/config/backend-description.ts';
import { describeBackend } from '../../src-shared/config/backend-description.ts';

const TO_ONNX = 'this server does not run them: export the model to ONNX, or keep it on a Triton server';

function notServed(
  name: string,
  title: string,
  artefacts: readonly ArtefactForm[],
  change: Partial<BackendDescription> = {},
): BackendDescription {
  return describeBackend({
    name,
    title,
    summary: `${title} models.`,
    format: 'binary',
    artefacts,
    supportsOptionalInputs: false,
    createsInParallel: false,
    needs: `${title} models need their own backend, and ${TO_ONNX}.`,
    ...change,
  });
}

/** Without a loader: models of theirs fail with what they need. */
export const notServedBackends: readonly BackendDescription[] = [
  notServed('vllm', 'vLLM', [{ name: 'model.json', form: 'file' }], {
    runsCode: true,
    needs:
      "vLLM models need their own backend, which is written in Python and not part of this server: put Triton's " +
      'vllm backend as the folder `vllm` under --backend-directory, and run `python3 -m pip install vllm` for the ' +
      'Python that runs models.',
  }),
  notServed('tensorrtllm', 'TensorRT-LLM', []),
  notServed('fil', 'Forest Inference', []),
];
