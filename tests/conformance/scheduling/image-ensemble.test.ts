// An image file in, class scores out: a JavaScript model prepares the image, a classifier judges it, and
// an ensemble joins the two.
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { imageToTensor } from '../../../src-main/backends/javascript/image-tensor.ts';
import { systemClock } from '../../../src-main/base/clock.ts';
import { HttpInferClient } from '../../../src-main/client/http-client.ts';
import type { ClientTensor } from '../../../src-main/client/infer-client.ts';
import { fixture } from '../../../src-main/testing/fixtures.ts';
import { startTestEngine } from '../../../src-main/testing/start-test-engine.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';

const FILES = {
  'prepare/config.pbtxt': `backend: "javascript" max_batch_size: 0
input [ { name: "IMAGE" data_type: TYPE_STRING dims: [ 1 ] } ]
output [ { name: "PIXELS" data_type: TYPE_FP32 dims: [ 3, 32, 32 ] } ]`,
  'prepare/1/model.ts': `
interface Tools { imageToTensor(image: Uint8Array, options: object): Promise<Float32Array> }
export async function execute(requests: readonly any[], tools: Tools) {
  return Promise.all(requests.map(async ({ inputs }) => {
    const data = await tools.imageToTensor(inputs.IMAGE.data[0], { width: 32, height: 32, scaling: 'INCEPTION' });
    return { outputs: { PIXELS: { shape: [3, 32, 32], data } } };
  }));
}`,
  'classify/config.pbtxt': `platform: "ensemble" max_batch_size: 0
input [ { name: "IMAGE" data_type: TYPE_STRING dims: [ 1 ] } ]
output [ { name: "SCORES" data_type: TYPE_FP32 dims: [ 10 ] } ]
ensemble_scheduling { step [
  { model_name: "prepare" model_version: -1
    input_map { key: "IMAGE" value: "IMAGE" } output_map { key: "PIXELS" value: "pixels" } },
  { model_name: "image_classifier" model_version: -1
    input_map { key: "pixels" value: "pixels" } output_map { key: "scores" value: "SCORES" } } ] }`,
  'classify/1/': '',
};

it('an ensemble classifies a JPEG as the classifier does with prepared pixels', async () => {
  await using repository = await TempRepository.create(FILES);
  await cp(fixture('models/image_classifier'), path.join(repository.path, 'image_classifier'), {
    recursive: true,
  });
  await using engine = await startTestEngine(repository.path);
  const client = new HttpInferClient(`127.0.0.1:${engine.ports.http}`, {
    clock: systemClock,
    encoding: 'binary',
  });
  const ask = async (model: string, input: ClientTensor): Promise<Float32Array> => {
    const exchange = await client.infer({
      model,
      version: '',
      id: '',
      inputs: [input],
      outputs: [],
      parameters: new Map(),
    });
    expect(exchange.error).toBeUndefined();
    const bytes = exchange.responses[0]?.outputs[0]?.bytes ?? new Uint8Array();
    return new Float32Array(new Uint8Array(bytes).buffer);
  };
  const image = await readFile(fixture('images/circles.jpg'));
  const element = Buffer.alloc(4 + image.byteLength);
  element.writeUInt32LE(image.byteLength);
  element.set(image, 4);
  const scores = await ask('classify', { name: 'IMAGE', datatype: 'BYTES', shape: [1], bytes: element });
  const pixels = await imageToTensor(image, { width: 32, height: 32, scaling: 'INCEPTION' });
  const bytes = new Uint8Array(pixels.buffer);
  const direct = await ask('image_classifier', {
    name: 'pixels',
    datatype: 'FP32',
    shape: [3, 32, 32],
    bytes,
  });
  expect(scores).toHaveLength(10);
  expect(scores).toEqual(direct);
  expect(engine.service.statistics('prepare', '')[0]?.executionCount).toBe(1);
  await client.close();
});
