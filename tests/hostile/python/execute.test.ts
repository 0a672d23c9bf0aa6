// Python models whose execute does the worst it can: each request gets its answer, the next one a good one, other models
// answer meanwhile, and neither descriptors nor processes stay behind.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { needsPython, testPython } from '../../../src-main/testing/test-python.ts';
import { ACTOR, PythonTarget, pythonModel } from './python-target.ts';

const NOT_HEALTHY = /^Stub process 'actor_0' is not healthy\.$/;
const failed = (text: string): RegExp =>
  new RegExp(`^Failed to process the request\\(s\\) for model 'actor_0', message: ${text}`);

/** The words are those of a running Triton, where it has any and goes on. */
const RAISES: readonly (readonly [what: string, code: string, error: RegExp])[] = [
  ['a BaseException', 'raise BaseException("b")', failed('BaseException: b\n\nAt:\n')],
  ['an interrupt', 'raise KeyboardInterrupt()', failed('KeyboardInterrupt: <EMPTY MESSAGE>\n')],
  ['an exit', 'raise SystemExit(3)', failed('SystemExit: 3\n')],
  ['the end of a generator', 'raise GeneratorExit()', failed('GeneratorExit: <EMPTY MESSAGE>\n')],
  ['StopIteration', 'raise StopIteration(5)', failed('StopIteration: 5\n')],
  ['text that is none', 'raise ValueError("\\ud800 x")', failed('ValueError: ')],
  [
    'while it logs text that is none',
    'pb_utils.Logger.log_info("\\ud800")',
    failed('TypeError: message must be text that UTF-8 can hold'),
  ],
  ['megabytes of text', 'raise ValueError("x" * 5_000_000)', failed('ValueError: x{5000000}\n')],
  [
    'what cannot say itself',
    'class E(Exception):\n    def __str__(self): raise KeyboardInterrupt()\nraise E()',
    failed('E: <MESSAGE UNAVAILABLE DUE TO ANOTHER EXCEPTION>\n'),
  ],
  ['without end', 'def f(): return f()\nf()', failed('RecursionError: maximum recursion depth exceeded')],
];

const RETURNS: readonly (readonly [what: string, code: string, error: RegExp])[] = [
  [
    'an endless generator',
    'return (i for i in iter(int, 1))',
    failed("Expected a list in the execute return, found type '<class 'generator'>'"),
  ],
  [
    'a list that lies about its length',
    'class L(list):\n    def __len__(self): return 10**9\nreturn L([1])',
    failed(
      'Number of InferenceResponse objects do not match .*InferenceResponse\\(s\\) size is:1000000000\n$',
    ),
  ],
  [
    'a list that cannot be read',
    'class L(list):\n    def __iter__(self): raise ValueError("no iter")\nreturn L([InferenceResponse([])])',
    failed('ValueError: no iter'),
  ],
  [
    'a response that throws at every look',
    'class R(InferenceResponse):\n    def __getattribute__(self, n): raise ValueError("no " + n)\nreturn [R([])]',
    failed('ValueError: no '),
  ],
  [
    'an array whose flags throw',
    'class A(np.ndarray):\n    @property\n    def flags(self): raise ValueError("no flags")\nreturn [InferenceResponse([Tensor("OUTPUT0", np.zeros(3, np.float32).view(A))])]',
    failed('ValueError: no flags'),
  ],
  [
    'a tensor of 64 TiB',
    'return [InferenceResponse([Tensor("OUTPUT0", np.broadcast_to(np.float32(0), (1 << 44,)))])]',
    failed('.*MemoryError: Unable to allocate 64.0 TiB'),
  ],
  [
    'an object that cannot say itself',
    'class O:\n    def __str__(self): raise ValueError("no str")\nreturn [InferenceResponse([Tensor("OUTPUT0", np.array([O()], dtype=object))])]',
    failed('ValueError: no str'),
  ],
  [
    'a text that is no UTF-8',
    'return [InferenceResponse([Tensor("OUTPUT0", np.array(["\\ud800"], dtype=object))])]',
    failed("UnicodeEncodeError: 'utf-8' codec can't encode character"),
  ],
  [
    'a number of 71 bits as a parameter',
    'return [InferenceResponse([], parameters={"a": 1 << 70})]',
    failed('TritonModelException: parameter'),
  ],
];

const ENDS: readonly (readonly [what: string, code: string])[] = [
  ['exits', 'os._exit(0)'],
  ['aborts', 'os.abort()'],
  ['reads where there is nothing', 'ctypes.string_at(0)'],
  ['kills itself', 'os.kill(os.getpid(), 9)'],
  ['stops itself', 'os.kill(os.getpid(), signal.SIGSTOP)'],
  ['kills its group', 'os.killpg(0, 9)'],
  ['closes everything', 'os.closerange(0, 4096)'],
  ['writes what is no message', 'os.write(3, b"rubbish, and more of it")'],
  ['takes functions away from Python', 'import builtins; builtins.len = None; builtins.list = None'],
  [
    'may write no file and is told so by a signal',
    'signal.signal(signal.SIGXFSZ, signal.SIG_DFL); resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\nreturn [InferenceResponse([Tensor("OUTPUT0", np.ones(100_000, np.float32))])]',
  ],
];

const HARMLESS: readonly (readonly [what: string, code: string])[] = [
  ['asks the system to end it', 'os.kill(os.getpid(), signal.SIGTERM); os.kill(os.getpid(), signal.SIGINT)'],
  [
    'goes elsewhere',
    'os.chdir("/"); sys.path.clear(); sys.stdin = None; signal.signal(signal.SIGINT, signal.SIG_DFL)',
  ],
  ['forgets its modules', 'sys.modules.clear()'],
  ['prints 50 MB without an end of line', 'for _ in range(50): os.write(1, b"z" * 1_000_000)'],
  ['writes 50 MB of errors, line by line', 'for _ in range(50): os.write(2, b"an error\\n" * 110_000)'],
  ['prints what is no text', 'os.write(1, bytes(range(256)) * 100); os.write(2, b"\\x1b[31m\\r\\0\\n")'],
  ['logs a line of 20 MB', 'pb_utils.Logger.log_info("q" * 20_000_000)'],
  ['logs control characters', 'pb_utils.Logger.log_error("a\\x1b[31m\\r\\nE1125 made up\\0")'],
  ['logs 20,000 lines', 'for _ in range(20_000): pb_utils.Logger.log_info("line")'],
  ['cuts the file of outputs', 'os.ftruncate(5, 0)'],
  [
    'leaves a thread that never ends',
    'threading.Thread(target=lambda: [time.sleep(0.01) for _ in iter(int, 1)]).start()',
  ],
  [
    'is interrupted all the time',
    'signal.signal(signal.SIGALRM, lambda *_: None); signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)',
  ],
  [
    'has thousands of outputs',
    'return [InferenceResponse([Tensor("X", np.zeros(1, np.float32)) for _ in range(5000)] + echo(requests)[0].output_tensors())]',
  ],
  ['forks a child that answers too', 'os.fork()'],
  ['forks a child that throws', 'if os.fork() == 0: raise ValueError("in the child")\ntime.sleep(0.3)'],
  ['forks a child that exits', 'if os.fork() == 0: sys.exit(0)\ntime.sleep(0.3)'],
  [
    'forks from a thread',
    'def child():\n    if os.fork() == 0: raise ValueError("in the child")\nt = threading.Thread(target=child); t.start(); t.join(); time.sleep(0.3)',
  ],
  ['blocks every signal', 'signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))'],
  ['forgets its environment and makes files nobody may read', 'os.environ.clear(); os.umask(0o777)'],
  [
    'forks a hundred children that stay',
    'for _ in range(100):\n    if os.fork() == 0: time.sleep(600); os._exit(0)',
  ],
  [
    'may open and start nothing any more',
    'resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16)); resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))',
  ],
  // The last one: nothing is printed after it.
  ['closes its input, output and errors', 'os.closerange(0, 3)'],
];

describe.skipIf(testPython() === undefined || process.platform !== 'linux')(
  needsPython('execute that does the worst'),
  () => {
    let server: PythonTarget;
    let descriptors = 0;

    beforeAll(async () => {
      server = await PythonTarget.start(pythonModel('actor', ACTOR));
      // What is opened once stays open.
      for (let times = 0; times < 2; times += 1) {
        expect(await server.load('actor')).toBe('');
        expect((await server.act('actor', '')).status).toBe(200);
        await server.unload('actor');
        await vi.waitFor(async () => expect(await server.states('actor')).toEqual(['UNAVAILABLE']));
      }
      ({ descriptors } = await server.facts());
      expect(await server.load('actor')).toBe('');
    });
    afterAll(() => server[Symbol.asyncDispose]());

    /** Does it while the other model is asked, and then asks again. */
    const act = async (code: string) => {
      const [answer, bystander] = await Promise.all([server.act('actor', code), server.act('bystander', '')]);
      expect(bystander).toMatchObject({ status: 200, values: [1, 2] });
      expect(await server.act('actor', '')).toMatchObject({ status: 200, values: [1, 2] });
      return answer;
    };

    test.each(RAISES)('one that raises %s', async (_, code, error) => {
      const answer = await act(code);
      expect(answer.status).toBe(500);
      expect(answer.error).toMatch(error);
    });

    test.each(RETURNS)('one that returns %s', async (_, code, error) => {
      const answer = await act(code);
      expect(answer.status).toBe(500);
      expect(answer.error).toMatch(error);
    });

    test.each(ENDS)('one that %s is started again', async (_, code) => {
      const answer = await act(code);
      expect([answer.status, NOT_HEALTHY.test(answer.error)]).toEqual([500, true]);
    });

    test.each(HARMLESS)('one that %s answers all the same', async (_, code) => {
      expect(await act(code)).toMatchObject({ status: 200, values: [1, 2] });
    });

    test('metrics may be what is no number, and their texts stay inside of their lines', async () => {
      const code = `f = pb_utils.MetricFamily(name="evil", description="d\\n# TYPE x counter", kind=pb_utils.MetricFamily.GAUGE)
m = f.Metric(labels={"a": "x\\"\\n} y"})
seen = []
for each in ("nan", "inf", "-inf"):
    m.set(float(each))
    seen.append(m.value())
sys.kept = (f, m)
return [InferenceResponse([], TritonError(str(seen)))]`;
      expect(await act(code)).toMatchObject({ status: 500, error: '[nan, inf, -inf]' });
      const lines = (await server.metrics()).split('\n').filter((line) => line.includes('evil'));
      expect(lines).toEqual([
        '# HELP evil d\\n# TYPE x counter',
        '# TYPE evil gauge',
        'evil{a="x\\"\\n} y"} -Inf',
      ]);
    });

    test('whoever waits for a request that never ends can go, and others go on', async () => {
      const leaving = new AbortController();
      const forever = server.act('actor', 'time.sleep(2)', leaving.signal);
      forever.catch(() => undefined);
      expect((await server.act('bystander', '')).status).toBe(200);
      leaving.abort();
      await expect(forever).rejects.toThrow();
      expect((await server.act('actor', '')).status).toBe(200);
    });

    test('nothing is left open after it', async () => {
      await server.unload('actor');
      await expect.poll(() => server.states('actor')).toEqual(['UNAVAILABLE']);
      await expect.poll(async () => (await server.facts()).descriptors).toBeLessThanOrEqual(descriptors + 2);
    });
  },
);
