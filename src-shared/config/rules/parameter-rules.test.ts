// Numbers and switches among the parameters of a model.

import { expect, test } from 'vitest';

import { checkConfigText } from '../check-config.ts';
import type { ConfigIssue } from '../config-issue.ts';

const parameter = (key: string, value: string): string =>
  `parameters { key: "${key}" value { string_value: "${value}" } }`;

function issuesOf(parameters: string, backend = 'onnxruntime'): readonly ConfigIssue[] {
  const io = ['input', 'output'].map((field) => `${field} { name: "${field}" data_type: TYPE_FP32 dims: 1 }`);
  const text = `backend: "${backend}"\n${io.join('\n')}\n${parameters}`;
  const { issues } = checkConfigText(text, { directoryName: 'm', entries: [] });
  return issues.filter(({ severity }) => severity === 'error');
}

test.each([
  ['intra_op_thread_count', 'two', "failed to convert 'two' to integral number", ['0']],
  ['inter_op_thread_count', '1.5', "failed to convert '1.5' to integral number", ['0']],
  ['execution_mode', '', "failed to convert '' to integral number", ['0']],
  [
    'execution_mode',
    '2',
    'Invalid configuration value provided. Expected values for  execution_mode are 0 or 1 but got 2 .',
    ['0', '1'],
  ],
  ['enable_mem_arena', 'yes', "failed to convert 'yes' to boolean", ['true', 'false']],
  ['enable_mem_pattern', '2', "failed to convert '2' to boolean", ['true', 'false']],
])('%s "%s" has its place, its key and repairs', (key, value, message, repairs) => {
  const issues = issuesOf(parameter(key, value));
  expect(issues).toMatchObject([{ code: 'D43', message, span: { line: 4 } }]);
  expect(issues[0]?.hint).not.toBe('');
  expect(issues[0]?.fixes.map(({ edits }) => edits[0]?.newText)).toEqual(
    repairs.map((repair) => JSON.stringify(repair)),
  );
});

test.each([
  ['intra_op_thread_count', ' +4 '],
  ['inter_op_thread_count', '-1'],
  ['enable_mem_arena', 'ON'],
  ['my_own_key', 'two'],
])('%s "%s" is as good as the server takes it', (key, value) => {
  expect(issuesOf(parameter(key, value))).toEqual([]);
});

test('other backends read such keys in their own way', () => {
  expect(issuesOf(parameter('enable_mem_arena', 'yes'), 'python')).toEqual([]);
});
