// Inheritance, checks and the command line of trace settings.

import { describe, expect, test } from 'vitest';

import { TraceSettings } from './trace-settings.ts';
import type { TraceArgument } from './trace-start.ts';
import { readTraceStart, TraceArgumentError } from './trace-start.ts';

function read(...texts: string[]) {
  const settings = texts.map((text): TraceArgument => {
    const [, mode = '', key = '', value = ''] = /^(?:(\w+),)?([\w-]+)=(.*)$/.exec(text) ?? [];
    return { mode, key, value };
  });
  return readTraceStart(settings);
}

function newSettings(...texts: string[]): TraceSettings {
  return new TraceSettings({ start: read(...texts), isKnownModel: (name) => name === 'm' });
}

function change(values: Record<string, readonly string[] | undefined>) {
  return new Map(Object.entries(values));
}

describe('command line', () => {
  test('defaults', () => {
    expect(read()).toMatchObject({
      mode: 'triton',
      file: '',
      levels: [],
      rate: 1000,
      count: -1,
      logFrequency: 0,
    });
  });

  test('what stands behind the digits of a number does not count, as in the reference', () => {
    expect(read('rate=2x', 'count=5.5', 'triton,log-frequency=3 ')).toMatchObject({
      rate: 2,
      count: 5,
      logFrequency: 3,
    });
  });

  test('levels combine, and OFF beside one has no effect', () => {
    expect(read('level=tensors', 'level=OFF', 'level=min').levels).toEqual(['TIMESTAMPS', 'TENSORS']);
  });

  test.each([
    ['level=Timestamps,X', 'level', 'invalid value for trace level option: timestamps,x'],
    ['mode=X', 'mode', 'invalid value for trace mode option: x'],
    ['rate=x', 'rate', 'Invalid option value. Got x'],
    ['triton,log-frequency=-1', 'triton,log-frequency', 'Provided option value is out of bound. Got -1'],
    ['opentelemetry,bsp_max_queue_size=x', 'opentelemetry,bsp_max_queue_size', 'Invalid option value. Got x'],
  ])('refuses %s', (text, setting, message) => {
    try {
      read(text);
      expect.unreachable();
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(TraceArgumentError);
      expect((thrown as TraceArgumentError).setting).toBe(setting);
      expect((thrown as Error).message).toContain(message);
    }
  });

  test('the environment fills in, and is named when it is wrong', () => {
    const start = readTraceStart([{ mode: '', key: 'mode', value: 'opentelemetry' }], {
      OTEL_BSP_SCHEDULE_DELAY: '7',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://elsewhere/',
    });
    expect(start.modeSettings).toContainEqual(['bsp_schedule_delay', '7']);
    expect(start.endpoint).toBe('http://elsewhere/v1/traces');
    expect(() => readTraceStart([], { OTEL_BSP_SCHEDULE_DELAY: 'x' })).toThrow(
      expect.objectContaining({ setting: 'OTEL_BSP_SCHEDULE_DELAY' }),
    );
  });
});

describe('what clients see of a mode', () => {
  test('its settings as they were given, then the numbers that were not', () => {
    const settings = newSettings(
      'mode=opentelemetry',
      'opentelemetry,bsp_max_queue_size=7',
      'opentelemetry,resource=a=b',
      'opentelemetry,resource=c=d',
      'opentelemetry,other=5',
      'triton,file=x',
    );
    expect(settings.get('').modeSettings).toEqual([
      ['bsp_max_queue_size', '7'],
      ['resource', 'a=b'],
      ['resource', 'c=d'],
      ['other', '5'],
      ['bsp_max_export_batch_size', '512'],
      ['bsp_schedule_delay', '5000'],
    ]);
  });

  test('of mode triton what has no place of its own', () => {
    const settings = newSettings('triton,file=x', 'triton,log-frequency=5', 'triton,other=5');
    expect(settings.get('').modeSettings).toEqual([['other', '5']]);
  });
});

describe('what is left of a count', () => {
  const taken = (settings: TraceSettings, model: string, left: number): void => {
    settings.countsOf(settings.effective(model)).remainingCount = left;
  };
  const traced = ['level=TIMESTAMPS', 'triton,file=/t'];

  test('goes on behind a change of something else, and begins anew when it is named', () => {
    const settings = newSettings(...traced);
    settings.update('', change({ trace_count: ['5'] }));
    taken(settings, '', 3);
    expect(settings.update('', change({ trace_rate: ['2'] })).traceCount).toBe('3');
    expect(settings.update('', change({ trace_count: ['5'] })).traceCount).toBe('5');
  });

  test('goes on for a model, which starts with what is left of the global one', () => {
    const settings = newSettings(...traced);
    settings.update('', change({ trace_count: ['5'] }));
    taken(settings, '', 4);
    expect(settings.update('m', change({ trace_rate: ['2'] })).traceCount).toBe('4');
    settings.update('m', change({ trace_count: ['7'] }));
    taken(settings, 'm', 6);
    settings.update('', change({ trace_rate: ['9'] }));
    expect(settings.get('m')).toMatchObject({ traceRate: '2', traceCount: '6' });
  });

  test('of the command line begins anew with every change', () => {
    const settings = newSettings(...traced, 'count=9');
    taken(settings, '', 3);
    expect(settings.update('', change({ trace_rate: ['2'] })).traceCount).toBe('9');
  });

  test('refuses all changes but to the count or to OFF when it is nothing', () => {
    const settings = newSettings(...traced);
    settings.update('', change({ trace_count: ['1'] }));
    taken(settings, '', 0);
    const refusal = 'Attempting to set invalid trace setting :';
    expect(() => settings.update('', change({ trace_rate: ['2'] }))).toThrow(refusal);
    expect(settings.update('', change({ trace_level: ['OFF'] })).traceCount).toBe('0');
    expect(settings.update('', change({ trace_count: ['2'] })).traceCount).toBe('2');
  });

  test('of a model refuses a global change, which is made for all others', () => {
    const settings = newSettings(...traced);
    settings.update('m', change({ trace_count: ['1'] }));
    taken(settings, 'm', 0);
    const refusal = 'Attempting to set invalid trace setting :';
    expect(() => settings.update('', change({ trace_rate: ['9'] }))).toThrow(refusal);
    expect(settings.get('').traceRate).toBe('9');
    expect(settings.get('m')).toMatchObject({ traceRate: '1000', traceCount: '0' });
  });
});

describe('inheritance', () => {
  test('reads the digits a value begins with', () => {
    const settings = newSettings('triton,file=/t');
    settings.update('', change({ trace_rate: ['-5'], log_frequency: ['-1'] }));
    expect(settings.get('')).toMatchObject({ traceRate: '4294967291', logFrequency: '4294967295' });
    settings.update('', change({ trace_rate: ['5x'] }));
    expect(settings.get('')).toMatchObject({ traceRate: '5' });
    expect(() => settings.update('', change({ trace_rate: ['x5'] }))).toThrow(
      "Unable to parse 'trace_rate', got: x5",
    );
  });

  test('a model keeps what it set and mirrors the rest', () => {
    const settings = newSettings('triton,file=/t');
    settings.update('m', change({ trace_rate: ['5'] }));
    settings.update('', change({ trace_rate: ['7'], trace_count: ['9'] }));
    expect(settings.get('m')).toMatchObject({ traceRate: '5', traceCount: '9' });
    settings.update('m', change({ trace_rate: undefined }));
    expect(settings.effective('m')).toBe(settings.effective(''));
    expect(settings.get('m')).toMatchObject({ traceRate: '7' });
  });

  test('clearing a global key goes back to the command line', () => {
    const settings = newSettings('rate=3');
    settings.update('', change({ trace_rate: ['5'] }));
    expect(settings.update('', change({ trace_rate: undefined })).traceRate).toBe('3');
  });

  test('every update makes a new setting, so that counters start anew', () => {
    const settings = newSettings('triton,file=/t');
    const before = settings.effective('');
    settings.update('', change({ trace_level: ['TIMESTAMPS'] }));
    expect(settings.effective('')).not.toBe(before);
    expect(settings.get('').traceLevel).toEqual(['TIMESTAMPS']);
  });

  test('a list without a known level changes nothing', () => {
    const settings = newSettings('level=TIMESTAMPS', 'triton,file=/t');
    for (const words of [[], ['x'], ['timestamps']]) {
      settings.update('', change({ trace_level: words }));
      expect(settings.get('').traceLevel).toEqual(['TIMESTAMPS']);
    }
    settings.update('', change({ trace_level: ['x', 'TENSORS'] }));
    expect(settings.get('').traceLevel).toEqual(['TENSORS']);
  });

  test('the start values may be unusable; only changes are checked', () => {
    expect(newSettings('level=TIMESTAMPS').get('').traceLevel).toEqual(['TIMESTAMPS']);
  });
});

test.each([
  ['x', { trace_rate: ['1'] }, 'Request for unknown model : x'],
  ['', { trace_file: ['/x'] }, 'trace file location can not be updated through network protocol'],
  ['', { trace_level: ['OFF', 'TENSORS'] }, "Expect only one trace level 'OFF' is specified"],
  ['', { trace_rate: ['a'] }, "Unable to parse 'trace_rate', got: a"],
  [
    '',
    { trace_rate: ['4294967295'] },
    "'trace_rate', value is out of range [ 0, 4294967295 ], got: 4294967295",
  ],
  ['', { trace_count: ['2147483648'] }, "'trace_count', value is out of range [ -1, 2147483647 ]"],
  ['', { trace_count: ['-2'] }, "Unable to parse 'trace_count'. Expecting value >= -1"],
  ['', { trace_level: ['TENSORS'] }, 'Attempting to set invalid trace setting :trace file name is not given'],
  [
    'm',
    { trace_level: ['TENSORS'], trace_rate: ['0'] },
    'invalid trace setting :sample rate must be non-zero',
  ],
])('refuses %j %j', (model, values: Record<string, readonly string[]>, message) => {
  const settings = newSettings();
  const before = settings.get('');
  expect(() => settings.update(model, change(values))).toThrow(message);
  expect(settings.get('')).toEqual(before);
});
