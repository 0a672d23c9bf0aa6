// What becomes of the processes of Python models when the engine ends without a word.

import { describe, expect, test } from 'vitest';
import { isRunning } from '../../../src-main/testing/is-running.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';
import { needsPython, testPython } from '../../../src-main/testing/test-python.ts';
import { serveConch } from '../../../tools/served-process.ts';
import { IMPORTS, ONE_TO_ONE } from './python-world.ts';

const MODEL = `${IMPORTS}import signal, subprocess
class TritonPythonModel:
    def initialize(self, args):
        # Nobody who watches over this process goes by that.
        os.killpg(0, signal.SIGTERM)
        forked = os.fork()
        if forked == 0:
            time.sleep(600)
            os._exit(0)
        started = subprocess.Popen(["sleep", "600"]).pid
        print("PIDS", os.getpid(), forked, started, flush=True)
    def execute(self, requests):
        print("AT WORK", flush=True)
        time.sleep(600)
`;

describe.skipIf(testPython() === undefined || process.platform !== 'linux')(
  needsPython('the engine is killed'),
  () => {
    test('no process of a model is left, busy ones and those that it forked included', async () => {
      await using repository = await TempRepository.create({
        'busy/config.pbtxt': `backend: "python"\n${ONE_TO_ONE}\ninstance_group [ { kind: KIND_CPU count: 2 } ]`,
        'busy/1/model.py': MODEL,
      });
      const server = await serveConch([
        `--model-repository=${repository.path}`,
        '--disable-auto-complete-config',
        `--backend-config=python,python-executable=${testPython() ?? ''}`,
      ]);
      const pids = (): number[] =>
        [...server.log().matchAll(/PIDS (\d+) (\d+) (\d+)/g)].flatMap((match) => match.slice(1).map(Number));
      await expect.poll(pids, { timeout: 30_000 }).toHaveLength(6);
      const body = JSON.stringify({ inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1], data: [1] }] });
      const request = fetch(`http://${server.http}/v2/models/busy/infer`, { method: 'POST', body });
      request.catch(() => undefined);
      await expect.poll(server.log, { timeout: 30_000 }).toContain('AT WORK');
      process.kill(server.pid, 'SIGKILL');
      await expect(request).rejects.toThrow();
      await expect.poll(() => pids().filter(isRunning)).toEqual([]);
    });
  },
);
