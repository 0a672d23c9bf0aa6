// What a hand-over finds beforehand.

import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import type { HandoverPlan } from '../../src-shared/contract/handover-calls.ts';
import { parseModelConfig } from '../../src-shared/config/parse-model-config.ts';
import type { WritableModel } from '../onnx/onnx-writer.ts';
import { writeOnnx } from '../onnx/onnx-writer.ts';
import { exportedText, findingsOf, handOverFolders } from '../testing/handover-run.ts';
import { identityModel, value } from '../testing/onnx-test-models.ts';
import { onnxLimits } from './release-table.ts';
import { repositoryOfTest } from '../testing/repository-of-test.ts';
import type { RepositoryFiles } from '../testing/temp-repository.ts';

async function check(
  files: RepositoryFiles,
  plan: Partial<HandoverPlan> = {},
  options: readonly string[] = [],
) {
  return handOverFolders({ repositories: [(await repositoryOfTest(files)).path], plan, options });
}

function onnx(change: Partial<WritableModel>, opType = 'Identity', domain = ''): Uint8Array {
  return writeOnnx({
    graph: {
      name: 'g',
      nodes: [{ opType, domain, inputs: ['INPUT'], outputs: ['OUTPUT'] }],
      inputs: [value('INPUT', 'FP32', ['batch', 4])],
      outputs: [value('OUTPUT', 'FP32', ['batch', 4])],
    },
    ...change,
  });
}

const IO =
  'input [ { name: "X" data_type: TYPE_FP32 dims: [ 4 ] } ] output [ { name: "Y" data_type: TYPE_FP32 dims: [ 4 ] } ]';

describe('backends', () => {
  test('a JavaScript model is refused, with a skeleton to rewrite it', async () => {
    const handover = await check({
      'm/config.pbtxt': `backend: "javascript" ${IO}`,
      'm/1/model.js': 'export default {}',
    });
    expect(findingsOf(handover, 'H02')).toMatchObject([
      { severity: 'error', line: 1, message: "only Conch runs models of the backend 'javascript'" },
    ]);
    expect(exportedText(handover, 'skeletons/m/1/model.py')).toContain(
      'get_input_tensor_by_name(request, "X")',
    );
    const { config } = parseModelConfig(exportedText(handover, 'skeletons/m/config.pbtxt'), {
      fileName: 'c',
    });
    expect(config).toMatchObject({ backend: 'python', input: [{ name: 'X' }], output: [{ name: 'Y' }] });
  });

  test.each([
    ['26.07', 'error', "release 26.07 has no backend 'tensorflow'; 25.02 is the last that has it"],
    ['25.03', 'error', "release 25.03 has no backend 'tensorflow'; 25.02 is the last that has it"],
    ['25.02', undefined, undefined],
  ])('a TensorFlow model for %s', async (release, severity, message) => {
    const files = {
      'm/config.pbtxt': `platform: "tensorflow_savedmodel" ${IO}`,
      'm/1/model.savedmodel/saved_model.pb': '',
    };
    const [found] = findingsOf(await check(files, { release }), 'H07');
    expect([found?.severity, found?.message]).toEqual([severity, message]);
  });

  test('a backend that no image has', async () => {
    const [found] = findingsOf(await check({ 'm/config.pbtxt': `backend: "mine" ${IO}`, 'm/1/': '' }), 'H01');
    expect(found).toMatchObject({
      severity: 'error',
      message: "nvcr.io/nvidia/tritonserver:26.07-py3 has no backend 'mine'",
    });
  });

  test('a plan of TensorRT is bound to its machine', async () => {
    const files = { 'm/config.pbtxt': `platform: "tensorrt_plan" ${IO}`, 'm/1/model.plan': '' };
    expect(findingsOf(await check(files), 'H08')).toMatchObject([{ severity: 'warning' }]);
  });
});

test('a model without a file is told once, by what is missing', async () => {
  const { models } = await check({ 'm/1/': '' });
  const told = models.flatMap(({ findings }) => findings);
  expect(told.filter(({ severity }) => severity === 'error')).toMatchObject([
    { code: 'D06', message: expect.stringContaining("Could not determine backend for model 'm'") as unknown },
  ]);
});

describe('ONNX files', () => {
  test('operator set 23 for 25.01 names the first release that can', async () => {
    const files = { 'm/1/model.onnx': onnx({ opsetVersion: 23 }) };
    expect(findingsOf(await check(files, { release: '25.01' }), 'H03')).toMatchObject([
      {
        severity: 'error',
        message: 'operator set 23 is above what ONNX Runtime 1.20.1 of release 25.01 reads, which is 21',
        hint: 'Take release 25.11 or a newer one, or export the model with operator set 21 or lower.',
      },
    ]);
    expect(findingsOf(await check(files, { release: '25.11' }), 'H03')).toEqual([]);
  });

  test('an IR version that is too new', async () => {
    const files = { 'm/1/model.onnx': onnx({ irVersion: 11 }) };
    expect(findingsOf(await check(files, { release: '25.01' }), 'H03')).toMatchObject([
      { message: expect.stringContaining('IR version 11 is above') as unknown },
    ]);
  });

  test('versions that were not measured count as the next lower one', () => {
    expect(onnxLimits('1.24.2')).toEqual(onnxLimits('1.23.2'));
    expect(onnxLimits('1.23.0')).toEqual(onnxLimits('1.22.0'));
    expect(onnxLimits('9.0.0')).toEqual(onnxLimits('1.27.0'));
  });

  test.each([
    ['', 'error', 'the operators my.domain.Odd are in no image'],
    [
      'model_operations { op_library_filename: "odd.dll" }',
      'error',
      'odd.dll is no library for Linux, and my.domain.Odd come from it',
    ],
    ['model_operations { op_library_filename: "odd.so" }', 'info', 'my.domain.Odd come from odd.so'],
  ])('operators of another domain: %s', async (operations, severity, message) => {
    const files = {
      'm/config.pbtxt': `backend: "onnxruntime" ${operations}`,
      'm/1/model.onnx': onnx({}, 'Odd', 'my.domain'),
    };
    expect(findingsOf(await check(files), 'H04')).toMatchObject([{ severity, message }]);
  });

  test('weights that are not beside the model', async () => {
    const weights = { name: 'W', datatype: 'FP32', dims: [4], data: { location: '../w.bin' } } as const;
    const graph = {
      name: 'g',
      nodes: [{ opType: 'Add', inputs: ['INPUT', 'W'], outputs: ['OUTPUT'] }],
      inputs: [value('INPUT', 'FP32', [4])],
      outputs: [value('OUTPUT', 'FP32', [4])],
      initializers: [weights],
    };
    const files = { 'm/1/model.onnx': writeOnnx({ graph }) };
    expect(findingsOf(await check(files), 'H05')).toMatchObject([{ severity: 'error' }]);
  });
});

describe('configurations', () => {
  const incomplete = { 'm/1/model.onnx': identityModel('FP32', ['batch', 4]) };

  test('a configuration without inputs is offered completed', async () => {
    expect(findingsOf(await check(incomplete), 'H09')).toMatchObject([{ severity: 'info' }]);
    const handover = await check(incomplete, { completedConfigs: true });
    expect(findingsOf(handover, 'H09')).toEqual([]);
    const { config } = parseModelConfig(exportedText(handover, 'completed/m/config.pbtxt'), {
      fileName: 'c',
    });
    expect(config).toMatchObject({ backend: 'onnxruntime', maxBatchSize: 4, input: [{ dims: [4] }] });
    expect(config.instanceGroup.length).toBe(1);
    expect(exportedText(handover, 'compose.yaml')).toContain('--disable-auto-complete-config');
  });

  test('for a GPU the instances are left to the other server', async () => {
    const handover = await check(incomplete, { completedConfigs: true, device: 'gpu' });
    expect(exportedText(handover, 'completed/m/config.pbtxt')).not.toContain('instance_group');
  });

  test('one that only the framework can complete keeps completion on', async () => {
    const files = { ...incomplete, 'p/config.pbtxt': 'backend: "python"', 'p/1/model.py': '' };
    const handover = await check(files, { completedConfigs: true });
    expect(findingsOf(handover, 'H09')).toMatchObject([{ severity: 'warning' }]);
    expect(exportedText(handover, 'compose.yaml')).not.toContain('--disable-auto-complete-config');
  });

  test.each([
    ['parameters { key: "EXECUTION_ENV_PATH" value { string_value: "/home/u/env.tar.gz" } }', 'python'],
    ['parameters { key: "CPU_EXTENSION_PATH" value { string_value: "../lib.so" } }', 'openvino'],
    ['model_operations { op_library_filename: "/usr/lib/odd.so" }', 'onnxruntime'],
  ])('%s', async (text, backend) => {
    const files = { 'm/config.pbtxt': `backend: "${backend}" ${IO}\n${text}`, 'm/1/': '' };
    expect(findingsOf(await check(files), 'H13')).toMatchObject([{ severity: 'error', line: 2 }]);
  });

  test('a path below the model is told how it holds everywhere', async () => {
    const repository = await repositoryOfTest({ 'm/1/model.py': '' });
    const parameter = `parameters { key: "EXECUTION_ENV_PATH" value { string_value: "${repository.at('m/env.tar.gz')}" } }`;
    await repository.write({ 'm/config.pbtxt': `backend: "python" ${IO} ${parameter}` });
    const handover = await handOverFolders({ repositories: [repository.path] });
    expect(findingsOf(handover, 'H13')[0]?.hint).toBe('Write $$TRITON_MODEL_DIRECTORY/env.tar.gz.');
  });

  test('My.Model is no name for Seldon', async () => {
    const files = { 'My.Model/1/model.onnx': identityModel('FP32', [4]) };
    const handover = await check(files, { target: 'seldon', locations: ['s3://bucket/models'] });
    expect(findingsOf(handover, 'H12')).toMatchObject([
      {
        severity: 'warning',
        hint: 'The model is called my-model there, and clients must ask for that name.',
      },
    ]);
  });

  test.each([
    ['cpu', 1, 'kind: KIND_GPU', 'error'],
    ['gpu', 1, 'kind: KIND_GPU gpus: [ 1 ]', 'error'],
    ['gpu', 2, 'kind: KIND_GPU gpus: [ 1 ]', undefined],
    ['gpu', 1, 'kind: KIND_CPU', 'info'],
  ] as const)('instances on %s with %i: %s', async (device, gpuCount, group, severity) => {
    const files = {
      'm/config.pbtxt': `backend: "identity" ${IO} instance_group [ { ${group} } ]`,
      'm/1/': '',
    };
    expect(findingsOf(await check(files, { device, gpuCount }), 'H10')[0]?.severity).toBe(severity);
  });

  test('what the release does not know yet', async () => {
    const files = {
      'e/config.pbtxt': `platform: "ensemble" ${IO} ensemble_scheduling { max_inflight_requests: 4 step [ { model_name: "m" model_version: -1 input_map { key: "INPUT" value: "X" } output_map { key: "OUTPUT" value: "Y" } } ] }`,
      'e/1/': '',
    };
    expect(findingsOf(await check(files, { release: '25.10' }), 'H11')).toMatchObject([
      { message: expect.stringContaining('25.11 is the first that does') as unknown },
    ]);
    expect(findingsOf(await check(files, { release: '25.11' }), 'H11')).toEqual([]);
  });

  test('sequences on several pods', async () => {
    const files = {
      'm/config.pbtxt': `backend: "identity" ${IO} max_batch_size: 1 sequence_batching { }`,
      'm/1/': '',
    };
    expect(findingsOf(await check(files, { target: 'kubernetes', replicas: 2 }), 'H15')).toMatchObject([
      { severity: 'warning' },
    ]);
    expect(findingsOf(await check(files, { target: 'kubernetes' }), 'H15')).toEqual([]);
  });
});

describe('files', () => {
  const python = (code: string, more: RepositoryFiles = {}): RepositoryFiles => ({
    'm/config.pbtxt': `backend: "python" ${IO}`,
    'm/1/model.py': code,
    ...more,
  });

  test('imports that the image lacks', async () => {
    const code =
      'import json, os.path\nimport numpy as np\n  \nimport helper\nfrom PIL import Image\ndef f():\n  import torch\n';
    const handover = await check(python(code, { 'm/1/helper.py': 'import scipy' }));
    expect(findingsOf(handover, 'H14').map(({ message }) => message)).toEqual([
      'it imports scipy, which the image lacks',
      'it imports PIL, torch, which the image lacks',
    ]);
  });

  test('an environment of another Python', async () => {
    const repository = await repositoryOfTest(python('import torch'));
    await mkdir(repository.at('m/env/lib/python3.10'), { recursive: true });
    const parameter =
      'parameters { key: "EXECUTION_ENV_PATH" value { string_value: "$$TRITON_MODEL_DIRECTORY/env" } }';
    await repository.write({ 'm/config.pbtxt': `backend: "python" ${IO} ${parameter}` });
    const found = async (release: string) =>
      findingsOf(await handOverFolders({ repositories: [repository.path], plan: { release } }), 'H14');
    expect(await found('26.07')).toMatchObject([
      {
        severity: 'error',
        message: 'the environment is one of Python 3.10, and release 26.07 has Python 3.12',
      },
    ]);
    expect(await found('24.10')).toEqual([]);
  });

  test('an environment in the folder of the model that is not there', async () => {
    const named = (place: string): string =>
      `backend: "python" ${IO} parameters { key: "EXECUTION_ENV_PATH" value { string_value: "${place}" } }`;
    const found = async (place: string) =>
      findingsOf(await check(python('', { 'm/config.pbtxt': named(place) })), 'H14');
    expect(await found('$$TRITON_MODEL_DIRECTORY/env.tar.gz')).toMatchObject([
      {
        severity: 'error',
        message: expect.stringMatching(/ names is not there: .*[\\/]m[\\/]env\.tar\.gz$/) as string,
      },
    ]);
    expect(await found('/opt/env.tar.gz')).toEqual([]);
  });

  test('links', async () => {
    const repository = await repositoryOfTest({ 'm/1/model.onnx': identityModel('FP32', [4]), 'm/2/': '' });
    await symlink('../1/model.onnx', repository.at('m/2/model.onnx'));
    await symlink('/etc/hostname', repository.at('m/labels.txt'));
    const found = async (plan: Partial<HandoverPlan>) =>
      findingsOf(await handOverFolders({ repositories: [repository.path], plan }), 'H17').map(
        ({ file, severity }) => [path.relative(repository.path, file ?? ''), severity],
      );
    expect(await found({})).toEqual([['m/labels.txt', 'error']]);
    expect(await found({ target: 'kubernetes' })).toEqual([
      ['m/labels.txt', 'error'],
      ['m/2/model.onnx', 'warning'],
    ]);
  });

  test('a folder that links to one around it ends', async () => {
    const repository = await repositoryOfTest({ 'm/1/model.onnx': identityModel('FP32', [4]) });
    await symlink('..', repository.at('m/1/up'));
    const handover = await handOverFolders({ repositories: [repository.path] });
    expect(findingsOf(handover, 'H17')).toMatchObject([{ file: repository.at('m/1/up') }]);
  });

  test('empty version folders vanish in a store', async () => {
    const files = { 'm/config.pbtxt': `backend: "identity" ${IO}`, 'm/1/': '' };
    expect(findingsOf(await check(files, { locations: ['s3://bucket/m'] }), 'H18')).toHaveLength(1);
    expect(findingsOf(await check(files), 'H18')).toEqual([]);
  });

  test('the size is told', async () => {
    const repository = await repositoryOfTest({ 'm/1/model.onnx': identityModel('FP32', [4]) });
    await writeFile(repository.at('m/big.bin'), Buffer.alloc(3 * 2 ** 20));
    const [told] = findingsOf(await handOverFolders({ repositories: [repository.path] }), 'H16');
    expect(told?.message).toBe('the repository has 3 MiB, its largest file 3 MiB');
  });
});
