// Python models that are asked whether they are ready, that end, and that run in environments of their own: rows 10, 14
// and 15 of the checklist of Triton's Python backend, asked of both sides.

import { spawnSync } from 'node:child_process';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { testPython } from '../../src-main/testing/test-python.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcCall } from './grpc-exchange.ts';
import { get, reply } from './http-calls.ts';
import { ask, infer, load, unload, wait } from './life-calls.ts';
import { codeFile, ECHO_MODEL, executing, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const method = (head: string, body: string): string => `${ECHO_MODEL}    ${head}\n        ${body}\n`;
const isReady = (body: string, keyword = 'def'): string => method(`${keyword} is_ready(self):`, body);

const READINESS: Readonly<Record<string, string>> = {
  r_true: isReady('return True'),
  r_false: isReady('return False'),
  r_one: isReady('return 1'),
  r_none: isReady('pass'),
  r_text: isReady('return "yes"'),
  r_numpy: isReady('return np.bool_(True)'),
  r_raises: isReady('raise ValueError("not yet")'),
  r_exits: isReady('sys.exit(3)'),
  r_async: isReady('return True', 'async def'),
  r_async_false: isReady('return False', 'async def'),
  r_async_raises: isReady('raise ValueError("not yet")', 'async def'),
  r_sleeps: isReady('time.sleep(0.5); return True'),
  r_changes: isReady('self.asked = getattr(self, "asked", 0) + 1; return self.asked > 2'),
  r_no_method: `${ECHO_MODEL}    is_ready = True\n`,
  r_arguments: method('def is_ready(self, more):', 'return True'),
  r_static: `${ECHO_MODEL}    @staticmethod\n    def is_ready():\n        return True\n`,
};

const READY_CALLS = 3;

const READY: ReferenceCase = {
  name: 'python readiness',
  run: async (target: Target) => {
    const answers: unknown[] = [];
    for (const model of Object.keys(READINESS)) {
      answers.push({ step: `${model}, load`, answer: await ask(target, load(model)) });
      for (let turn = 0; turn < READY_CALLS; turn += 1) {
        const answer = await reply(target.httpPort, get(`/v2/models/${model}/ready`));
        answers.push({ step: `${model}, ready ${turn}`, answer });
      }
      const grpc = await grpcCall(target.grpcPort, 'ModelReady', { name: model });
      answers.push({ step: `${model}, gRPC`, grpc });
      answers.push({ step: `${model}, infer`, answer: await ask(target, infer(model)) });
      await ask(target, unload(model));
    }
    return answers;
  },
};

const ENDS: Readonly<Record<string, string>> = {
  e_exits: method('def initialize(self, args):', 'sys.exit(3)'),
  e_raises_exit: method('def initialize(self, args):', 'raise SystemExit()'),
  e_interrupted: method('def initialize(self, args):', 'raise KeyboardInterrupt()'),
  e_constructor: method('def __init__(self):', 'raise ValueError("no object")'),
  e_constructor_wants: method('def __init__(self, more):', 'pass'),
  e_class_is_none: 'TritonPythonModel = None\n',
  e_class_is_function: 'def TritonPythonModel():\n    raise ValueError("no class")\n',
  e_initialize_wants: method('def initialize(self):', 'pass'),
  e_finalize_raises: method('def finalize(self):', 'raise ValueError("at the end")'),
  e_finalize_wants: method('def finalize(self, more):', 'pass'),
  e_asynchronous: `class TritonPythonModel:\n    async def initialize(self, args):\n        self.done = True\n${ECHO_MODEL.split('\n').slice(1).join('\n')}`,
  e_empty: '',
  e_imports_itself: `from . import model\n${ECHO_MODEL}`,
  e_deep: `def deep(n):\n    return deep(n + 1)\ndeep(0)\n${ECHO_MODEL}`,
  e_group: 'raise ExceptionGroup("several", [ValueError("one"), KeyError("two")])\n',
};

const ending = (model: string): ReferenceCase => ({
  name: `python models that end, ${model}`,
  limitMs: 20_000,
  run: async (target) => [
    { step: 'load', answer: await ask(target, load(model)) },
    { step: 'infer', answer: await ask(target, infer(model)) },
    { step: 'unload', answer: await ask(target, unload(model)) },
  ],
});

/** A model that leaves while it executes answers first. */
const LEAVES: ReferenceCase = {
  name: 'python models that leave',
  run: async (target) => {
    await ask(target, load('slow'));
    const running = ask(target, infer('slow'));
    await wait(300);
    const unloaded = await ask(target, unload('slow'));
    return [
      { step: 'unload', answer: unloaded },
      { step: 'answered', answer: await running },
      { step: 'gone', answer: await ask(target, infer('slow')) },
    ];
  },
};

const within = (place: string): string =>
  `${ONE_TO_ONE}\nparameters { key: "EXECUTION_ENV_PATH" value { string_value: "${place}" } }`;
const MODEL = '$$TRITON_MODEL_DIRECTORY';

/** By model: where its environment lies, as its configuration says. */
const ENVIRONMENTS: Readonly<Record<string, string>> = {
  v_folder: `${MODEL}/env`,
  v_slash: `${MODEL}/env/`,
  v_around: `${MODEL}/env/../env`,
  v_archive: `${MODEL}/env.tar.gz`,
  v_empty: '',
  v_no_activate: `${MODEL}/bare`,
  v_bare_archive: `${MODEL}/bare.tar.gz`,
  v_up: `${MODEL}/up.tar.gz`,
  v_absolute: `${MODEL}/absolute.tar.gz`,
  v_no_archive: `${MODEL}/text.tar.gz`,
  v_file: `${MODEL}/config.pbtxt`,
  v_missing: `${MODEL}/nothing`,
};

/** Both sides run the Python that they would run without it: an environment brings what is looked at, and no interpreter. */
async function makeEnvironments(folder: string): Promise<void> {
  const bin = path.join(folder, 'env/bin');
  await mkdir(bin, { recursive: true });
  // The reference runs it.
  await writeFile(path.join(bin, 'activate'), 'export ACTIVATED=1\n');
  await writeFile(path.join(bin, 'python3'), `#!/bin/sh\nexec ${testPython() ?? 'python3'} "$@"\n`, {
    mode: 0o755,
  });
  await mkdir(path.join(folder, 'bare/bin'), { recursive: true });
  await writeFile(path.join(folder, 'text.tar.gz'), 'no archive');
  const pack = (name: string, ...rest: readonly string[]): void => {
    spawnSync('tar', ['-czPf', path.join(folder, name), '-C', path.join(folder, 'env'), ...rest]);
  };
  pack('env.tar.gz', 'bin');
  spawnSync('tar', ['-czf', path.join(folder, 'bare.tar.gz'), '-C', path.join(folder, 'bare'), 'bin']);
  pack('up.tar.gz', '--transform=s,bin/activate,../escaped,', 'bin');
  pack('absolute.tar.gz', '--transform=s,bin/activate,/tmp/conch-escaped,', 'bin');
}

const environment = (model: string): ReferenceCase => ({
  name: `python environments, ${model}`,
  limitMs: 20_000,
  run: async (target) => {
    const folder = path.join(target.folders[0] ?? '', model);
    await makeEnvironments(folder);
    const answers = [
      { step: 'load', answer: await ask(target, load(model)) },
      { step: 'infer', answer: await ask(target, infer(model)) },
    ];
    if (model !== 'v_archive') return answers;
    await utimes(path.join(folder, 'env.tar.gz'), new Date(), new Date(Date.now() + 5000));
    answers.push({ step: 'changed archive, load', answer: await ask(target, load(model)) });
    answers.push({ step: 'changed archive, infer', answer: await ask(target, infer(model)) });
    return answers;
  },
});

const files: RepositoryFiles = {
  ...Object.assign(
    {},
    ...Object.entries({ ...READINESS, ...ENDS }).map(([name, code]) => pythonFiles(name, code)),
    ...Object.entries(ENVIRONMENTS).map(([name, place]) => pythonFiles(name, ECHO_MODEL, within(place))),
  ),
  ...pythonFiles(
    'slow',
    executing(
      'time.sleep(1.5)\nreturn [pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))]) for request in requests]',
    ),
  ),
  // Names that do not end with '.py' hang the reference: not asked.
  ...pythonFiles('c_named', undefined, `${ONE_TO_ONE}\ndefault_model_filename: "other.py"`),
  'c_named/1/other.py': codeFile(ECHO_MODEL),
};

/** One question after the other: what the reference answers two at a time is chance. */
export const PYTHON_LIFE_SCENE: Scene = {
  name: 'python life',
  together: 'python models',
  repositories: sameFor(files),
  args: ['--model-control-mode=explicit'],
  cases: [
    READY,
    ...[...Object.keys(ENDS), 'c_named'].map(ending),
    LEAVES,
    ...Object.keys(ENVIRONMENTS).map(environment),
  ],
};
