// A model that evaluates Python expressions inside of `execute` and answers what came of them: the quickest way to ask
// what the interface for models does.

import type { PythonModel, PythonWorld } from './python-world.ts';

export const PROBE: PythonModel = {
  config: `max_batch_size: 0
input [ { name: "CODE" data_type: TYPE_STRING dims: [ -1 ] } ]
output [ { name: "RESULT" data_type: TYPE_STRING dims: [ -1 ] } ]`,
  code: `
def request(model="probe", **changed):
    return InferenceRequest(**{"inputs": [], "requested_output_names": [], "model_name": model, **changed})

def evaluate(text, names):
    try:
        if "\\n" in text:
            exec(text, names)
            return str(names["result"])
        return repr(eval(text, names))
    except BaseException as error:
        return f"{type(error).__name__}: {error}"

class TritonPythonModel:
    def execute(self, requests):
        responses = []
        for each in requests:
            codes = each.inputs()[0].as_numpy()
            results = [evaluate(code.decode(), {**globals(), "this": each}) for code in codes]
            responses.append(InferenceResponse([Tensor("RESULT", np.array(results, dtype=object))]))
        return responses
`,
};

/** What one expression gives: its repr, or "Type: text" of what it raises. Several lines leave it in \`result\`. */
export async function probe(
  world: PythonWorld,
  code: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const reply = await world.infer('probe', {
    inputs: [{ name: 'CODE', datatype: 'BYTES', shape: [1], data: [code] }],
    ...more,
  });
  return reply.error === '' ? String(reply.outputs[0]?.data[0]) : `reply ${reply.status}: ${reply.error}`;
}
