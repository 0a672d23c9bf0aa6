import { expect, test } from 'vitest';

import { modelFailure } from './model-failure.ts';
import { pythonFailure } from './python-failure.ts';

const FOLDER = '/models/bad';
const trace = (head: string, ...frames: string[]): string =>
  `Internal: ${head}\n\nAt:\n${frames.map((frame) => `  ${frame}\n`).join('')}`;

test('the innermost line of the model itself is where a Python error was raised', () => {
  const reason = trace(
    "KeyError: 'nope'",
    '/usr/lib/python3/json/decoder.py(4): decode',
    '/models/bad/1/helpers/read.py(3): deeper',
    '/models/bad/1/model.py(6): initialize',
  );
  expect(pythonFailure(reason, FOLDER)).toEqual({
    type: 'KeyError',
    text: "'nope'",
    where: 'deeper',
    place: { file: '1/helpers/read.py', line: 3 },
    isSyntax: false,
  });
  expect(modelFailure(reason, [], { folder: FOLDER })).toMatchObject({
    title: 'KeyError in its Python code',
    why: "'nope' (raised by deeper in line 3 of 1/helpers/read.py).",
    place: { file: '1/helpers/read.py', line: 3 },
    original: reason,
  });
});

test('a syntax error has its line, and no function', () => {
  const reason = `Internal: SyntaxError: expected ':' (model.py, line 3)\n\nAt:\n  /models/bad/1/model.py(3)\n\n  File "/models/bad/1/model.py", line 3\n    def execute(self)`;
  expect(pythonFailure(reason, FOLDER)).toMatchObject({
    type: 'SyntaxError',
    text: "expected ':'",
    where: undefined,
    place: { file: '1/model.py', line: 3 },
  });
  expect(modelFailure(reason, [], { folder: FOLDER }).why).toBe("expected ':' (in line 3 of 1/model.py).");
});

test('a missing module says what to do', () => {
  const reason = trace(
    "ModuleNotFoundError: No module named 'cv2.dnn'",
    '/models/bad/1/model.py(2): <module>',
    '/usr/lib/python3.11/importlib/__init__.py(126): import_module',
  );
  const failure = modelFailure(reason, [], { folder: FOLDER });
  expect(failure.title).toBe("Python has no module 'cv2.dnn'");
  expect(failure.why).toContain(
    "imports 'cv2.dnn' in line 2 of 1/model.py. Install the package into the Python that runs models",
  );
  expect(failure).not.toHaveProperty('command');
});

test('a module that no package is known to bring is most likely a file that was left behind', () => {
  const reason = trace(
    "ModuleNotFoundError: No module named 'my_helpers.read'",
    '/models/bad/1/model.py(2): <module>',
  );
  expect(modelFailure(reason, [], { folder: FOLDER }).why).toContain(
    'Put my_helpers.py beside it if it is code of your own;',
  );
});

test('the command that installs what is missing is the one that the Python of the model names', () => {
  const reason = `${trace("ModuleNotFoundError: No module named 'cv2'", '/models/bad/1/model.py(2): <module>')}\nThe Python of this model, '/usr/bin/python3', has no module 'cv2': run \`/usr/bin/python3 -m pip install opencv-python-headless\`, or name another Python with EXECUTION_ENV_PATH`;
  expect(modelFailure(reason, [], { folder: FOLDER }).command).toBe(
    '/usr/bin/python3 -m pip install opencv-python-headless',
  );
  const noNumpy =
    "'/usr/bin/python3' has no numpy, which Python models need: run `/usr/bin/python3 -m pip install numpy`";
  expect(modelFailure(noNumpy, []).command).toBe('/usr/bin/python3 -m pip install numpy');
});

test('an environment that the command makes stands beside the repository, wherever it is run', () => {
  const reason =
    'no numpy: run `/usr/bin/python3 -m venv --system-site-packages .venv && .venv/bin/python3 -m pip install numpy` in the folder';
  const command = (folder: string): string | undefined => modelFailure(reason, [], { folder }).command;
  expect(command('/srv/models/m')).toBe(
    '/usr/bin/python3 -m venv --system-site-packages /srv/.venv && /srv/.venv/bin/python3 -m pip install numpy',
  );
  expect(command("/a user's/models/m")).toContain(`&& '/a user'\\''s/.venv'/bin/python3 -m pip`);
});

test('code of a backend is not the code of the model, and other reasons are none of Python', () => {
  const reason = trace('ValueError: bad file', '/opt/conch/resources/python/conch_frameworks/x.py(3): load');
  expect(pythonFailure(reason, FOLDER)?.place).toBeUndefined();
  expect(pythonFailure('Internal: no such file', FOLDER)).toBeUndefined();
});
