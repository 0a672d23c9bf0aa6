// Which backend, platform and file a model folder stands for.

import { describe, expect, test } from 'vitest';
import { completeBackendFields, folderToInspect, type DirectoryEntry } from './backend-completion.ts';
import { emptyModelConfig } from './config-defaults.ts';
import type { ModelConfig } from './model-config.ts';
import { parseModelConfig } from './parse-model-config.ts';

const file = (name: string): DirectoryEntry => ({ name, isDirectory: false });
const folder = (name: string): DirectoryEntry => ({ name, isDirectory: true });
const parse = (text: string): ModelConfig => parseModelConfig(text).config;

describe('completeBackendFields', () => {
  test.each<[string, readonly DirectoryEntry[], [platform: string, backend: string, filename: string]]>([
    ['', [file('model.onnx')], ['onnxruntime_onnx', 'onnxruntime', 'model.onnx']],
    ['', [folder('model.onnx')], ['onnxruntime_onnx', 'onnxruntime', 'model.onnx']],
    ['', [folder('model.plan'), file('model.onnx')], ['onnxruntime_onnx', 'onnxruntime', 'model.onnx']],
    ['', [file('model.plan'), file('model.onnx')], ['tensorrt_plan', 'tensorrt', 'model.plan']],
    ['', [file('model.pt2')], ['torch_aoti', 'pytorch', 'model.pt2']],
    ['', [file('model.py')], ['', 'python', 'model.py']],
    ['platform: "onnxruntime_onnx"', [], ['onnxruntime_onnx', 'onnxruntime', 'model.onnx']],
    ['backend: "onnxruntime"', [], ['onnxruntime_onnx', 'onnxruntime', 'model.onnx']],
    ['backend: "pytorch"', [], ['pytorch_libtorch', 'pytorch', 'model.pt']],
    ['backend: "pytorch" runtime: "model.py"', [file('model.pt')], ['pytorch_libtorch', 'pytorch', '']],
    ['backend: "identity"', [file('model.onnx')], ['', 'identity', '']],
    ['default_model_filename: "model.py"', [], ['', 'python', 'model.py']],
    ['default_model_filename: "net.onnx"', [file('model.onnx')], ['', '', 'net.onnx']],
    ['platform: "ensemble"', [file('model.onnx')], ['ensemble', '', '']],
  ])('%s with %j', (text, entries, expected) => {
    const { config, issues } = completeBackendFields(parse(text), { directoryName: 'm', entries });
    expect([config.platform, config.backend, config.defaultModelFilename]).toEqual(expected);
    expect(config.name).toBe('m');
    expect(issues).toEqual([]);
  });

  // Rows of the checklist of framework backends.
  test.each<
    [string, string, readonly DirectoryEntry[], [platform: string, backend: string, filename: string]]
  >([
    ['2: no configuration', '', [file('model.pt')], ['pytorch_libtorch', 'pytorch', '']],
    ['2: no configuration', '', [file('model.xml')], ['', 'openvino', 'model.xml']],
    [
      '2: no configuration',
      '',
      [folder('model.savedmodel')],
      ['tensorflow_savedmodel', 'tensorflow', 'model.savedmodel'],
    ],
    [
      '2: no configuration',
      '',
      [file('model.graphdef')],
      ['tensorflow_graphdef', 'tensorflow', 'model.graphdef'],
    ],
    ['2: no configuration', '', [file('model.plan')], ['tensorrt_plan', 'tensorrt', 'model.plan']],
    ['3: both archives', '', [file('model.pt'), file('model.pt2')], ['pytorch_libtorch', 'pytorch', '']],
    [
      '4: torch_aoti without a file name',
      'platform: "torch_aoti"',
      [],
      ['torch_aoti', 'pytorch', 'model.pt2'],
    ],
  ])('row %s, %s with %j', (_, text, entries, expected) => {
    const { config, issues } = completeBackendFields(parse(text), { directoryName: 'm', entries });
    expect([config.platform, config.backend, config.defaultModelFilename]).toEqual(expected);
    expect(issues).toEqual([]);
  });

  test('row 2: a folder named <x>.dali without a configuration', () => {
    const { config } = completeBackendFields(emptyModelConfig(), {
      directoryName: 'decode.dali',
      entries: [],
    });
    expect(config).toMatchObject({ backend: 'dali' });
  });

  test('a custom backend is named behind the first dot of the model name', () => {
    const { config } = completeBackendFields(emptyModelConfig(), {
      directoryName: 'no.my.identity',
      entries: [],
    });
    expect(config).toMatchObject({ backend: 'my.identity', defaultModelFilename: 'model.my.identity' });
  });

  test('without any hint the model name is blamed, in the words of the reference', () => {
    const { issues } = completeBackendFields(emptyModelConfig(), {
      directoryName: 'no_version',
      entries: [],
    });
    expect(issues[0]?.message).toBe(
      "Invalid model name: Could not determine backend for model 'no_version' with no backend in model configuration. Expected model name of the form 'model.<backend_name>'.",
    );
  });

  test('the first folder in string order is looked at', () => {
    expect(folderToInspect(['2', '10', '1'])).toBe('1');
    expect(folderToInspect(['2', '10'])).toBe('10');
    expect(folderToInspect(['1', '.git'])).toBe('.git');
    expect(folderToInspect([])).toBeUndefined();
  });
});
