// A TensorFlow SavedModel converted to ONNX by tf2onnx: both give the same answers, a cancelled conversion leaves nothing.

import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import type { ControlWorld } from '../../src-main/testing/control-world.ts';
import { playgroundRequest, startControlWorld, typedInput } from '../../src-main/testing/control-world.ts';
import { needsPython, testPython } from '../../src-main/testing/test-python.ts';

const python = testPython('tf2onnx');

const MAKE = `
import sys, tensorflow as tf

class Classifier(tf.Module):
    def __init__(self):
        self.weights = tf.Variable(tf.random.stateless_normal([4, 3], [1, 2]))

    @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32, name="pixels")])
    def serve(self, pixels):
        scores = tf.nn.softmax(tf.matmul(pixels, self.weights))
        return {"scores": scores, "best": tf.argmax(scores, axis=1, output_type=tf.int32)[:, tf.newaxis]}

made = Classifier()
tf.saved_model.save(made, sys.argv[1], signatures={"serving_default": made.serve})
`;

const CONFIG = `name: "saved"
backend: "tensorflow"
platform: "tensorflow_savedmodel"
max_batch_size: 8
input { name: "pixels" data_type: TYPE_FP32 dims: [ 4 ] }
output { name: "scores" data_type: TYPE_FP32 dims: [ 3 ] }
output { name: "best" data_type: TYPE_INT32 dims: [ 1 ] }
`;

describe.skipIf(python === undefined)(needsPython('TensorFlow to ONNX', 'tf2onnx'), () => {
  let world: ControlWorld;

  beforeAll(async () => {
    vi.stubEnv('PATH', `${path.dirname(python ?? '')}:${process.env['PATH'] ?? ''}`);
    world = await startControlWorld([]);
    const model = path.join(world.repositoryPath, 'saved');
    await mkdir(path.join(model, '1'), { recursive: true });
    await writeFile(path.join(model, 'config.pbtxt'), CONFIG);
    const script = path.join(path.dirname(world.repositoryPath), 'make.py');
    await writeFile(script, MAKE);
    execFileSync(python ?? '', [script, path.join(model, '1/model.savedmodel')], { stdio: 'ignore' });
    await world.client.call('repository/rescan', {});
  }, 240_000);
  afterAll(async () => {
    vi.unstubAllEnvs();
    await world[Symbol.asyncDispose]();
  });

  test('a cancelled conversion leaves no process and nothing half-made', async () => {
    const { client, repositoryPath: repository } = world;
    expect(await client.call('framework/canConvert', { model: 'saved' })).toEqual({});
    const stop = new AbortController();
    const convert = { model: 'saved', newName: 'never', load: false, taskId: 'cancelled' };
    const work = client.call('framework/convert', convert, { signal: stop.signal });
    const settled = expect(work).rejects.toThrow();
    await vi.waitFor(async () => expect(await converting()).not.toEqual([]), {
      timeout: 30_000,
      interval: 50,
    });
    stop.abort();
    await settled;
    await vi.waitFor(async () => expect(await converting()).toEqual([]));
    expect(await readdir(repository)).not.toContain('never');
    // The folder that it worked in goes behind the process, and the call does not wait for either.
    const halfMade = async (): Promise<string[]> =>
      (await readdir(path.dirname(repository))).filter((name) => name.startsWith('.conch'));
    await vi.waitFor(async () => expect(await halfMade()).toEqual([]));
  }, 60_000);

  test('the new model answers like the old one, by the same names', async () => {
    const { client, repositoryPath: repository } = world;
    const convert = { model: 'saved', newName: 'saved_onnx', load: true, taskId: 'convert' };
    expect(await client.call('framework/convert', convert)).toMatchObject({
      model: 'saved_onnx',
      verdict: 'match',
      outputs: [{ name: 'scores' }, { name: 'best' }],
    });
    const { models } = await client.call('repository/snapshot', {});
    expect(models.find(({ name }) => name === 'saved_onnx')).toMatchObject({
      state: 'ready',
      maxBatchSize: 8,
    });
    const pixels = typedInput('pixels', 'FP32', [2, 4], [1, 2, 3, 4, -1, 0, 1, 0]);
    const answer = JSON.stringify(
      await client.call('playground/send', playgroundRequest('saved_onnx', [pixels])),
    );
    expect(answer).toContain('"scores"');
    expect(answer).toContain('"best"');
    expect(await readFile(path.join(repository, 'saved/config.pbtxt'), 'utf8')).toBe(CONFIG);
  }, 120_000);
});

/** Processes that convert, of this test's Python. */
async function converting(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const pid of await readdir('/proc')) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (line.startsWith(python ?? '-') && line.includes('convert_onnx.py')) found.push(pid);
  }
  return found;
}
