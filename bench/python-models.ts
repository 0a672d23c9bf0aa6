// Models written in Python whose speed is measured: what they compute costs next to nothing.

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const HEAD = `import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def execute(self, requests):
        responses = []
        for request in requests:
`;

const ADD_SUB = `${HEAD}            first = pb_utils.get_input_tensor_by_name(request, "INPUT0").as_numpy()
            second = pb_utils.get_input_tensor_by_name(request, "INPUT1").as_numpy()
            total = pb_utils.Tensor("OUTPUT0", first + second)
            difference = pb_utils.Tensor("OUTPUT1", first - second)
            responses.append(pb_utils.InferenceResponse(output_tensors=[total, difference]))
        return responses
`;

const IDENTITY = `${HEAD}            given = pb_utils.get_input_tensor_by_name(request, "INPUT").as_numpy()
            responses.append(pb_utils.InferenceResponse(output_tensors=[pb_utils.Tensor("OUTPUT", given)]))
        return responses
`;

const tensors = (side: 'input' | 'output', names: readonly string[], type: string, dims: string): string =>
  names.map((name) => `${side} { name: "${name}" data_type: ${type} dims: [ ${dims} ] }`).join('\n');

const config = (inputs: readonly string[], outputs: readonly string[], type: string, dims: string): string =>
  [
    'backend: "python"',
    tensors('input', inputs, type, dims),
    tensors('output', outputs, type, dims),
    'instance_group { count: 1 kind: KIND_CPU }',
  ].join('\n');

const MODELS = {
  python_add_sub: {
    code: ADD_SUB,
    config: config(['INPUT0', 'INPUT1'], ['OUTPUT0', 'OUTPUT1'], 'TYPE_INT32', '1, 16'),
  },
  python_identity: { code: IDENTITY, config: config(['INPUT'], ['OUTPUT'], 'TYPE_FP32', '-1') },
};

/** Writes `python_add_sub` (INT32 [1,16] twice) and `python_identity` (FP32 [-1]), one instance each. */
export async function writePythonModels(folder: string): Promise<void> {
  for (const [name, { code, config: text }] of Object.entries(MODELS)) {
    await mkdir(path.join(folder, name, '1'), { recursive: true });
    await writeFile(path.join(folder, name, 'config.pbtxt'), `${text}\n`);
    await writeFile(path.join(folder, name, '1', 'model.py'), code);
  }
}
