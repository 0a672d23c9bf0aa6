import { expect, test } from 'vitest';

import { filledFields } from './overview-selectors.ts';

test('what was completed is named once, with its value where that is one word', () => {
  const lines = [
    ['name: "m"', 'file'],
    ['backend: "onnxruntime"', 'auto-complete'],
    ['max_batch_size: 4', 'auto-complete'],
    ['input {', 'auto-complete'],
    ['  name: "x"', 'auto-complete'],
    ['}', 'auto-complete'],
    ['input {', 'auto-complete'],
    ['dynamic_batching {', 'auto-complete'],
    ['instance_group [', 'default'],
  ] as const;
  const effective = {
    text: lines.map(([text]) => text).join('\n'),
    origins: lines.map(([, kind]) => ({ kind, reason: '' })),
    json: '{}',
    isLive: true,
    error: '',
  };
  expect(filledFields(effective)).toEqual([
    'backend onnxruntime',
    'max_batch_size 4',
    'input',
    'dynamic_batching',
  ]);
});
