// A fault while a model runs through a GPU provider: one restart, then the model is served without that provider, and
// says so. Skipped unless CONCH_GPU_PROVIDER names a provider.

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

import { endlessModel } from '../../../src-main/testing/onnx-test-models.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';
import { enginePid, hasGone, infer, occupy, pause, ServerProcess } from '../../processes/served-process.ts';
import { provider } from './gpu-world.ts';

const LONG_MS = 300_000;

test.skipIf(provider === '')(
  'a provider that ends its process is left out for the model it ran',
  async () => {
    const data = await mkdtemp(path.join(os.tmpdir(), 'conch-gpu-crash-'));
    await using repository = await TempRepository.create({
      'endless/1/model.onnx': endlessModel(),
      'endless/config.pbtxt': 'backend: "onnxruntime"\ninstance_group [ { kind: KIND_GPU } ]\n',
    });
    await using server = ServerProcess.serve(
      '--ui',
      '--ui-port=0',
      `--user-data=${data}`,
      `--model-repository=${repository.path}`,
      `--backend-config=onnxruntime,gpu-providers=${provider}`,
    );
    await server.printed(/(http:\/\/127\.0\.0\.1:\d+)/);
    const http = await server.http().catch(() => '');
    await occupy(http);
    const engine = enginePid(server.pid);
    process.kill(engine, 'SIGSEGV');
    expect(await hasGone(engine, 10_000)).toBe(true);
    await server.printed(new RegExp(`'endless' goes on without '${provider}'`));
    await server.printed(new RegExp(`'${provider}' is left out for this model: the server process ended`));
    while ((await infer(http, 1)) !== 200) await pause(100);
    expect(enginePid(server.pid)).not.toBe(engine);
    await rm(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  },
  LONG_MS,
);
