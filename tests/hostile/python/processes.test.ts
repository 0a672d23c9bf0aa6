// Python models that start processes and threads of their own: pools, daemons, programs. They work as in any Python, and
// none of them is left when the model goes.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { needsPython, testPython } from '../../../src-main/testing/test-python.ts';
import { ACTOR, isRunning, PythonTarget, pythonModel } from './python-target.ts';

const PATIENT = { timeout: 60_000, interval: 100 };

/** Leaves the value of `told` as the text of an error. */
const telling = (code: string): string =>
  `${code}\nreturn [InferenceResponse([], TritonError(json.dumps(told))) for _ in requests]`;

const POOLS: readonly (readonly [what: string, code: string])[] = [
  ...['fork', 'spawn', 'forkserver'].map(
    (kind) =>
      [
        `a pool by ${kind}`,
        `import multiprocessing
with multiprocessing.get_context("${kind}").Pool(2) as pool: told = pool.map(abs, [-1, -2, -3])`,
      ] as const,
  ),
  [
    'an executor of processes',
    `from concurrent.futures import ProcessPoolExecutor
with ProcessPoolExecutor(2) as pool: told = list(pool.map(abs, [-1, -2, -3]))`,
  ],
  [
    'an executor of threads',
    `from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(2) as pool: told = list(pool.map(abs, [-1, -2, -3]))`,
  ],
  [
    'a process with a queue',
    `import multiprocessing
context = multiprocessing.get_context("fork")
queue = context.Queue()
worker = context.Process(target=lambda: [queue.put(n) for n in (1, 2, 3)])
worker.start()
told = [queue.get() for _ in range(3)]
worker.join()`,
  ],
  [
    'a program that is asked to end',
    `import subprocess
program = subprocess.Popen(["sleep", "600"])
program.terminate()
told = [1, 2, 3] if program.wait(20) == -signal.SIGTERM else []`,
  ],
  [
    'a process that is asked to end',
    `import multiprocessing
worker = multiprocessing.get_context("fork").Process(target=time.sleep, args=(600,))
worker.start()
worker.terminate()
worker.join(20)
told = [1, 2, 3] if worker.exitcode == -signal.SIGTERM else []`,
  ],
  [
    'shared memory of its own',
    `from multiprocessing import shared_memory
block = shared_memory.SharedMemory(create=True, size=24)
array = np.ndarray(3, np.int64, block.buf); array[:] = (1, 2, 3)
told = array.tolist()
del array
block.close(); block.unlink()`,
  ],
];

/** Each tells the processes that it leaves behind. */
const LEFT: readonly (readonly [what: string, code: string])[] = [
  [
    'a pool that nobody closes',
    `import multiprocessing
sys.pool = multiprocessing.get_context("fork").Pool(2)
told = [worker.pid for worker in sys.pool._pool]`,
  ],
  [
    'twenty children',
    `told = []
for _ in range(20):
    child = os.fork()
    if child == 0:
        time.sleep(600); os._exit(0)
    told.append(child)`,
  ],
  [
    'grandchildren',
    `reader, writer = os.pipe()
if os.fork() == 0:
    grandchild = os.fork()
    if grandchild == 0:
        time.sleep(600); os._exit(0)
    os.write(writer, b"%d" % grandchild); time.sleep(600); os._exit(0)
told = [int(os.read(reader, 20))]`,
  ],
  [
    'a program that starts another',
    `import subprocess
program = subprocess.Popen(["sh", "-c", "sleep 600 & echo $!; wait"], stdout=subprocess.PIPE)
told = [program.pid, int(program.stdout.readline())]`,
  ],
  [
    'a thread that never ends, and one that starts threads',
    `def spread(depth):
    if depth: threading.Thread(target=spread, args=(depth - 1,)).start()
    while True: time.sleep(0.05)
threading.Thread(target=spread, args=(5,)).start()
told = [os.getpid()]`,
  ],
];

describe.skipIf(testPython() === undefined || process.platform !== 'linux')(
  needsPython('Python models with processes of their own'),
  () => {
    let server: PythonTarget;

    beforeAll(async () => {
      const four = pythonModel('four', ACTOR, 'instance_group [ { kind: KIND_CPU count: 4 } ]');
      server = await PythonTarget.start({ ...pythonModel('actor', ACTOR), ...four });
      expect(await server.load('actor')).toBe('');
    });
    afterAll(() => server[Symbol.asyncDispose]());

    test.each(POOLS)('%s works', async (_, code) => {
      expect((await server.act('actor', telling(code))).error).toBe('[1, 2, 3]');
      expect(await server.act('actor', '')).toMatchObject({ status: 200, values: [1, 2] });
    });

    test.each(LEFT)('%s: gone with the model', async (_, code) => {
      const pids = JSON.parse((await server.act('actor', telling(code))).error) as number[];
      expect(await Promise.all(pids.map(isRunning))).toEqual(pids.map(() => true));
      expect(await server.act('actor', '')).toMatchObject({ status: 200, values: [1, 2] });
      await server.unload('actor');
      await vi.waitFor(
        async () => expect(await Promise.all(pids.map(isRunning))).toEqual(pids.map(() => false)),
        PATIENT,
      );
      expect(await server.load('actor')).toBe('');
    });

    test('hosts that are killed under load fail what they had, and nothing else', async () => {
      expect(await server.load('four')).toBe('');
      const told = telling('told = os.getpid()');
      const pids = new Set<number>();
      const counts = { answered: 0, failed: 0, other: 0 };
      let isAsking = true;
      const client = async (): Promise<void> => {
        while (isAsking) {
          const { error } = await server.act('four', told);
          if (/^\d+$/.test(error)) pids.add(Number(error));
          if (/^\d+$/.test(error)) counts.answered += 1;
          else if (/^Stub process 'four_0_[0-3]' is not healthy\.$/.test(error)) counts.failed += 1;
          else counts.other += 1;
        }
      };
      const clients = Array.from({ length: 8 }, client);
      const kills = 8;
      for (let turn = 0; turn < kills; turn += 1) {
        const seen = counts.answered;
        await vi.waitFor(() => expect(counts.answered).toBeGreaterThan(seen + 40), PATIENT);
        const running = [];
        for (const pid of pids) if (await isRunning(pid)) running.push(pid);
        process.kill(running[turn % running.length] as number, 'SIGKILL');
      }
      isAsking = false;
      await Promise.all(clients);
      // A host has at most two batches: the one that runs, and the one on its way.
      expect([counts.other, counts.failed <= 2 * kills]).toEqual([0, true]);
      await vi.waitFor(async () => {
        const [, body] = await server.call('models/four/ready');
        expect(body).toBeUndefined();
      }, PATIENT);
      const after = await Promise.all(Array.from({ length: 40 }, () => server.act('four', told)));
      expect(after.every(({ error }) => /^\d+$/.test(error))).toBe(true);
      await server.unload('four');
      await vi.waitFor(
        async () => expect(await Promise.all([...pids].map(isRunning))).not.toContain(true),
        PATIENT,
      );
    });
  },
);
