// A Python model with the tensors of one that only Conch runs, to be filled in by whoever rewrites it.

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { modelConfigToText } from '../../src-shared/config/config-encoder.ts';
import type { HandoverFile } from '../../src-shared/contract/handover-calls.ts';
import type { CheckedModel } from '../check/check-model.ts';
import { SKELETON_FOLDER } from './checks/backend-rules.ts';

/** The model folder: configuration and `1/model.py`; nothing for models that need no rewriting. */
export function pythonSkeleton({ name, config }: CheckedModel): readonly HandoverFile[] {
  if (config.backend !== 'javascript') return [];
  const folder = `${SKELETON_FOLDER}/${name}`;
  const changed: ModelConfig = { ...config, backend: 'python', defaultModelFilename: '', parameters: {} };
  return [
    { path: `${folder}/config.pbtxt`, text: modelConfigToText(changed) },
    { path: `${folder}/1/model.py`, text: source(config) },
  ];
}

function source({ name, input, output }: ModelConfig): string {
  const literal = (text: string): string => JSON.stringify(text);
  const read = input.map(
    ({ name: tensor }, at) =>
      `            input_${at} = pb_utils.get_input_tensor_by_name(request, ${literal(tensor)}).as_numpy()`,
  );
  const made = output.map(
    ({ name: tensor, dims }, at) =>
      `            output_${at} = self.make(${literal(tensor)})  # dims: ${dims.join(', ')}`,
  );
  const tensors = output.map(({ name: tensor }, at) => `pb_utils.Tensor(${literal(tensor)}, output_${at})`);
  return `# ${name}: the tensors of the model that is to be rewritten; what it computes is to be written into \`make\`.

import json

import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def initialize(self, args):
        self.config = json.loads(args["model_config"])

    def make(self, name):
        raise pb_utils.TritonModelException(f"nothing computes {name} yet")

    def execute(self, requests):
        responses = []
        for request in requests:
${[...read, ...made].join('\n')}
            responses.append(pb_utils.InferenceResponse([${tensors.join(', ')}]))
        return responses
`;
}
