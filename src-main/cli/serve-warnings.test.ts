// What `conch serve` warns of: options without effect, deprecated ones, and those that others override.

import { describe, expect, test } from 'vitest';
import { parse } from '../testing/command-lines.ts';

describe('warning', () => {
  test('an option without effect is accepted with one warning', () => {
    const { warnings } = parse('--model-repository=/m --http-thread-count=4 --http-thread-count=5');
    expect(warnings).toEqual([
      "Warning: '--http-thread-count' is accepted but has no effect: how many threads read sockets follows from the processors, or --http-wire-threads.",
    ]);
  });

  test('a value that says what happens anyway needs no warning', () => {
    expect(
      parse('--model-repository=/m --allow-sagemaker=false --buffer-manager-thread-count=0').warnings,
    ).toEqual([]);
  });

  test.each([
    [
      '--strict-model-config=true',
      "Warning: '--strict-model-config' has been deprecated! Please use '--disable-auto-complete-config' instead.",
    ],
    [
      '--trace-level=TIMESTAMPS',
      "Warning: '--trace-level' has been deprecated and will be removed in future releases. Please use '--trace-config level=<OFF|TIMESTAMPS|TENSORS> instead.",
    ],
    [
      '--trace-log-frequency=5',
      "Warning: '--trace-log-frequency' has been deprecated and will be removed in future releases. Please use '--trace-config triton,log-frequency=<log frequency value> instead.",
    ],
    [
      '--response-cache-byte-size=100',
      "Warning: '--response-cache-byte-size' has been deprecated! This will default to the 'local' cache implementation with the provided byte size for its config. Please use '--cache-config' instead. The equivalent --cache-config CLI args would be: '--cache-config=local,size=100'",
    ],
  ])('%s is deprecated, each time', (option, warning) => {
    expect(parse(`--model-repository=/m ${option} ${option}`).warnings).toEqual([warning, warning]);
  });

  test.each([
    ['--disable-auto-complete-config --strict-model-config=false', 1],
    ['--strict-model-config=false --disable-auto-complete-config', 1],
    ['--strict-model-config=true --disable-auto-complete-config', 0],
  ])('%s: nothing is completed', (options, overridden) => {
    const { engine, warnings } = parse(`--model-repository=/m ${options}`);
    expect(engine.repository.autoCompleteConfig).toBe(false);
    expect(warnings.slice(1)).toEqual(
      [
        "Warning: Overriding deprecated '--strict-model-config' from False to True in favor of '--disable-auto-complete-config'!",
      ].slice(0, overridden),
    );
  });

  test('deprecated options mean what their successors mean', () => {
    const { engine } = parse(
      '--model-repository=/m --strict-model-config=true --response-cache-byte-size=100 --trace-file=/t --trace-level=MIN',
    );
    expect(engine.repository.autoCompleteConfig).toBe(false);
    expect(engine.cache).toEqual({ name: 'local', settings: [['size', '100']] });
    expect(engine.trace.settings).toEqual([
      { mode: 'triton', key: 'file', value: '/t' },
      { mode: '', key: 'level', value: 'MIN' },
    ]);
  });

  test('a deprecated trace level OFF beats the others; trace-config beats the deprecated options', () => {
    expect(parse('--model-repository=/m --trace-level=MIN --trace-level=OFF').engine.trace.settings).toEqual([
      { mode: '', key: 'level', value: 'OFF' },
    ]);
    const both = parse('--model-repository=/m --trace-rate=5 --trace-config=rate=7');
    expect(both.engine.trace.settings).toEqual([{ mode: '', key: 'rate', value: '7' }]);
    expect(both.warnings).toContain(
      "Warning: Overriding deprecated '--trace-rate' in favor of provided rate in --trace-config!",
    );
  });

  test('deprecated options of the trace file are ignored in mode opentelemetry, and say so', () => {
    const { engine, warnings } = parse(
      '--model-repository=/m --trace-file=/t --trace-log-frequency=5 --trace-config=mode=opentelemetry',
    );
    expect(engine.trace.settings).toEqual([{ mode: '', key: 'mode', value: 'opentelemetry' }]);
    expect(warnings.slice(-2)).toEqual([
      "Warning: '--trace-file' is deprecated and will be ignored with opentelemetry tracing mode. ",
      "Warning: '--trace-log-frequency' is deprecated and will be ignored with opentelemetry tracing mode.",
    ]);
  });
});
