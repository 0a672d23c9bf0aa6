import { describe, expect, test } from 'vitest';
import { type DirectoryEntry } from './backend-completion.ts';
import { completeModelConfig } from './complete-model-config.ts';
import { originOf, originsOfTree } from './config-origins.ts';
import { describeTensor } from './model-description.ts';
import { parseModelConfig } from './parse-model-config.ts';

const file = (name: string): DirectoryEntry => ({ name, isDirectory: false });

describe('completeModelConfig', () => {
  test('knows where every value comes from', () => {
    const parsed = parseModelConfig(
      'max_batch_size: 2 sequence_batching { oldest { } } parameters { key: "a.b" value { string_value: "x" } }',
    );
    const { config, origins } = completeModelConfig(parsed.config, {
      directoryName: 'm',
      entries: [file('model.onnx')],
      origins: originsOfTree(parsed.tree),
      description: {
        inputs: [describeTensor('A', 'FP32', [-1, 3])],
        outputs: [describeTensor('B', 'FP32', [-1, 3])],
      },
    });
    expect(config.sequenceBatching?.oldest?.preferredBatchSize).toEqual([2]);
    const kinds = Object.fromEntries(
      [
        'name',
        'backend',
        'max_batch_size',
        'input[0].dims',
        'sequence_batching.oldest',
        'sequence_batching.oldest.preferred_batch_size',
        'sequence_batching.max_sequence_idle_microseconds',
        'parameters["a.b"].string_value',
        'instance_group[0].kind',
        'optimization.input_pinned_memory.enable',
        'runtime',
      ].map((path) => [path, originOf(origins, path).kind]),
    );
    expect(kinds).toEqual({
      name: 'default',
      backend: 'auto-complete',
      max_batch_size: 'file',
      'input[0].dims': 'auto-complete',
      'sequence_batching.oldest': 'file',
      'sequence_batching.oldest.preferred_batch_size': 'default',
      'sequence_batching.max_sequence_idle_microseconds': 'default',
      'parameters["a.b"].string_value': 'file',
      'instance_group[0].kind': 'default',
      'optimization.input_pinned_memory.enable': 'default',
      runtime: 'default',
    });
  });
});
