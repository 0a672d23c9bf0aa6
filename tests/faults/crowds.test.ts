// Crowds of connections that ask without a pause and disappear in the middle of it, for as long as it takes until a lost
// wake-up between two threads may show: once in some 300,000 requests is enough to make every model deaf. It shows by
// chance, not in every run. A client in JavaScript is too slow to bring it about, so wrk makes the crowds where it is
// installed.

import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

import { identityModel } from '../../src-main/testing/onnx-test-models.ts';
import { TempRepository } from '../../src-main/testing/temp-repository.ts';
import { ServerProcess } from '../processes/served-process.ts';
import { FastConnections } from './fast-connections.ts';

const CONNECTIONS = 64;
/** What a crowd gets before it leaves. */
const ANSWERS = 3000;
const hasWrk = spawnSync('wrk', ['--version']).error === undefined;
const LONG_MS = 180_000;

/** What wrk sends: the request of FastConnections, with the same numbers each time. */
const SCRIPT = `local json = '{"inputs":[{"name":"INPUT","datatype":"INT32","shape":[1,16],"parameters":{"binary_data_size":64}}],"parameters":{"binary_data_output":true}}'
wrk.method = "POST"
wrk.headers["Inference-Header-Content-Length"] = tostring(#json)
wrk.body = json .. string.rep("\\1\\0\\0\\0", 16)
`;

interface World extends AsyncDisposable {
  readonly address: string;
  readonly clients: FastConnections;
  readonly script: string;
}

async function world(): Promise<World> {
  const repository = await TempRepository.create({
    'm/config.pbtxt': `backend: "onnxruntime" max_batch_size: 8 instance_group { count: 1 kind: KIND_CPU }
      parameters { key: "intra_op_thread_count" value: { string_value: "1" } }`,
    'm/1/model.onnx': identityModel('INT32', ['batch', 16]),
    'crowd.lua': SCRIPT,
  });
  const server = ServerProcess.serve(
    `--model-repository=${repository.path}`,
    '--model-control-mode=explicit',
    '--load-model=m',
  );
  const address = await server.http();
  return {
    address,
    clients: new FastConnections(Number(address.split(':')[1]), 'm'),
    script: repository.at('crowd.lua'),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await repository.close();
    },
  };
}

describe('a model answers the next request after every crowd that left', () => {
  test.skipIf(!hasWrk)(
    `a fast one${hasWrk ? '' : ' (skipped: wrk is not installed)'}`,
    async () => {
      await using w = await world();
      const url = `http://${w.address}/v2/models/m/infer`;
      for (let round = 1; round <= 40; round += 1) {
        const args = ['-t1', `-c${CONNECTIONS}`, '-d1s', '-s', w.script, url];
        const { stdout } = await promisify(execFile)('wrk', args);
        expect(stdout, `round ${round}`).toMatch(/[1-9]\d* requests in/);
        expect(stdout, `round ${round}`).not.toContain('Non-2xx');
        expect(await w.clients.isAnswered(), `round ${round}`).toBe(true);
      }
      expect(w.clients.wrong).toEqual([]);
    },
    LONG_MS,
  );

  test(
    'one whose answers are read',
    async () => {
      await using w = await world();
      for (let round = 1; round <= 15; round += 1) {
        const wanted = w.clients.right + ANSWERS;
        w.clients.open(CONNECTIONS);
        expect(await w.clients.answered(wanted), `answers in round ${round}`).toBe(true);
        w.clients.drop();
        expect(await w.clients.isAnswered(), `round ${round}`).toBe(true);
      }
      expect(w.clients.wrong).toEqual([]);
    },
    LONG_MS,
  );
});
