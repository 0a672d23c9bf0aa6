// Row 9 of the checklist of Triton's Python backend: requests of a model to other models; and what else a model asks of
// the server: loading and unloading.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';
import { needsPython, testPython } from '../../../src-main/testing/test-python.ts';
import { PROBE, probe } from './probe-model.ts';
import { executing, ONE_TO_ONE, PythonWorld } from './python-world.ts';

const DECOUPLED = `${ONE_TO_ONE}\nmodel_transaction_policy { decoupled: true }`;
const NOT_READY = (model: string): string =>
  `Model ${model} - Error when running inference: Failed for execute the inference request. Model '${model}' is not ready.`;

const HELPERS = `
def ask(model, data=(1, 2), outputs=("OUTPUT0",), **more):
    inputs = [Tensor("INPUT0", np.array(data, np.float32))]
    return request(model, **{"inputs": inputs, "requested_output_names": list(outputs), **more})

def show(response):
    if response.has_error():
        return (int(response.error().code()), response.error().message())
    return [tensor.as_numpy().tolist() for tensor in response.output_tensors()]

at_start = None
`;

const BLS: typeof PROBE = {
  ...PROBE,
  code: `${HELPERS}${PROBE.code}
    def initialize(self, args):
        global at_start
        try:
            ask("identity").exec()
        except Exception as error:
            at_start = f"{type(error).__name__}: {error}"
`,
};

const MODELS = {
  probe: BLS,
  identity: {
    code: executing(
      'return [InferenceResponse([Tensor("OUTPUT0", each.inputs()[0].as_numpy())]) for each in requests]',
    ),
  },
  three: {
    config: DECOUPLED,
    code: executing(`for each in requests:
    sender = each.get_response_sender()
    for index in range(3): sender.send(InferenceResponse([Tensor("OUTPUT0", np.full(1, index, np.float32))]))
    sender.send(flags=1)`),
  },
  endless: {
    config: DECOUPLED,
    code: `
def run(sender):
    while not sender.is_cancelled():
        sender.send(InferenceResponse([Tensor("OUTPUT0", np.zeros(1, np.float32))]))
        time.sleep(0.005)
    sender.send(InferenceResponse([], TritonError("stopped", TritonError.CANCELLED)), flags=1)

${executing('for each in requests: threading.Thread(target=run, args=(each.get_response_sender(),)).start()')}`,
  },
  // Sends so many, or how far it came the last time.
  sends: {
    config: DECOUPLED,
    code: `
came = -1
${executing(`global came
for each in requests:
    sender = each.get_response_sender()
    count = int(each.inputs()[0].as_numpy()[0])
    if count == 0: sender.send(InferenceResponse([Tensor("OUTPUT0", np.full(1, came, np.float32))]))
    for came in range(count):
        if sender.is_cancelled(): break
        sender.send(InferenceResponse([Tensor("OUTPUT0", np.full(1, came, np.float32))]))
        time.sleep(0.005)
    sender.send(flags=1)`)}`,
  },
  fails: { code: executing('raise ValueError("fails")') },
  refuses: { code: executing('return [InferenceResponse([], TritonError("mine", TritonError.NOT_FOUND))]') },
  echo: {
    code: executing(`return [InferenceResponse([Tensor("OUTPUT0", each.inputs()[0].as_numpy())],
    parameters={"got": each.parameters(), "k": 1, "b": True}) for each in requests]`),
  },
  slow: {
    config: `${ONE_TO_ONE}
dynamic_batching { default_queue_policy { allow_timeout_override: true timeout_action: REJECT default_timeout_microseconds: 60000000 } }
max_batch_size: 0`,
    // At work from "began" until there is "go", in the folder that the request names.
    code: executing(`folder = json.loads(requests[0].parameters())["folder"]
open(os.path.join(folder, "began"), "w").close()
while not os.path.exists(os.path.join(folder, "go")): time.sleep(0.01)
return [InferenceResponse([Tensor("OUTPUT0", np.ones(1, np.float32))]) for each in requests]`),
  },
  recursive: {
    config: `${ONE_TO_ONE}\ninstance_group [ { kind: KIND_CPU count: 4 } ]`,
    code: `${HELPERS.replace('request(model', 'InferenceRequest(model_name=model')}
${executing(`depth = json.loads(requests[0].parameters()).get("depth", 0)
if depth >= 3:
    return [InferenceResponse([Tensor("OUTPUT0", np.full(1, depth, np.float32))])]
answer = ask("recursive", parameters={"depth": depth + 1}).exec()
return [InferenceResponse(answer.output_tensors(), answer.error())]`)}`,
  },
  async_calls: {
    code: `${HELPERS.replace('request(model', 'InferenceRequest(model_name=model')}
class TritonPythonModel:
    async def execute(self, requests):
        answers = await asyncio.gather(*[ask("identity", [index]).async_exec() for index in range(8)])
        stream = await ask("three").async_exec(decoupled=True)
        total = sum(float(a.output_tensors()[0].as_numpy()[0]) for a in answers) + 100 * len(list(stream))
        return [InferenceResponse([Tensor("OUTPUT0", np.full(1, total, np.float32))])]
`,
  },
  // Both calls are under way before the first answer is waited for.
  at_once: {
    code: `${HELPERS.replace('request(model', 'InferenceRequest(model_name=model')}
class TritonPythonModel:
    async def execute(self, requests):
        calls = [ask("at_once_meets", [side]).async_exec() for side in range(2)]
        met = [(await call).output_tensors()[0].as_numpy()[0] for call in calls]
        return [InferenceResponse([Tensor("OUTPUT0", np.array(met, np.float32))])]
`,
  },
  // Answers 1 when both of its instances have a request at the same time.
  at_once_meets: {
    config: `${ONE_TO_ONE}\ninstance_group [ { kind: KIND_CPU count: 2 } ]`,
    code: executing(`side = int(requests[0].inputs()[0].as_numpy()[0])
folder = pb_utils.get_model_dir()
open(os.path.join(folder, "side%d" % side), "w").close()
end = time.monotonic() + 20
while not os.path.exists(os.path.join(folder, "side%d" % (1 - side))) and time.monotonic() < end:
    time.sleep(0.01)
met = os.path.exists(os.path.join(folder, "side%d" % (1 - side))) and time.monotonic() < end
return [InferenceResponse([Tensor("OUTPUT0", np.full(1, met, np.float32))])]`),
  },
  unloaded: { code: executing('return None') },
};

type Row = readonly [title: string, code: string, expected: string];

const ROWS: readonly Row[] = [
  ['answers', 'show(ask("identity").exec())', '[[1.0, 2.0]]'],
  [
    'an output asked for twice',
    'show(ask("identity", outputs=("OUTPUT0", "OUTPUT0")).exec())',
    '[[1.0, 2.0]]',
  ],
  [
    'large tensors pass',
    'bool((ask("identity", np.arange(100000)).exec().output_tensors()[0].as_numpy() == np.arange(100000)).all())',
    'True',
  ],
  ['unknown model', 'show(ask("nix").exec())', `(1, "${NOT_READY('nix')}")`],
  ['unknown version', 'show(ask("identity", model_version=7).exec())', `(1, "${NOT_READY('identity')}")`],
  ['model that is not ready', 'show(ask("unloaded").exec())', `(1, "${NOT_READY('unloaded')}")`],
  [
    'decoupled model without decoupled=True',
    'show(ask("three").exec())',
    `(1, "Model three - Error when running inference: Model three is using the decoupled. The current BLS request call doesn't support models using the decoupled transaction policy. Please use 'decoupled=True' argument to the 'exec' or 'async_exec' calls for decoupled models.'")`,
  ],
  [
    'decoupled model',
    '[show(each) for each in ask("three").exec(decoupled=True)]',
    '[[[0.0]], [[1.0]], [[2.0]], []]',
  ],
  [
    'decoupled call of an ordinary model',
    '[show(each) for each in ask("identity").exec(decoupled=True)]',
    '[[[1.0, 2.0]]]',
  ],
  [
    'decoupled call of an unknown model',
    '[show(each) for each in ask("nix").exec(decoupled=True)]',
    `[(1, "${NOT_READY('nix')}")]`,
  ],
  [
    'iterator: goes over what it had once more',
    'it = ask("three").exec(decoupled=True)\nresult = ([show(each) for each in it], [show(each) for each in it])',
    '([[[0.0]], [[1.0]], [[2.0]], []], [[[0.0]], [[1.0]], [[2.0]], []])',
  ],
  [
    'iterator: goes on after a break',
    'it = ask("three").exec(decoupled=True)\nfor each in it: break\nresult = [show(each) for each in it]',
    '[[[1.0]], [[2.0]], []]',
  ],
  [
    'iterator: who leaves it lets the other model finish',
    'it = ask("sends", [40]).exec(decoupled=True)\nnext(it)\ndel it\nresult = show(next(iter(ask("sends", [0]).exec(decoupled=True))))',
    '[[39.0]]',
  ],
  [
    'cancel before the end',
    'it = ask("endless").exec(decoupled=True)\nfor each in it: break\nit.cancel()\nresult = [show(each) for each in it][-1]',
    "(7, 'stopped')",
  ],
  [
    'cancel after the end has no effect',
    'it = ask("three").exec(decoupled=True)\ncount = len(list(it))\nit.cancel()\nresult = count',
    '4',
  ],
  [
    'wrong data type',
    'show(request("identity", inputs=[Tensor("INPUT0", np.ones(2, np.int32))]).exec())',
    `(1, "Model identity - Error when running inference: [request id: <id_unknown>] inference input 'INPUT0' data-type is 'INT32', but model 'identity' expects 'FP32'")`,
  ],
  [
    'an id of a sequence of more than 128 bytes',
    'show(request("identity", inputs=[Tensor("INPUT0", np.ones(2, np.float32))], correlation_id="ä" * 65).exec())',
    "(1, 'Model identity - Error when running inference: string correlation ID cannot be longer than 128 characters')",
  ],
  [
    'an id of a sequence of 128 bytes',
    'show(request("identity", inputs=[Tensor("INPUT0", np.ones(2, np.float32))], correlation_id="ä" * 64).exec())',
    '[[1.0, 1.0]]',
  ],
  [
    'unknown output',
    'show(ask("identity", outputs=["X"]).exec())',
    `(1, "Model identity - Error when running inference: unexpected inference output 'X' for model 'identity'")`,
  ],
  ['no output asked for is all of them', 'show(ask("identity", outputs=[]).exec())', '[[1.0, 2.0]]'],
  ['error of the model keeps its code', 'show(ask("refuses").exec())', "(2, 'mine')"],
  [
    'parameters pass both ways',
    'ask("echo", parameters={"a": 1, "b": True, "c": "x"}).exec().parameters()',
    String.raw`'{"got": "{\\"a\\":1,\\"b\\":true,\\"c\\":\\"x\\"}", "k": 1, "b": true}'`,
  ],
  [
    'in initialize it is refused',
    'at_start',
    `"TritonModelException: BLS is only supported during the 'execute' function."`,
  ],
];

describe.skipIf(testPython() === undefined)(needsPython('what Python models ask of the server'), () => {
  let world: PythonWorld;

  beforeAll(async () => {
    world = await PythonWorld.create(MODELS, { repository: { autoCompleteConfig: false } });
    await world.call('repository/models/unloaded/unload', {});
  });

  afterAll(() => world[Symbol.asyncDispose]());

  test.each(ROWS)('9 BLS: %s', async (_, code, expected) => {
    expect(await probe(world, code)).toBe(expected);
  });

  test('9 BLS: an exception of the model is its error', async () => {
    const text = await probe(world, 'ask("fails").exec().error().message()');
    expect(text).toContain(
      "Failed to process the request(s) for model 'fails_0', message: ValueError: fails",
    );
  });

  test('9 BLS: parameters carry a recursion over instances', async () => {
    expect((await world.ask('recursive')).outputs[0]?.data).toEqual([3]);
  });

  test('9 BLS: coroutines ask several models at once', async () => {
    expect((await world.ask('async_calls')).outputs[0]?.data).toEqual([28 + 400]);
  });

  test('9 BLS: async calls are on their way before anybody waits for them', async () => {
    expect((await world.ask('at_once')).outputs[0]?.data).toEqual([1, 1]);
  });

  test('9 BLS: a timeout ends a request that waits', async () => {
    await using folder = await TempRepository.create();
    const code = `folder = ${JSON.stringify(folder.path)}
first = threading.Thread(target=lambda: ask("slow", parameters={"folder": folder}).exec())
first.start()
while not os.path.exists(os.path.join(folder, "began")): time.sleep(0.01)
result = show(ask("slow", parameters={"folder": folder}, timeout=1000).exec())
open(os.path.join(folder, "go"), "w").close()
first.join()`;
    expect(await probe(world, code)).toMatch(/^\(4, .*Request timeout expired/);
  });

  test('models are loaded, asked for and unloaded', async () => {
    expect(
      await probe(
        world,
        'pb_utils.is_model_ready("identity"), pb_utils.is_model_ready("nix"), pb_utils.is_model_ready("identity", "7")',
      ),
    ).toBe('(True, False, False)');
    expect(await probe(world, 'pb_utils.load_model("unloaded")')).toBe('None');
    expect(await probe(world, 'pb_utils.is_model_ready("unloaded")')).toBe('True');
    expect(await probe(world, 'pb_utils.unload_model("unloaded")')).toBe('None');
  });

  test.each([
    ['load_model("nix")', /^TritonModelException: Failed to load model: /],
    [
      'load_model("nix", files=5)',
      "TritonModelException: failed to load model 'nix', files should be a dictionary of file paths and file contents",
    ],
    [
      'is_model_ready("identity", "-1")',
      /message: failed to get model version from specified version string '-1', version should be an integral value > 0$/,
    ],
    [
      'is_model_ready("identity", "x")',
      /Failed to check model readiness: .*failed to get model version from specified version string 'x'.*version should be an integral value > 0/,
    ],
  ])('models: %s', async (call, expected) => {
    const text = await probe(world, `pb_utils.${call}`);
    if (expected instanceof RegExp) expect(text).toMatch(expected);
    else expect(text).toBe(expected);
  });

  test('models: code that comes with a load call is refused, as on the wire', async () => {
    const call =
      'load_model("new", config=json.dumps({"backend": "python"}), files={"file:1/model.py": b"x = 1"})';
    expect(await probe(world, `pb_utils.${call}`)).toMatch(/^TritonModelException: Failed to load model: /);
    expect(world.logged('--allow-code-override=true')).not.toEqual([]);
  });
});
