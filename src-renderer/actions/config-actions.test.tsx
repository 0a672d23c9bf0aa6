// Changes of config.pbtxt from outside of its editor: what is written against which hash, and the way back.

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { ConfigFile } from '../../src-shared/contract/config-calls.ts';
import { ServerError } from '../../src-shared/errors.ts';
import type { ActionPage } from '../testing/action-page.tsx';
import { actionPage } from '../testing/action-page.tsx';
import { FakeEngine } from '../testing/fake-engine.ts';
import { until } from '../testing/render.tsx';
import { editConfig } from './edit-config.ts';
import { moveToCpu } from './move-to-cpu.ts';
import { insertSample, removeSample } from './warmup-sample.ts';

const SAMPLES =
  'name: "m"\nmodel_warmup { name: "a" batch_size: 1 }\nmodel_warmup { name: "b" batch_size: 2 }\n';

let page: ActionPage;
let fake: FakeEngine;
let file: ConfigFile;

beforeEach(async () => {
  file = {
    exists: true,
    text: SAMPLES,
    hash: 'h1',
    path: '/m/config.pbtxt',
    readOnlyReason: undefined,
    refusal: undefined,
  };
  fake = new FakeEngine();
  fake.overrides['config/read'] = () => file;
  fake.overrides['config/write'] = ({ text, expectedHash }) => {
    if (expectedHash !== file.hash) throw new ServerError('ALREADY_EXISTS', 'config.pbtxt changed on disk');
    file = { ...file, exists: true, text, hash: `h${Number(file.hash?.slice(1) ?? 0) + 1}` };
    return file;
  };
  page = await actionPage(fake);
});
afterEach(() => page.close());

const shout = { title: 'name in capitals', apply: (text: string) => text.toUpperCase(), load: false };

test('a loaded model is reloaded with the changed text, and with the former one after Undo', async () => {
  await editConfig(page.engine, 'image_tiny', shout);
  expect(file.text).toBe(SAMPLES.toUpperCase());
  expect(fake.argsOf('repository/reload')).toHaveLength(1);
  await page.told('info', 'Changed config.pbtxt of image_tiny: name in capitals.');
  await page.follow('Changed config.pbtxt of image_tiny', 'Undo');
  await page.told('info', 'The former config.pbtxt of image_tiny is back.');
  expect(file.text).toBe(SAMPLES);
  expect(fake.argsOf('repository/reload')).toHaveLength(2);
});

test('a text that needs no change is neither written nor loaded again', async () => {
  const isWritten = await editConfig(page.engine, 'image_tiny', { ...shout, apply: () => undefined });
  expect(isWritten).toBe(false);
  expect(file.text).toBe(SAMPLES);
  expect(fake.argsOf('repository/reload')).toEqual([]);
});

test('Undo does not write over what somebody else wrote meanwhile', async () => {
  await editConfig(page.engine, 'accumulate', shout);
  file = { ...file, text: 'name: "theirs"', hash: 'h9' };
  await page.follow('Changed config.pbtxt of accumulate', 'Undo');
  await page.told('error', 'config.pbtxt changed on disk');
  expect(file.text).toBe('name: "theirs"');
});

test('a model that is not loaded is loaded only when that is wanted', async () => {
  await editConfig(page.engine, 'simple', shout);
  expect(fake.argsOf('repository/load')).toEqual([]);
  await editConfig(page.engine, 'simple', { ...shout, load: true });
  expect(fake.argsOf('repository/load')).toEqual([{ model: 'simple' }]);
});

test('a file that was not there before has no way back', async () => {
  file = { ...file, exists: false, text: '', hash: 'h0' };
  fake.overrides['config/write'] = ({ text }) => (file = { ...file, exists: true, text });
  await editConfig(page.engine, 'pipeline', { ...shout, apply: () => 'name: "pipeline"' });
  await page.told('info', 'Changed config.pbtxt of pipeline');
  expect(page.offers('Changed config.pbtxt of pipeline')).toEqual([]);
});

test('a file that cannot be written leaves the model alone', async () => {
  fake.overrides['config/write'] = () => {
    throw new ServerError('UNAVAILABLE', 'read-only');
  };
  await expect(editConfig(page.engine, 'image_tiny', shout)).rejects.toThrow('read-only');
  expect(fake.argsOf('repository/reload')).toEqual([]);
});

test('the instances of a model move to the CPU, and the rest of the text stays', async () => {
  file = { ...file, text: '# mine\ninstance_group { count: 3 kind: KIND_GPU gpus: [0, 1] }\n' };
  const model = page.engine.state.models.getState().byName.get('bert_reranker');
  if (model === undefined) throw new Error('there is no bert_reranker');
  await moveToCpu(page.engine, model);
  expect(file.text).toContain('# mine');
  expect(file.text).toContain('KIND_CPU');
  expect(file.text).not.toMatch(/KIND_GPU|gpus/);
  await page.told('info', 'Changed config.pbtxt of bert_reranker: Instances moved to the CPU.');
});

test('a sample is put into the text as the engine writes it, and taken back while the file is the same', async () => {
  fake.overrides['warmup/insert'] = ({ text, sampleText }) => ({ text: `${text}${sampleText}\n` });
  const undo = await insertSample(page.engine.client, 'm', 'model_warmup { name: "c" }');
  expect(file.text).toBe(`${SAMPLES}model_warmup { name: "c" }\n`);
  await undo();
  expect(file.text).toBe(SAMPLES);
  const again = await insertSample(page.engine.client, 'm', 'model_warmup { name: "d" }');
  file = { ...file, hash: 'h77' };
  await expect(again()).rejects.toThrow('changed on disk');
});

test('the sample of that name is taken out, not its neighbour', async () => {
  const undo = await removeSample(page.engine.client, 'm', 'a');
  expect(file.text).not.toContain('"a"');
  expect(file.text).toContain('name: "b" batch_size: 2');
  await undo();
  expect(file.text).toBe(SAMPLES);
});

test('a sample that is not in the file cannot be taken out', async () => {
  await expect(removeSample(page.engine.client, 'm', 'zz')).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: "config.pbtxt of 'm' has no warmup sample 'zz'",
  });
  await until(() => expect(fake.argsOf('config/write')).toEqual([]));
});
