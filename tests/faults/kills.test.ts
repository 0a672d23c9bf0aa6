// kill -9 of what a server is made of, in the middle of traffic: every request has its right answer or an end, and the
// server is whole again by itself.

import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';

import { TempRepository } from '../../src-main/testing/temp-repository.ts';
import { needsPython, testPython } from '../../src-main/testing/test-python.ts';
import { WindowCaller } from '../../tools/attack/window-caller.ts';
import { echo } from '../conformance/checklist/checklist-models.ts';
import { enginePid, hasGone, ServerProcess } from '../processes/served-process.ts';
import { CheckedClients, ready } from './checked-clients.ts';

const DOUBLE = {
  'double/config.pbtxt': `backend: "python" instance_group { count: 2 kind: KIND_CPU }
    input { name: "INPUT0" data_type: TYPE_INT32 dims: [ -1 ] } output { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ -1 ] }`,
  'double/1/model.py': `import triton_python_backend_utils as pb_utils

class TritonPythonModel:
    def execute(self, requests):
        return [
            pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", pb_utils.get_input_tensor_by_name(r, "INPUT0").as_numpy() * 2)])
            for r in requests
        ]
`,
};

/** With a window, so that there is a parent that keeps the engine alive. */
async function served(
  files: Readonly<Record<string, string | Uint8Array>>,
  ...more: readonly string[]
): Promise<{
  readonly server: ServerProcess;
  readonly address: string;
  readonly repository: TempRepository;
  end(): Promise<void>;
}> {
  const repository = await TempRepository.create(files);
  const data = `${repository.path}-data`;
  const args = [
    `--model-repository=${repository.path}`,
    `--user-data=${data}`,
    '--ui',
    '--ui-port=0',
    ...more,
  ];
  const server = ServerProcess.serve(...args);
  const address = await server.printed(/HTTP +http:\/\/(\S+)/);
  const end = async (): Promise<void> => {
    await server[Symbol.asyncDispose]();
    await repository.close();
    await rm(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  return { server, address, repository, end };
}

test('the engine: its requests end, it is started again on the same ports, and answers', async () => {
  const { server, address, end } = await served(echo('m', 'INT32', [-1]));
  try {
    await ready(address, 'm');
    const clients = new CheckedClients(() => address, 'm');
    await clients.answered(50);
    for (let round = 0; round < 2; round += 1) {
      const engine = enginePid(server.pid);
      process.kill(engine, 'SIGKILL');
      expect(await hasGone(engine, 5000)).toBe(true);
      await clients.answered(50);
      expect(enginePid(server.pid)).not.toBe(engine);
    }
    const counts = await clients.stop();
    expect(counts.wrong).toEqual([]);
    expect(counts.cut).toBeGreaterThan(0);
    expect(server.log).toMatch(/SIGKILL|killed/);
  } finally {
    await end();
  }
});

describe.skipIf(testPython() === undefined)(needsPython('a Python model'), () => {
  test('its process: what it had is refused in words, the others go on, and it is there again', async () => {
    const files = { ...DOUBLE, ...echo('m', 'INT32', [-1]) };
    const option = `--backend-config=python,python-executable=${testPython() ?? ''}`;
    const { server, address, end } = await served(files, option);
    try {
      await ready(address, 'double');
      const doubles = new CheckedClients(() => address, 'double', { factor: 2, count: 4 });
      await doubles.answered(20);
      await ready(address, 'm');
      const others = new CheckedClients(() => address, 'm', { count: 2 });
      const engine = enginePid(server.pid);
      for (let round = 0; round < 3; round += 1) {
        const [host = ''] = execFileSync('pgrep', ['-P', String(engine)], { encoding: 'utf8' })
          .trim()
          .split('\n');
        process.kill(Number(host), 'SIGKILL');
        await others.answered(20);
        await doubles.answered(20);
      }
      const [ofDouble, ofOthers] = await Promise.all([doubles.stop(), others.stop()]);
      expect([ofDouble.wrong, ofOthers.wrong, ofDouble.cut, ofOthers.cut]).toEqual([[], [], 0, 0]);
      expect([...ofOthers.errors]).toEqual([]);
      expect(enginePid(server.pid)).toBe(engine);
    } finally {
      await end();
    }
  });
});

test('the connection of a page in the middle of its calls: nobody else notices', async () => {
  const { server, address, end } = await served(echo('m', 'INT32', [-1]));
  try {
    const [, port = '', token = ''] = /Window +http:\/\/[^:]+:(\d+)\/\?token=(\S+)/.exec(server.log) ?? [];
    await ready(address, 'm');
    const clients = new CheckedClients(() => address, 'm', { count: 3 });
    const engine = enginePid(server.pid);
    for (let round = 0; round < 30; round += 1) {
      const page = await WindowCaller.open(Number(port), token);
      page.sendText('{"type":"subscribe","name":"observe/sample"}');
      const answers = ['repository/snapshot', 'observe/statistics', 'config/context', 'server/check'].map(
        (name) => page.call(name, { model: 'm' }),
      );
      if (round % 2 === 0) await answers[0];
      page.close();
      await Promise.all(answers);
    }
    await clients.answered(50);
    const counts = await clients.stop();
    expect([counts.wrong, counts.cut, [...counts.errors], enginePid(server.pid)]).toEqual([
      [],
      0,
      [],
      engine,
    ]);
  } finally {
    await end();
  }
});
