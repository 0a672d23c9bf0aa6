// The code of the twins: what each does, written for the reference's Python backend and for our JavaScript backend.

/** The same model for either backend. */
export interface TwinCode {
  readonly python: string;
  readonly javascript: string;
}

const python = (body: string, more = ''): string => `import json
import time
import numpy as np
import triton_python_backend_utils as pb


class TritonPythonModel:
${more}    def execute(self, requests):
        responses = []
        for request in requests:
${body
  .split('\n')
  .map((line) => (line === '' ? '' : `            ${line}`))
  .join('\n')}
        return responses
`;

export const ECHO: TwinCode = {
  python: python(`wanted = request.requested_output_names()
pairs = [(tensor.name().replace("INPUT", "OUTPUT"), tensor) for tensor in request.inputs()]
outputs = [pb.Tensor(name, tensor.as_numpy()) for name, tensor in sorted(pairs, key=lambda p: p[0]) if name in wanted]
responses.append(pb.InferenceResponse(outputs))`),
  javascript: `export const execute = (requests) => requests.map(({ inputs, requestedOutputs }) => ({
  outputs: Object.fromEntries(Object.entries(inputs)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { shape, data }]) => [name.replace('INPUT', 'OUTPUT'), { shape, data }])
    .filter(([name]) => requestedOutputs.includes(name))),
}));
`,
};

export const ADD_SUB: TwinCode = {
  python: python(`a = pb.get_input_tensor_by_name(request, "INPUT0").as_numpy()
b = pb.get_input_tensor_by_name(request, "INPUT1").as_numpy()
outputs = [pb.Tensor("OUTPUT0", a + b), pb.Tensor("OUTPUT1", a - b)]
responses.append(pb.InferenceResponse([o for o in outputs if o.name() in request.requested_output_names()]))`),
  javascript: `export const execute = (requests) => requests.map(({ inputs: { INPUT0: a, INPUT1: b } }) => ({
  outputs: {
    OUTPUT0: { shape: a.shape, data: a.data.map((value, i) => value + b.data[i]) },
    OUTPUT1: { shape: a.shape, data: a.data.map((value, i) => value - b.data[i]) },
  },
}));
`,
};

export const SLOW: TwinCode = {
  python: ECHO.python.replace('responses = []', 'responses = []\n        time.sleep(0.4)'),
  javascript: ECHO.javascript.replace(
    'export const execute = (requests) => requests',
    'export const execute = async (requests) => (await new Promise((done) => setTimeout(done, 400)), requests)',
  ),
};

export const ACCUMULATE: TwinCode = {
  python: python(
    `one = lambda name: pb.get_input_tensor_by_name(request, name).as_numpy().reshape(-1)[0]
if one("START"):
    self.sums[one("CORRID")] = 0
value = self.sums.get(one("CORRID"), 0) + one("INPUT")
self.sums[one("CORRID")] = value
flags = [int(one("START")), int(one("END")), int(one("READY"))]
outputs = [pb.Tensor("OUTPUT", np.array([[value]], np.int32)), pb.Tensor("FLAGS", np.array([flags], np.int32))]
responses.append(pb.InferenceResponse(outputs))`,
    '    def initialize(self, args):\n        self.sums = {}\n\n',
  ),
  javascript: `const sums = new Map();
export const execute = (requests) => requests.map(({ inputs }) => {
  const one = (name) => inputs[name].data[0];
  if (one('START')) sums.set(one('CORRID'), 0);
  const value = (sums.get(one('CORRID')) ?? 0) + one('INPUT');
  sums.set(one('CORRID'), value);
  return { outputs: {
    OUTPUT: { shape: [1, 1], data: [value] },
    FLAGS: { shape: [1, 3], data: [one('START'), one('END'), one('READY')] },
  } };
});
`,
};

export const SLOW_ACCUMULATE: TwinCode = {
  python: ACCUMULATE.python.replace('responses = []', 'responses = []\n        time.sleep(0.4)'),
  javascript: ACCUMULATE.javascript.replace(
    'export const execute = (requests) => requests',
    'export const execute = async (requests) => (await new Promise((done) => setTimeout(done, 400)), requests)',
  ),
};

export const REPEAT: TwinCode = {
  python: `import numpy as np
import triton_python_backend_utils as pb


class TritonPythonModel:
    def execute(self, requests):
        for request in requests:
            sender = request.get_response_sender()
            for value in pb.get_input_tensor_by_name(request, "IN").as_numpy().reshape(-1):
                if value < 0:
                    sender.send(pb.InferenceResponse(error=pb.TritonError("negative element")))
                else:
                    sender.send(pb.InferenceResponse([pb.Tensor("OUT", np.array([value], np.int32))]))
            sender.send(flags=pb.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
        return None
`,
  javascript: `export async function execute(requests) {
  for (const request of requests) {
    for (const value of request.inputs.IN.data) {
      await request.send(value < 0 ? { error: 'negative element' } : { outputs: { OUT: [value] } });
    }
    await request.end();
  }
}
`,
};

export const FAILS: TwinCode = {
  python: python('responses.append(pb.InferenceResponse(error=pb.TritonError("fails on purpose")))'),
  javascript: `export const execute = (requests) => requests.map(() => ({ error: 'fails on purpose' }));\n`,
};

export const TELL: TwinCode = {
  python: python(`told = json.dumps(json.loads(request.parameters()), sort_keys=True, separators=(",", ":"))
responses.append(pb.InferenceResponse([pb.Tensor("TOLD", np.array([told.encode()], np.object_))]))`),
  javascript: `export const execute = (requests) => requests.map(({ parameters }) => ({
  outputs: { TOLD: [JSON.stringify(Object.fromEntries(Object.entries(parameters)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => [key, typeof value === 'bigint' ? Number(value) : value])))] },
}));
`,
};

export const BROKEN: TwinCode = {
  python: 'raise RuntimeError("broken on purpose")\n',
  javascript: 'throw new Error("broken on purpose");\n',
};
