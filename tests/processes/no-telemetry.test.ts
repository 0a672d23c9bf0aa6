// Nothing leaves the computer by itself: the libraries that run models keep no records of their own for their makers.

import { mkdir, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

import { identityModel } from '../../src-main/testing/onnx-test-models.ts';
import { conchProgram, serveArguments, ServerProcess } from './served-process.ts';

/** What of these a process has open. */
async function openFilesBelow(folder: string, pid: number): Promise<string[]> {
  const names = await readdir(`/proc/${pid}/fd`);
  const files = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')));
  return files.filter((file) => file.startsWith(folder));
}

test.skipIf(process.platform !== 'linux')(
  'a server that ran an ONNX model wrote nothing below the home and the temporary folder',
  async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'conch-telemetry-'));
    try {
      const [home, temporary] = [path.join(folder, 'home'), path.join(folder, 'tmp')];
      const version = path.join(folder, 'models/m/1');
      await Promise.all([home, temporary, version].map((each) => mkdir(each, { recursive: true })));
      await writeFile(path.join(version, 'model.onnx'), identityModel('FP32', [1]));
      const args = [conchProgram, ...serveArguments(`--model-repository=${path.join(folder, 'models')}`)];
      await using server = new ServerProcess(process.execPath, args, {
        env: { ...process.env, ORT_DISABLE_TELEMETRY: '', HOME: home, XDG_CACHE_HOME: '', TMPDIR: temporary },
      });
      const http = await server.http();
      const body = '{"inputs":[{"name":"INPUT","datatype":"FP32","shape":[1],"data":[7]}]}';
      const answer = await fetch(`http://${http}/v2/models/m/infer`, { method: 'POST', body });
      expect(await answer.text()).toContain('"data":[7');
      expect(await openFilesBelow(home, server.pid)).toEqual([]);
      const written = await readdir(folder, { recursive: true });
      expect(written.filter((name) => /^(?:home|tmp)\/.*(?:\.log|onnxruntime|deviceid)/.test(name))).toEqual(
        [],
      );
      expect(await readdir(home)).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
  },
);
