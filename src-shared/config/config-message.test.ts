import { describe, expect, test } from 'vitest';
import { modelConfigToMessage } from './config-message.ts';
import { parseModelConfig } from './parse-model-config.ts';

const messageOf = (text: string): unknown => modelConfigToMessage(parseModelConfig(text).config);

describe('a configuration as a message', () => {
  test('has the names of the proto and only what is set', () => {
    expect(messageOf('name: "m" max_batch_size: 4 version_policy { all { } }')).toEqual({
      name: 'm',
      max_batch_size: 4,
      version_policy: { all: {} },
      input: [],
      output: [],
      batch_input: [],
      batch_output: [],
      instance_group: [],
      cc_model_filenames: {},
      metric_tags: {},
      parameters: {},
      model_warmup: [],
    });
  });

  test('keeps 64-bit integers exact', () => {
    const policy = 'key: 18446744073709551614 value { default_timeout_microseconds: 9007199254740993 }';
    const message = messageOf(`dynamic_batching { priority_levels: 3 priority_queue_policy { ${policy} } }`);
    expect(message).toMatchObject({
      dynamic_batching: {
        priority_levels: '3',
        priority_queue_policy: {
          '18446744073709551614': { default_timeout_microseconds: '9007199254740993' },
        },
      },
    });
  });

  test('tells a member of a oneof that is set to its default from one that is not set', () => {
    const message = messageOf('model_warmup { inputs { key: "A" value { zero_data: false } } }');
    expect(message).toMatchObject({ model_warmup: [{ inputs: { A: { zero_data: false } } }] });
  });

  test('keeps a key that is also the name of a property of every object', () => {
    const message = messageOf('metric_tags { key: "__proto__" value: "x" }') as { metric_tags: object };
    expect(Object.entries(message.metric_tags)).toEqual([['__proto__', 'x']]);
  });
});
