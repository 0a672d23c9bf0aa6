// Row 13 (auto-complete) of the checklist of Triton's Python backend; iterative sequences; which files are code.

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needsPython, testPython } from '../../../src-main/testing/test-python.ts';
import { executing, IMPORTS, indented, ONE_TO_ONE, PythonWorld } from './python-world.ts';
import { streamValues } from './python-streams.ts';

const IDENTITY = executing(
  'return [InferenceResponse([Tensor("OUTPUT0", each.inputs()[0].as_numpy())]) for each in requests]',
);

const completing = (body: string): string =>
  `${IDENTITY}
    @staticmethod
    def auto_complete_config(config):
${indented(body, 8)}
`;

const INPUT = '{"name": "INPUT0", "data_type": "TYPE_FP32", "dims": [-1]}';
const OUTPUT = '{"name": "OUTPUT0", "data_type": "TYPE_FP32", "dims": [-1]}';
const BOTH = `config.add_input(${INPUT})\nconfig.add_output(${OUTPUT})`;

const FUNCTION = (model: string): string => `auto-complete-config function for model '${model}'`;

const CONFLICTS: readonly (readonly [model: string, body: string, expected: string])[] = [
  [
    'batch',
    'config.set_max_batch_size(-1)',
    `configuration specified max_batch_size 0, but in ${FUNCTION('batch')} specified max_batch_size -1`,
  ],
  [
    'property',
    'config.add_input({"name": "A", "x": 1})',
    `input 'A' in ${FUNCTION('property')} contains property other than 'name', 'data_type', 'dims' and 'optional'.`,
  ],
  [
    'out_property',
    'config.add_output({"name": "A", "optional": True})',
    `output 'A' in ${FUNCTION('out_property')} contains property other than 'name', 'data_type' and 'dims'.`,
  ],
  [
    'no_name',
    'config.add_input({"dims": [1]})',
    `input in ${FUNCTION('no_name')} is missing 'name' property.`,
  ],
  [
    'no_type',
    'config.add_input({"name": "A", "dims": [1]})',
    `input 'A' in ${FUNCTION('no_type')} is missing 'data_type' property.`,
  ],
  [
    'no_dims',
    'config.add_output({"name": "A", "data_type": "TYPE_FP32"})',
    `output 'A' in ${FUNCTION('no_dims')} is missing 'dims' property.`,
  ],
  [
    'type',
    'config.add_input({"name": "INPUT0", "data_type": "TYPE_INT8", "dims": [-1]})',
    "unable to load model 'type', configuration expects datatype TYPE_FP32 for input 'INPUT0', model provides TYPE_INT8",
  ],
  [
    'dims',
    'config.add_output({"name": "OUTPUT0", "data_type": "TYPE_FP32", "dims": [4]})',
    "model 'dims', tensor 'OUTPUT0': the model expects dims [4] but the model configuration specifies dims [-1]",
  ],
  [
    'optional',
    `config.add_input({**${INPUT}, "optional": True})`,
    "model 'optional', tensor 'INPUT0': the model expects optional True but the model configuration specifies optional False",
  ],
  [
    'policy',
    'config.set_model_transaction_policy({"x": 1})',
    "model transaction property in auto-complete-config function for model 'policy' contains property other than 'decoupled'.",
  ],
  [
    'decoupled',
    'config.set_model_transaction_policy({"decoupled": True})\nconfig.set_model_transaction_policy({"decoupled": False})',
    "trying to change decoupled property in auto-complete-config for model 'decoupled', which is already set to 'True'.",
  ],
  [
    'none',
    'return None',
    "auto_complete_config function in model 'none' must return a valid pb.ModelConfig object.",
  ],
  ['throws', 'raise KeyError("x")', "KeyError: 'x'\n\nAt:\n  "],
  ['no_name_but_more', 'config.add_input({"data_type": "TYPE_FP32", "x": 1})', "KeyError: 'name'\n\nAt:\n  "],
  ['emptied', `config.as_dict().clear()\nconfig.add_input(${INPUT})`, "KeyError: 'input'\n\nAt:\n  "],
  ['dims_null', add('None'), "model input 'INPUT9' must specify 'dims' for dims_null"],
  [
    'type_number',
    'config.add_input({"name": "INPUT9", "data_type": 11, "dims": [1]})\nconfig.add_input({"name": "INPUT9", "data_type": "TYPE_FP32", "dims": [1]})',
    'TypeError: can only concatenate str (not "int") to str',
  ],
  ['no_number', 'config.as_dict()["x"] = float("nan")', 'Failed to accept document, invalid JSON.'],
  ['no_text', 'config.as_dict()["x"] = "\\ud800"', 'Failed to parse auto-complete JSON.'],
  [
    'no_object',
    'config._model_config = 5',
    "attempt to access non-existing object member 'default_model_filename'",
  ],
];

function add(dims: string, type = '"TYPE_FP32"'): string {
  return `config.add_input({"name": "INPUT9", "data_type": ${type}, "dims": ${dims}})`;
}

/** As a running Triton answers: all of it is left out, what else was completed included. */
const UNREADABLE: readonly (readonly [model: string, body: string])[] = [
  ['bad_type', add('[1]', '"FP32"')],
  ['bad_dims', add('"x"')],
  ['bad_size', 'config.as_dict()["max_batch_size"] = 2.5'],
  ['bad_name', 'config.add_input({"name": 5, "data_type": "TYPE_FP32", "dims": [1]})'],
  ['bad_field', 'config.as_dict()["nothing"] = 5'],
];

const MODELS = {
  no_config: {
    config: null,
    code: completing(`${BOTH}\nconfig.set_model_transaction_policy({"decoupled": True})\nreturn config`),
  },
  batching: {
    config: '',
    code: completing(
      `${BOTH}\nconfig.set_max_batch_size(4)\nconfig.set_dynamic_batching()\nprint("known:", sorted(config.as_dict()) != [])\nreturn config`,
    ),
  },
  iterative: {
    config: `${ONE_TO_ONE}\nsequence_batching { iterative_sequence: true }`,
    code: executing(`responses = []
for request in requests:
    self.count = getattr(self, "count", 0) + 1
    if self.count % 3 != 0:
        request.set_release_flags(pb_utils.TRITONSERVER_REQUEST_RELEASE_RESCHEDULE)
        responses.append(None)
    else:
        responses.append(InferenceResponse([Tensor("OUTPUT0", np.full(1, self.count, np.float32))]))
return responses`),
  },
  iterative_stream: {
    config: `${ONE_TO_ONE}\nsequence_batching { iterative_sequence: true }\nmodel_transaction_policy { decoupled: true }`,
    code: executing(`for request in requests:
    self.count = getattr(self, "count", 0) + 1
    sender = request.get_response_sender()
    sender.send(InferenceResponse([Tensor("OUTPUT0", np.full(1, self.count, np.float32))]), flags=int(self.count == 3))
    if self.count < 3: request.set_release_flags(pb_utils.TRITONSERVER_REQUEST_RELEASE_RESCHEDULE)`),
  },
  rescheduled_and_answered: {
    config: `${ONE_TO_ONE}\nsequence_batching { iterative_sequence: true }`,
    code: executing(`requests[0].set_release_flags(2)
return [InferenceResponse()]`),
  },
  siblings: {
    code: `from helper import VALUE\nfrom .beside import OTHER\n${executing('return [InferenceResponse([Tensor("OUTPUT0", np.array([VALUE, OTHER], np.float32))])]')}`,
    files: { '1/helper.py': 'VALUE = 5\n', '1/beside.py': 'OTHER = 6\n' },
  },
  named: {
    config: `default_model_filename: "other.py"\n${ONE_TO_ONE}`,
    files: { '1/other.py': IMPORTS + IDENTITY },
  },
  own_stub: { code: IDENTITY, files: { triton_python_backend_stub: 'x' } },
};

/** What ends the process that completes, and how the log says so. */
const ENDS: readonly (readonly [model: string, body: string, how: string])[] = [
  ['leaves', 'os._exit(3)', 'exit code 3'],
  ['stops', 'os.kill(os.getpid(), 19)', 'was stopped by a signal, and nothing let it go on'],
];

describe.skipIf(testPython() === undefined)(needsPython('configurations of Python models'), () => {
  let world: PythonWorld;

  beforeAll(async () => {
    world = await PythonWorld.create(MODELS);
  }, 60_000);

  afterAll(() => world[Symbol.asyncDispose]());

  test('13 auto-complete: a model without config.pbtxt serves what its code says', async () => {
    const { body } = await world.call('models/no_config/config');
    expect(body).toMatchObject({
      backend: 'python',
      input: [{ name: 'INPUT0', data_type: 'TYPE_FP32', dims: [-1] }],
      output: [{ name: 'OUTPUT0' }],
      model_transaction_policy: { decoupled: true },
    });
  });

  test('13 auto-complete: batching from code', async () => {
    const { body } = await world.call('models/batching/config');
    expect(body).toMatchObject({ max_batch_size: 4, dynamic_batching: {} });
    expect(world.logged('known: True')).toHaveLength(1);
  });

  test.each(CONFLICTS)('13 auto-complete: %s', async (model, body, expected) => {
    await world.load(model, { code: completing(`${body}\nreturn config`) });
    expect(world.logged(`failed to load '${model}'`).join('\n')).toContain(expected);
  });

  test.each(ENDS)(
    '13 auto-complete: a process that %s fails the load, and the log says how',
    async (model, body, how) => {
      const error = await world.load(`${model}_early`, { code: completing(`${body}\nreturn config`) });
      expect(error).toContain("Stub process '' is not healthy.");
      expect(world.logged(`configuration of model '${model}_early' ended (${how})`)).toHaveLength(1);
    },
  );

  test.each(UNREADABLE)('13 auto-complete: %s leaves the configuration as it was', async (model, body) => {
    const more = 'config.as_dict()["output"].append({"name": "MORE", "data_type": "TYPE_FP32", "dims": [1]})';
    expect(await world.load(model, { code: completing(`${body}\n${more}\nreturn config`) })).toBe('');
    const config = (await world.call(`models/${model}/config`)).body as Record<string, unknown>;
    expect(config).toMatchObject({
      max_batch_size: 0,
      input: [{ name: 'INPUT0' }],
      output: [{ name: 'OUTPUT0' }],
    });
    expect([config['input'], config['output']].map((list) => (list as unknown[]).length)).toEqual([1, 1]);
    expect(
      world.logged(`what auto_complete_config of model '${model}' returned cannot be read`),
    ).toHaveLength(1);
  });

  test('13 auto-complete: initialize gets what could not be read, as the model wrote it', async () => {
    const body = 'config.as_dict().update(instance_group=[{"count": 2}], strange="schön", more=[1.5, None])';
    const begins = '    def initialize(self, args):\n        print("given", args["model_config"][-60:])\n';
    expect(await world.load('given', { code: `${completing(`${body}\nreturn config`)}${begins}` })).toBe('');
    await expect.poll(() => world.logged('given ')).toHaveLength(1);
    expect(world.logged('given ')[0]).toMatch(/"strange":"schön","more":\[1\.5,null\]\}$/);
  });

  test('13 auto-complete: what cannot be read is no configuration of a model that has no other', async () => {
    await world.load('only_code', {
      config: null,
      code: completing(`${add('[1]', '"FP32"')}\nreturn config`),
    });
    expect(world.logged("failed to load 'only_code'").join('\n')).toContain(
      "Not found: model configuration is not provided for model 'only_code'",
    );
  });

  test('13 auto-complete: one number for dims is a list of one', async () => {
    expect(await world.load('dims_number', { code: completing(`${add('4')}\nreturn config`) })).toBe('');
    const { body } = await world.call('models/dims_number/config');
    expect(body).toMatchObject({ input: [{ name: 'INPUT0' }, { name: 'INPUT9', dims: [4] }] });
  });

  test('13 auto-complete: an empty policy is one', async () => {
    const code = completing('config.set_model_transaction_policy({})\nreturn config');
    expect(await world.load('empty_policy', { code })).toBe('');
    const { body } = await world.call('models/empty_policy/config');
    expect(body).toMatchObject({ model_transaction_policy: { decoupled: false } });
  });

  test('13 auto-complete: parameters of the backend are looked at before', async () => {
    const wrong = 'parameters { key: "FORCE_CPU_ONLY_INPUT_TENSORS" value { string_value: "perhaps" } }';
    await world.load('placed', {
      config: `${ONE_TO_ONE}\n${wrong}`,
      code: completing('raise ValueError("too late")'),
    });
    const failure = world.logged("failed to load 'placed'").join('\n');
    expect(failure).toContain("Incorrect value for FORCE_CPU_ONLY_INPUT_TENSORS: perhaps'");
  });

  test('13 auto-complete: a choice of scheduling is kept', async () => {
    await world.load('sequences', {
      config: `${ONE_TO_ONE}\nsequence_batching { }`,
      code: completing('config.set_dynamic_batching()\nreturn config'),
    });
    expect(world.logged("failed to load 'sequences'").join('\n')).toContain(
      `Configuration specified scheduling_choice as 'sequence_batching', but ${FUNCTION('sequences')} tries to set scheduling_choice as 'dynamic_batching'`,
    );
  });

  test('rescheduling: a request runs until it is answered', async () => {
    expect((await world.ask('iterative')).outputs[0]?.data).toEqual([3]);
  });

  test('rescheduling: a decoupled model answers before it asks to run again', async () => {
    expect(await streamValues(world, 'iterative_stream')).toEqual({ values: [1, 2, 3], errors: [] });
    // Each of the three runs counts.
    const statistics = async () => (await world.call('models/iterative_stream/stats')).body;
    await expect.poll(statistics).toMatchObject({
      model_stats: [{ execution_count: 3, inference_stats: { success: { count: 3 }, fail: { count: 0 } } }],
    });
  });

  test('rescheduling: a response for such a request is refused', async () => {
    expect((await world.ask('rescheduled_and_answered')).error).toMatch(
      /Expected a None object in the execute function return list for reschduled request, found type '<class '\S+\.InferenceResponse'>'\.$/,
    );
  });

  test('files beside model.py are imported, by plain name and as a package', async () => {
    expect((await world.ask('siblings')).outputs[0]?.data).toEqual([5, 6]);
  });

  test('default_model_filename names the file', async () => {
    expect((await world.ask('named', [3])).outputs[0]?.data).toEqual([3]);
  });

  test('no file is written into the model folder', async () => {
    const found = await readFile(world.repository.at('siblings', '1', '__pycache__')).catch(
      (error: unknown) => error,
    );
    expect(found).toMatchObject({ code: 'ENOENT' });
  });
});
