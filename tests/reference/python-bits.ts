// Python models that get and give BF16, by themselves and from another model.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcCall } from './grpc-exchange.ts';
import { within } from './http-calls.ts';
import { indented, pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const CPU = 'instance_group [ { kind: KIND_CPU count: 1 } ]';
const HALVES = `input [ { name: "INPUT0" data_type: TYPE_BF16 dims: [ -1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_BF16 dims: [ -1 ] } ]
${CPU}`;

const GIVES = 'pb_utils.Tensor.from_dlpack("OUTPUT0", x.to_dlpack())';
const asked = (more: string): string => `one = pb_utils.InferenceRequest(${more})
response = one.exec()
if response.has_error():
    raise pb_utils.TritonModelException(response.error().message())
out = response.output_tensors()[0]
`;

/** Bodies that have the tensor `x`, and answer with a tensor or raise what they want to tell. */
const BITS: Readonly<Record<string, string>> = {
  gives: `return ${GIVES}`,
  gives_bits: 'return pb_utils.Tensor("OUTPUT0", np.array([0x3f80, 0x4000], np.uint16))',
  gives_floats: 'return pb_utils.Tensor("OUTPUT0", np.ones(2, np.float32))',
  reads: 'return pb_utils.Tensor("OUTPUT0", x.as_numpy())',
  by_dlpack: 'return pb_utils.Tensor("OUTPUT0", np.from_dlpack(x))',
  calls: `${asked('model_name="halves", inputs=[x], requested_output_names=["OUTPUT0"], parameters={"case": "gives"}')}raise ValueError([out.name(), out.shape(), out.is_cpu()])`,
  calls_and_gives: `${asked('model_name="halves", inputs=[x], requested_output_names=["OUTPUT0"], parameters={"case": "gives"}')}return out`,
  calls_and_reads: `${asked('model_name="halves", inputs=[x], requested_output_names=["OUTPUT0"], parameters={"case": "gives"}')}return out.as_numpy()`,
  calls_with_floats: `${asked('model_name="halves", inputs=[pb_utils.Tensor("INPUT0", np.ones(2, np.float32))], requested_output_names=["OUTPUT0"], parameters={"case": "gives"}')}return out`,
  calls_with_bits: `${asked('model_name="halves", inputs=[pb_utils.Tensor("INPUT0", np.ones(2, np.uint16))], requested_output_names=["OUTPUT0"], parameters={"case": "gives"}')}return out`,
};

const CODE = `
${Object.entries(BITS)
  .map(([name, body]) => `def case_${name}(x):\n${indented(body, 4)}\n`)
  .join('\n\n')}

class TritonPythonModel:
    def execute(self, requests):
        return [pb_utils.InferenceResponse([globals()["case_" + json.loads(one.parameters())["case"]](one.inputs()[0])]) for one in requests]
`;

const files: RepositoryFiles = {
  ...pythonFiles('halves', CODE, HALVES.replace('count: 1', 'count: 2')),
};

const asking = (model: string, names: readonly string[], title: string): ReferenceCase => ({
  name: `python ${title}`,
  run: async ({ grpcPort }) => {
    const answers: unknown[] = [];
    for (const name of names) {
      const message = {
        model_name: model,
        parameters: { case: { string_param: name } },
        inputs: [{ name: 'INPUT0', datatype: 'BF16', shape: [2n] }],
        raw_input_contents: [Buffer.from([0x80, 0x3f, 0x00, 0x40])],
      };
      const seen = await within<unknown>(grpcCall(grpcPort, 'ModelInfer', message), 8000).catch(String);
      // Which of two instances answers is chance.
      const told = JSON.stringify(seen)
        .replace(/(\\+n)*At:.*?(?=")/gs, '<traceback>')
        .replace(/halves_0_\d/, 'halves_0');
      answers.push({ step: name, seen: told });
    }
    return answers;
  },
});

export const PYTHON_BIT_SCENE: Scene = {
  name: 'python bits',
  together: 'python models',
  repositories: sameFor(files),
  cases: [asking('halves', Object.keys(BITS), 'halves')],
};
