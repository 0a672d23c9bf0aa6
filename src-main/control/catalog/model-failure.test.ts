import { expect, test } from 'vitest';

import type { ConfigIssueView } from '../../../src-shared/contract/config-calls.ts';
import { modelFailure } from './model-failure.ts';

const issue = (code: string, hint: string): ConfigIssueView => ({
  code,
  severity: 'error',
  message: '',
  hint,
  path: '',
  startOffset: 0,
  endOffset: 0,
  line: 2,
  column: 1,
  fixes: [{ title: 'Set it', edits: [] }],
});

test('an ONNX file beside a plan that finds no GPU is offered by name', () => {
  const reason = "Invalid argument: unable to load model 'm', TensorRT backend supports only GPU device";
  const failure = modelFailure(reason, [], { onnxBeside: '/repo/m/1/model.onnx' });
  expect(failure).toMatchObject({
    title: 'TensorRT needs an NVIDIA GPU',
    original: reason,
    fixes: [
      {
        title: 'Serve model.onnx beside it as a model of its own',
        action: 'serve-onnx',
        target: '/repo/m/1/model.onnx',
      },
    ],
  });
  expect(modelFailure(reason, []).fixes).toEqual([]);
});

test.each([
  [
    "Invalid argument: model 'm', tensor 'x': for the model to support batching the shape should have at least 1 dimension and the first dimension must be -1; but shape expected by the model is [1,3]",
    'Cannot batch: x has a fixed first dimension',
    'The model fixes the first dimension of x (its shape is [1,3]), but max_batch_size is above 0. Hint.',
  ],
  [
    "Invalid argument: model 'm', tensor 'INPUT': the model expects 2 dimensions (shape [-1,16]) but the model configuration specifies 3 dimensions (an initial batch dimension because max_batch_size > 0 followed by the explicit tensor shape, making complete shape [-1,-1,16])",
    'Shape of INPUT does not fit the model',
    'INPUT has 2 dimensions in the model file, and 3 by the configuration. Hint.',
  ],
  [
    "Invalid argument: model 'm', tensor 'INPUT': the model expects 2 dimensions (shape [-1,16]) but the model configuration specifies 2 dimensions (an initial batch dimension because max_batch_size > 0 followed by the explicit tensor shape, making complete shape [-1,17])",
    'Shape of INPUT does not fit the model',
    'INPUT has the shape [-1,16] in the model file, and [-1,17] by the configuration. Hint.',
  ],
  [
    "autofill failed for model 'm': model does not support batching while non-zero max_batch_size is specified",
    'Cannot batch, but max_batch_size is set',
    'Hint.',
  ],
])('%s', (reason, title, why) => {
  const failure = modelFailure(reason, [issue('D20', 'Hint.')]);
  expect(failure).toMatchObject({ title, why, original: reason, line: 2 });
  expect(failure.fixes.map((fix) => fix.title)).toEqual(['Set it', 'Run batch probe']);
});

test('an ensemble names the model of its step that does not load, and what is wrong with that one', () => {
  const without = "at least one version must be available under the version policy of model 'small'";
  const reason = `Invalid argument: ensemble 'all' depends on 'small' which has no loaded version. Model 'small' loading failed with error: ${without}`;
  const open = { title: 'Open small', edits: [], action: 'open-model', target: 'small' } as const;
  const failure = modelFailure(reason, [{ ...issue('D50', 'Load small first.'), fixes: [open] }]);
  expect(failure).toMatchObject({
    title: "Its step model 'small' is not loaded",
    original: reason,
    code: 'D50',
    line: 2,
    fixes: [open],
  });
  expect(failure.why).toContain('small: No version to serve. A model folder needs');
});

test.each([
  ["ensemble 'all' depends on 'small' which has no loaded version.", 'Mend small, and load this one again.'],
  [
    "ensemble 'all' depends on 'half' which has no loaded version. Model 'half' loading failed with error: ensemble 'half' depends on 'small' which is not valid. Model 'small' failed with error: odd",
    "half: Its step model 'small' is not loaded.",
  ],
])('the way to the model of the step is offered: %s', (reason, why) => {
  const failure = modelFailure(reason, []);
  expect(failure.why).toContain(why);
  expect(failure.fixes).toHaveLength(1);
  expect(failure.fixes[0]).toMatchObject({ action: 'open-model' });
});

test('missing weights are named, and can be located', () => {
  const reason =
    'onnx runtime error 6: External data path validation failed for initializer: w. Error: x.cc:461 ValidateExternalDataPathFromDir External data path does not exist: "/models/big/1/weights.bin"';
  const failure = modelFailure(reason, []);
  expect(failure).toMatchObject({
    title: 'Weights file is missing',
    why: 'This model needs weights.bin, which is not in the folder.',
  });
  expect(failure.fixes.map(({ action }) => action)).toEqual(['locate-external-data']);
});

test('a damaged model file can be replaced by another one', () => {
  const reason =
    'onnx runtime error 7: Load model from /models/bad/1/model.onnx failed:Protobuf parsing failed.';
  expect(modelFailure(reason, [])).toMatchObject({
    title: 'Model file cannot be read',
    fixes: [{ title: 'Choose model file…', action: 'replace-model-file' }],
  });
});

test.each([
  [
    "onnx runtime error 9: Could not find an implementation for Relu(1) node with name ''",
    'ONNX Runtime has no Relu as old as this model asks for',
    'no implementation of its version 1',
  ],
  [
    'onnx runtime error 10: Load model from /m/1/model.onnx failed:This is an invalid model. In Node, ("", NoSuchOp, "", -1) : ("X": tensor(float),) -> ("Y": tensor(float),) , Error No Op registered for NoSuchOp with domain_version of 17',
    'ONNX Runtime does not know the operator NoSuchOp',
    'Operator set 17 has no NoSuchOp.',
  ],
  [
    'onnx runtime error 1: Load model from /m/1/model.onnx failed:model_load_utils.h:46 ONNX Runtime only *guarantees* support for models stamped with official released onnx opset versions. Opset 99 is under development and support for this is limited. The operator schemas and or other functionality may change before next ONNX release and in this case ONNX Runtime will not guarantee backward compatibility. Current official support for domain ai.onnx is till opset 26.',
    'Operator set 99 is too new for ONNX Runtime',
    'knows those up to 26',
  ],
  [
    'onnx runtime error 1: Load model from /m/1/model.onnx failed:model.cc:180 Unsupported model IR version: 99, max supported IR version: 13',
    'Format of the file is too new for ONNX Runtime',
    'reads those up to 13',
  ],
])('what the runtime refuses is said in words: %s', (reason, title, why) => {
  const failure = modelFailure(reason, []);
  expect(failure.title).toBe(title);
  expect(failure.why).toContain(why);
  expect(failure.fixes.map(({ action }) => action)).toEqual(['replace-model-file']);
});

test.each([
  [
    "Invalid model name: Could not determine backend for model 'empty' with no backend in model configuration. Expected model name of the form 'model.<backend_name>'.",
    'Neither a model file nor a backend is named',
  ],
  [
    "Invalid argument: model input 'IN' must specify 'data_type' for half",
    'IN has no data type that a request can carry',
  ],
])(
  'the list of models has a title that says what is wrong, with the hint of the finding: %s',
  (reason, title) => {
    expect(modelFailure(reason, [issue('D25', 'Hint.')])).toMatchObject({ title, why: 'Hint.', code: 'D25' });
  },
);

test.each([
  [
    "Invalid argument: unable to load model 'm', configuration expects datatype TYPE_INT64 for input 'x', model provides TYPE_FP32",
    'Type of x does not fit the model',
    'x is FP32 in the model file, and INT64 by the configuration. Hint.',
  ],
  [
    "Invalid argument: unexpected inference output 'out', allowed outputs are: y, z",
    'The model has no output out',
    'Its outputs are: y, z. Hint.',
  ],
  [
    "unexpected directory name 'a' for model 'b', directory name must equal model name",
    'Its configuration names it b',
    'The folder is a, and the field name says b: both have to be the same. Hint.',
  ],
  ["'max_batch_size' must be non-negative value for m", 'max_batch_size is negative', 'Hint.'],
  ["unexpected platform type 'onnx' for m", 'There is no platform onnx', 'Hint.'],
  [
    'dynamic batching preferred size must be <= max batch size for m',
    'A preferred batch size is above max_batch_size',
    'Hint.',
  ],
  [
    "Invalid argument: failed to convert 'two' to integral number",
    'A parameter cannot be read: two',
    'Hint.',
  ],
  [
    "sequence batching must specify either 'int32_false_true', 'fp32_false_true' or 'bool_false_true' for CONTROL_SEQUENCE_START for m",
    'Sequence batching does not fit the model',
    'Hint.',
  ],
])('a mistake in the configuration has a title of its own: %s', (reason, title, why) => {
  expect(modelFailure(reason, [issue('D10', 'Hint.')])).toMatchObject({ title, why, original: reason });
});

test.each([
  [
    'Internal: failed to stat file /models/m/1/model.onnx',
    'There is no model.onnx',
    'should be /models/m/1/model.onnx',
  ],
  [
    "Invalid argument: model 'm': found none of model.js, model.ts in /models/m/1",
    'Its code is missing',
    '/models/m/1 has none of model.js, model.ts.',
  ],
])('a file that is missing beside others is named: %s', (reason, title, why) => {
  const failure = modelFailure(reason, []);
  expect(failure.title).toBe(title);
  expect(failure.why).toContain(why);
});

test.each([
  [
    'Internal: Failed to get the canonical path for /models/m/env.tar.gz.',
    'Its Python environment is not there',
    'EXECUTION_ENV_PATH names /models/m/env.tar.gz, and',
  ],
  [
    "Internal: Path /tmp/env/bin/activate does not exist. The Python environment should contain an 'activate' script.",
    'Its Python environment is none',
    'leads to /tmp/env, which',
  ],
  [
    "Internal: Failed to extract the Python environment '/models/m/env.tar.gz': ReadError: not a gzip file",
    'Its Python environment cannot be unpacked',
    'ReadError: not a gzip file',
  ],
])('what is wrong with the environment of a Python model is told: %s', (reason, title, why) => {
  const failure = modelFailure(reason, []);
  expect(failure.title).toBe(title);
  expect(failure.why).toContain(why);
});

test('words that are not known stand for themselves, with the finding beside them', () => {
  expect(modelFailure('something else', [issue('D21', 'Hint.')])).toMatchObject({
    title: 'Could not be loaded',
    original: 'something else',
    why: 'Hint.',
    code: 'D21',
  });
});

test.each([
  "Invalid model name: Could not determine backend for model 'empty' with no backend in model configuration.",
  'failed to stat file /models/empty/1/model.onnx',
])('an empty version folder is what is behind %j', (reason) => {
  const failure = modelFailure(reason, [issue('D06', 'Set a backend.')], { emptyVersion: '1' });
  expect(failure).toMatchObject({
    title: 'Version 1 has no model file',
    original: reason,
    code: undefined,
    fixes: [{ title: 'Choose model file…', action: 'locate-external-data' }],
  });
  expect(modelFailure('no memory', [], { emptyVersion: '1' }).title).toBe('Could not be loaded');
});

test('shapes with as many dimensions are told by their sizes', () => {
  const reason =
    "model 'm', tensor 'X': the model expects 2 dimensions (shape [1,16]) but the model configuration specifies 2 dimensions (shape [1,17])";
  expect(modelFailure(reason, []).why).toBe(
    'X has the shape [1,16] in the model file, and [1,17] by the configuration.',
  );
});

test('a Python model whose file is missing says where it belongs', () => {
  const reason = "Internal: Stub process '' is not healthy.";
  expect(modelFailure(reason, [], { emptyVersion: '1' })).toMatchObject({
    title: 'Version 1 has no model file',
    original: reason,
  });
  expect(modelFailure(reason, []).why).toContain('has no model.py');
  expect(modelFailure(`m: ${reason}`, []).title).toBe('Its Python process did not start');
});

test.each([
  [
    'Unavailable: Python models need Python 3.9 or newer with numpy, and no python3 was found: install it (Debian, Ubuntu: `sudo apt install python3-numpy`), or name one with --backend-config=python,python-executable=/path/to/python3',
    'No Python here can run it',
    undefined,
  ],
  [
    "Unavailable: '/old/python3' cannot run Python models: there is no such program",
    'No Python here can run it',
    undefined,
  ],
  [
    "Unavailable: Python 3.8.1 ('/usr/bin/python3') is too old for Python models, which need 3.9 or newer: install a newer one",
    'No Python here can run it',
    undefined,
  ],
  [
    "Unavailable: Python 3.12.1 ('/x/python3') has no numpy, which Python models need: run `/x/python3 -m pip install numpy`",
    'No Python here can run it',
    '/x/python3 -m pip install numpy',
  ],
  [
    "Unavailable: PyTorch models need PyTorch, and Python 3.12.1 ('/x/python3') has no package 'torch': run `/x/python3 -m pip install torch`, or name another Python",
    "Its Python lacks the package 'torch'",
    '/x/python3 -m pip install torch',
  ],
])('a missing Python leads to where one is chosen or set up: %s', (reason, title, command) => {
  expect(modelFailure(reason, [])).toMatchObject({
    title,
    original: reason,
    fixes: [{ title: 'Choose or set up a Python', edits: [], action: 'choose-python' }],
    ...(command === undefined ? {} : { command }),
  });
});
