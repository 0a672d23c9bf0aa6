// Rows 10 (readiness), 11 (cancellation) and 15 (lifecycle) of the checklist of Triton's Python backend, processes that
// end, and models that behave badly in other ways. No process may be left behind.

import { existsSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setLogSwitches } from '../../../src-main/base/log.ts';
import { isRunning } from '../../../src-main/testing/is-running.ts';
import { needsPython, testPython } from '../../../src-main/testing/test-python.ts';
import { executing, ONE_TO_ONE, PythonWorld } from './python-world.ts';

const IDENTITY_BODY = `return [InferenceResponse([Tensor("OUTPUT0", each.inputs()[0].as_numpy())]) for each in requests]`;
const IDENTITY = executing(IDENTITY_BODY);

/** Answers itself; does what the parameter `do` says before. */
const ACTOR = executing(`def do(text):
    exec(text, globals())
do(json.loads(requests[0].parameters()).get("do", "pass"))
${IDENTITY_BODY}`);

/** A frame that says that five blocks follow, and none does. */
const FORGED = 'import struct; os.write(3, struct.pack("<IHHIIQ", 24, 3, 0, 1, 5, 0)); time.sleep(5)';

const readiness = (body: string, keyword = 'def'): { code: string } => ({
  code: `${IDENTITY}\n    ${keyword} is_ready(self):\n        ${body}\n`,
});

const MODELS = {
  actor: { code: `${ACTOR}\n    def initialize(self, args):\n        print("pid", os.getpid())\n` },
  pair: { code: ACTOR, config: `${ONE_TO_ONE}\ninstance_group [ { kind: KIND_CPU count: 2 } ]` },
  ready: readiness('return True'),
  unready: readiness('return False'),
  odd: readiness('return 1'),
  raises: readiness('raise ValueError("not yet")'),
  late: readiness('return True', 'async def'),
  sleepy: readiness('time.sleep(5.6)\n        return True'),
  attributes: { code: `${IDENTITY}\n    def __getattr__(self, name):\n        raise RuntimeError(name)\n` },
  cancelled: {
    code: executing(`print("began")
for _ in range(1000):
    if requests[0].is_cancelled():
        print("saw the cancellation")
        return [InferenceResponse([], TritonError("cancelled", TritonError.CANCELLED))]
    time.sleep(0.02)
return [InferenceResponse([Tensor("OUTPUT0", np.ones(1, np.float32))])]`),
  },
};

const NOT_HEALTHY = (instance: string): string => `Stub process '${instance}' is not healthy.`;

describe.skipIf(testPython() === undefined)(needsPython('the life of Python models'), () => {
  let world: PythonWorld;

  beforeAll(async () => {
    world = await PythonWorld.create(MODELS, { repository: { autoCompleteConfig: false } });
  });

  afterAll(() => world[Symbol.asyncDispose]());

  const act = (model: string, code: string) => world.ask(model, [1], { parameters: { do: code } });
  const ready = async (model: string) => (await world.call(`models/${model}/ready`)).status;

  test.each([
    ['ready', 200],
    ['late', 200],
    ['unready', 400],
    ['odd', 400],
    ['raises', 400],
  ])('10 readiness: %s is %d, and inference is not affected', async (model, status) => {
    expect(await ready(model)).toBe(status);
    expect((await world.ask(model)).status).toBe(200);
  });

  test.each([
    ['unready', "Model 'unready_0' is not ready (user-defined check failed)."],
    ['odd', 'is_ready() must return a boolean value'],
    ['raises', 'ValueError: not yet'],
  ])('10 readiness: why %s is not is in the verbose log', async (model, reason) => {
    setLogSwitches({ verboseLevel: 1 });
    expect(await ready(model)).toBe(400);
    setLogSwitches({ verboseLevel: 0 });
    expect(world.logged(`Model '${model}' version 1 is not ready:`).join()).toContain(reason);
  });

  test('10 readiness: one that takes too long is not ready, and its late answer counts for the next question', async () => {
    setLogSwitches({ verboseLevel: 1 });
    expect(await ready('sleepy')).toBe(400);
    setLogSwitches({ verboseLevel: 0 });
    expect(world.logged('Timed out waiting for user-defined is_ready() response')).toHaveLength(1);
    expect(await ready('sleepy')).toBe(200);
  });

  test('11 cancellation: the model sees it while it runs', async () => {
    const abort = new AbortController();
    const bytes = new Uint8Array(Float32Array.of(1).buffer);
    const exchange = world.grpc.infer(
      {
        model: 'cancelled',
        version: '',
        id: '',
        inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1], bytes }],
        outputs: [],
        parameters: new Map(),
      },
      { signal: abort.signal },
    );
    await expect.poll(() => world.logged('began')).toHaveLength(1);
    abort.abort();
    await expect(exchange).rejects.toThrow();
    await expect.poll(() => world.logged('saw the cancellation')).toHaveLength(1);
  });

  test('a process that is killed fails what it had, is not ready, and is started again', async () => {
    const pids = () => world.logged('pid ').map((line) => Number(line.split(' ')[1]));
    const before = pids().at(-1) ?? 0;
    const running = act('actor', 'print("at work", flush=True); time.sleep(600)');
    await expect.poll(() => world.logged('at work')).not.toEqual([]);
    process.kill(before, 'SIGKILL');
    expect(await running).toMatchObject({ status: 500, error: NOT_HEALTHY('actor_0') });
    expect(await world.ask('actor', [4])).toMatchObject({ status: 200, outputs: [{ data: [4] }] });
    await expect.poll(() => pids().at(-1)).not.toBe(before);
    expect(isRunning(before)).toBe(false);
    await expect
      .poll(() => world.logged('(signal SIGKILL: by hand, or by the system for want of memory)'))
      .toHaveLength(1);
    expect(await ready('actor')).toBe(200);
  });

  test.each([
    ['exits', 'os._exit(7)'],
    ['crashes', 'import ctypes; ctypes.string_at(0)'],
    ['closes its pipes', 'os.closerange(3, 10)'],
    ['writes into the channel of its host', 'os.write(3, b"rubbish, and more rubbish")'],
    ['writes zeros there', 'os.write(3, bytes(64))'],
    ['answers there for batches that nobody sent', FORGED],
    ['is killed by the system for want of memory', 'os.kill(os.getpid(), 9)'],
  ])('one that %s takes nobody else with it', async (_, code) => {
    const [gone, ...others] = await Promise.all([
      act('pair', code),
      world.ask('ready', [2]),
      world.ask('late', [3]),
    ]);
    expect(gone).toMatchObject({
      status: 500,
      error: expect.stringMatching(/^Stub process 'pair_0_[01]' is not healthy\.$/) as string,
    });
    expect(others.map(({ outputs }) => outputs[0]?.data)).toEqual([[2], [3]]);
    const after = await Promise.all([world.ask('pair', [5]), world.ask('pair', [6])]);
    expect(after.map(({ outputs }) => outputs[0]?.data)).toEqual([[5], [6]]);
  });

  test('what a model cannot have is its error alone', async () => {
    const { status, error } = await act('actor', 'bytearray(1 << 60)');
    expect([status, error.includes('MemoryError')]).toEqual([500, true]);
    expect((await world.ask('actor')).status).toBe(200);
  });

  test('one that eats memory up to its limit gets an error, and answers again', async () => {
    const eat = `import resource
resource.setrlimit(resource.RLIMIT_AS, (1 << 31, resource.RLIM_INFINITY))
[bytearray(1 << 26) for _ in range(64)]`;
    const { status, error } = await act('actor', eat);
    expect([status, error.includes('MemoryError')]).toEqual([500, true]);
    expect((await world.ask('actor')).status).toBe(200);
    await act(
      'actor',
      'resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))',
    );
  });

  test('one that prints without end is answered, and its log says what was left out', async () => {
    const { status } = await act('actor', 'sys.stdout.write("flood\\n" * 2000000)');
    expect(status).toBe(200);
    expect((await world.ask('actor')).status).toBe(200);
    // Said with the first line of a later second.
    await expect
      .poll(async () => {
        await act('actor', 'print("after the flood")');
        return world.logged('further lines of output left out');
      })
      .not.toEqual([]);
    expect(world.logged('flood').length).toBeLessThan(10_000);
  });

  test('children that a model forks or starts end with it', async () => {
    await act(
      'pair',
      `import subprocess
pid = os.fork()
if pid == 0:
    time.sleep(600); os._exit(0)
print("child", pid)
print("child", subprocess.Popen(["sleep", "600"]).pid)`,
    );
    const children = () => world.logged('child ').map((line) => Number(line.split(' ')[1]));
    await expect.poll(children).toHaveLength(2);
    expect(children().map(isRunning)).toEqual([true, true]);
    await world.call('repository/models/pair/unload', {});
    await expect.poll(() => children().map(isRunning)).toEqual([false, false]);
  });

  test.skipIf(process.platform !== 'linux')(
    'shared memory that a model made and left goes with it, also while its workers run',
    async () => {
      await world.load('shares', {
        code: `${IDENTITY}
    def initialize(self, args):
        from multiprocessing import get_context, shared_memory
        self.memory = shared_memory.SharedMemory(create=True, size=1 << 20)
        self.pool = get_context("spawn").Pool(1)
        print("shared", self.memory.name, self.pool.apply(abs, (-1,)), flush=True)
`,
      });
      const names = () => world.logged('shared ').map((line) => `/dev/shm/${line.split(' ')[1]}`);
      await expect.poll(names).toHaveLength(1);
      const [name = ''] = names();
      expect(existsSync(name)).toBe(true);
      await world.call('repository/models/shares/unload', {});
      await expect.poll(() => existsSync(name)).toBe(false);
    },
  );

  test.each([
    ['missing', undefined, undefined, "Stub process '' is not healthy.", 'Python model file not found in'],
    ['syntax', 'def broken(:\n', undefined, 'SyntaxError: invalid syntax', 'model.py'],
    [
      'import_error',
      'import no_such_package\n',
      undefined,
      "ModuleNotFoundError: No module named 'no_such_package'",
      '',
    ],
    [
      'no_class',
      'x = 1\n',
      undefined,
      "AttributeError: module '1.model' has no attribute 'TritonPythonModel'",
      '',
    ],
    [
      'initialize',
      `${IDENTITY}\n    def initialize(self, args):\n        return {}["nix"]\n`,
      undefined,
      "KeyError: 'nix'\n\nAt:\n  ",
      'Failed to initialize Python stub: KeyError',
    ],
    [
      'leaves',
      `${IDENTITY}\n    def initialize(self, args):\n        os._exit(1)\n`,
      undefined,
      NOT_HEALTHY('leaves_0'),
      "the Python process of instance 'leaves_0' ended while it started (exit code 1)",
    ],
    [
      'stops',
      `${IDENTITY}\n    def initialize(self, args):\n        os.kill(os.getpid(), 19)\n`,
      undefined,
      NOT_HEALTHY('stops_0'),
      "'stops_0' ended while it started (was stopped by a signal, and nothing let it go on)",
    ],
    [
      'exits',
      `${IDENTITY}\n    def initialize(self, args):\n        sys.exit(3)\n`,
      undefined,
      'SystemExit: 3\n\nAt:\n  ',
      '',
    ],
    [
      'extension',
      IDENTITY,
      `default_model_filename: "model.txt"\n${ONE_TO_ONE}`,
      `Model name must end with '.py'. Model name is "model.txt".`,
      '',
    ],
    [
      'placement',
      IDENTITY,
      `${ONE_TO_ONE}\nparameters { key: "FORCE_CPU_ONLY_INPUT_TENSORS" value { string_value: "x" } }`,
      "Incorrect value for FORCE_CPU_ONLY_INPUT_TENSORS: x'",
      '',
    ],
    ['sh;ell', IDENTITY, undefined, 'Invalid stub name: contains invalid characters', ''],
  ])('15 lifecycle: %s fails the load', async (name, code, config, expected, logged) => {
    const error = await world.load(name, {
      ...(code === undefined ? { files: { '1/': '' } } : { code }),
      ...(config === undefined ? {} : { config }),
    });
    const shown = [error, ...world.logged('failed to load')].join('\n');
    expect(shown).toContain(expected);
    // An exception is told as such; that its process ends then is no news.
    if (!expected.includes('healthy')) expect(world.logged(`'${name}_0' ended`)).toEqual([]);
    if (logged !== '') expect(world.logs.map(({ message }) => message).join('\n')).toContain(logged);
  });

  test('15 lifecycle: functions that raise when they are looked for are not there', async () => {
    expect((await world.ask('attributes', [3])).outputs[0]?.data).toEqual([3]);
  });

  test('a process that stops itself in finalize does not hold up the unload', async () => {
    const code = `import os, signal\n${IDENTITY}\n    def finalize(self):\n        os.kill(os.getpid(), signal.SIGSTOP)\n`;
    expect(await world.load('freezes', { code })).toBe('');
    await world.call('repository/models/freezes/unload', {});
    await expect.poll(() => world.logged('ended in finalize() (was stopped by a signal')).not.toEqual([]);
    expect(world.logged('model code did not finalize')).toEqual([]);
  });

  test('15 lifecycle: an exception in finalize does not hold up the unload', async () => {
    expect(
      await world.load('finalizes', {
        code: `${IDENTITY}\n    def finalize(self):\n        raise ValueError("last words")\n`,
      }),
    ).toBe('');
    await world.call('repository/models/finalizes/unload', {});
    await expect.poll(() => world.logged('last words')).not.toEqual([]);
    expect(await ready('finalizes')).toBe(400);
  });

  test('15 lifecycle: what runs is answered before the model leaves', async () => {
    expect(await world.load('leaving', { code: ACTOR })).toBe('');
    const running = act('leaving', 'print("still at work", flush=True); time.sleep(0.5)');
    await expect.poll(() => world.logged('still at work')).not.toEqual([]);
    await world.call('repository/models/leaving/unload', {});
    expect((await running).status).toBe(200);
  });
});
