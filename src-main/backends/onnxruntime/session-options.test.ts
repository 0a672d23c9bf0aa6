// What the configuration and the settings of the backend make of the options of a session.

import { describe, expect, it } from 'vitest';
import { sessionOptions } from './session-options.ts';
import { configOf } from '../../testing/config-text.ts';

describe('session options', () => {
  const options = (text: string, backendConfig: ReadonlyMap<string, string> = new Map()) =>
    sessionOptions(configOf(text), backendConfig);
  const parameter = (key: string, text: string): string =>
    `parameters { key: "${key}" value: { string_value: "${text}" } }`;

  it.each([
    ['', 'all'],
    ['optimization { graph { level: -1 } }', 'basic'],
    ['optimization { graph { level: 1 } }', 'extended'],
    ['optimization { graph { level: 2 } }', 'disabled'],
    ['optimization { graph { level: 7 } }', 'all'],
  ])('graph level of "%s" is %s', (text, level) => {
    expect(options(text).settings.graphOptimizationLevel).toBe(level);
  });

  it('takes threads, memory and execution mode from parameters', () => {
    const text = [
      parameter('intra_op_thread_count', '3'),
      parameter('inter_op_thread_count', '0'),
      parameter('execution_mode', '1'),
      parameter('enable_mem_arena', 'off'),
      parameter('enable_mem_pattern', 'True'),
    ].join(' ');
    const { settings } = options(text);
    expect(settings).toMatchObject({
      intraOpNumThreads: 3,
      executionMode: 'parallel',
      enableCpuMemArena: false,
      enableMemPattern: true,
    });
    expect(settings.interOpNumThreads).toBeUndefined();
  });

  it('keeps threads from spinning unless the model asks for it', () => {
    expect(options('').settings.extra).toMatchObject({ session: { 'intra_op.allow_spinning': '0' } });
    expect(options(parameter('session.intra_op.allow_spinning', '1')).settings.extra).toMatchObject({
      session: { 'intra_op.allow_spinning': '1' },
    });
  });

  it.each([
    ['', 5],
    ['optimization { priority: PRIORITY_MAX }', 0],
    ['optimization { priority: PRIORITY_MIN }', 19],
  ])('"%s" runs at niceness %d', (text, niceLevel) => {
    expect(options(text).niceLevel).toBe(niceLevel);
  });

  it.each([
    [parameter('intra_op_thread_count', 'many'), "failed to convert 'many' to integral number"],
    [parameter('enable_mem_arena', 'maybe'), "failed to convert 'maybe' to boolean"],
    [
      parameter('execution_mode', '2'),
      'Invalid configuration value provided. Expected values for  execution_mode are 0 or 1 but got 2 .',
    ],
  ])('%s is refused', (text, message) => {
    expect(() => options(text)).toThrow(message);
  });

  it('custom operator libraries are refused by name', () => {
    expect(() => options('model_operations { op_library_filename: [ "libown.so" ] }')).toThrow(/libown\.so/);
  });

  it('says what has no effect', () => {
    const text = parameter('gpu_mem_limit', '1') + parameter('memory.enable_memory_arena_shrinkage', 'cpu:0');
    expect(options(text, new Map([['enable-global-threadpool', '1']])).notices).toEqual([
      expect.stringContaining("'memory.enable_memory_arena_shrinkage'"),
      expect.stringContaining("'gpu_mem_limit'"),
      expect.stringContaining("'enable-global-threadpool'"),
    ]);
  });
});

describe('threads of the backend', () => {
  const own = 'parameters { key: "intra_op_thread_count" value: { string_value: "3" } }';
  const threads = (text: string, entries: readonly (readonly [string, string])[]) =>
    sessionOptions(configOf(text), new Map(entries)).settings.intraOpNumThreads;

  it('count for models that say nothing', () => {
    expect(threads('', [['intra_op_thread_count', '2']])).toBe(2);
    expect(threads(own, [['intra_op_thread_count', '2']])).toBe(3);
    expect(threads('', [['intra_op_thread_count', '0']])).toBeUndefined();
  });

  it('count for all models where the pool is global, as in the reference', () => {
    const global = ['enable-global-threadpool', '1'] as const;
    expect(threads(own, [global, ['intra_op_thread_count', '2']])).toBe(2);
    expect(threads(own, [global])).toBeUndefined();
  });
});
