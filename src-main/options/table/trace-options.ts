// Options of tracing. What a setting's value may be is checked where tracing starts.

import { traceLevels, TraceArgumentError } from '../../tracing/trace-start.ts';
import { changed } from '../engine-field.ts';
import type { KeyedSetting } from '../option-builders.ts';
import { keyed } from '../option-builders.ts';
import type { OptionDefinition } from '../option-definition.ts';
import { UsageError } from '../usage-error.ts';
import { whole } from '../value-types.ts';

const MAX_INT = 2 ** 31 - 1;
const SECTION = 'Tracing';

const settings: readonly KeyedSetting[] = [
  {
    key: 'level',
    scopes: [''],
    screen: {
      kind: 'choice',
      key: 'server.traceLevel',
      section: SECTION,
      title: 'Trace level',
      defaultValue: 'OFF',
      choices: ['OFF', 'TIMESTAMPS', 'TENSORS', 'TIMESTAMPS TENSORS'],
      help: 'What is recorded of traced requests. Clients can change it while the server runs.',
    },
    values: (levels) => String(levels).split(' '),
    read: (text, before) => {
      const level = text.toUpperCase();
      const isSecond = level !== 'OFF' && before !== undefined && before !== 'OFF' && before !== level;
      return isSecond ? 'TIMESTAMPS TENSORS' : level;
    },
  },
  {
    key: 'rate',
    scopes: [''],
    screen: {
      kind: 'number',
      key: 'server.traceRate',
      section: SECTION,
      title: 'One request in',
      defaultValue: 1000,
      help: 'Every so many requests one is traced.',
      min: 1,
      max: MAX_INT,
    },
    read: whole().parse,
  },
  {
    key: 'count',
    scopes: [''],
    screen: {
      kind: 'number',
      key: 'server.traceCount',
      section: SECTION,
      title: 'Traces at most',
      defaultValue: -1,
      help: 'Tracing ends after so many; -1 = without end.',
      min: -1,
      max: MAX_INT,
    },
    read: whole().parse,
  },
  {
    key: 'mode',
    scopes: [''],
    screen: {
      kind: 'choice',
      key: 'server.traceMode',
      section: SECTION,
      title: 'Traces go to',
      defaultValue: 'triton',
      choices: ['triton', 'opentelemetry'],
      help: "triton: a file in Triton's JSON. opentelemetry: a collector, over HTTP.",
    },
    read: (text) => text,
  },
  {
    key: 'file',
    scopes: ['triton'],
    screen: {
      kind: 'text',
      key: 'server.traceFile',
      section: SECTION,
      title: 'Trace file',
      defaultValue: '',
      help: 'Full path, in mode triton. Without one nothing is traced.',
    },
    read: (text) => text,
  },
  {
    key: 'log-frequency',
    scopes: ['triton'],
    screen: {
      kind: 'number',
      key: 'server.traceLogFrequency',
      section: SECTION,
      title: 'Traces in a file',
      defaultValue: 0,
      help: 'After so many a file with a number is written; 0 writes all into one file.',
      min: 0,
      max: MAX_INT,
    },
    read: whole().parse,
  },
  {
    key: 'url',
    scopes: ['opentelemetry'],
    screen: {
      kind: 'text',
      key: 'server.traceUrl',
      section: SECTION,
      title: 'Collector',
      defaultValue: 'http://localhost:4318/v1/traces',
      help: 'Address that traces are sent to in mode opentelemetry.',
    },
    read: (text) => text,
  },
];

/** In the order of the usage text. */
export const traceOptions: readonly OptionDefinition[] = [
  keyed({
    group: 'Tracing',
    argument: '<string>,<string>=<string>',
    help: 'Setting of the tracer: [<mode>,]<key>=<value>.',
    form: {
      option: 'trace-config',
      scope: 'optional',
      scopeName: 'trace mode',
      noun: 'trace mode',
      scopes: ['triton', 'opentelemetry'],
    },
    entries: {
      get: ({ trace }) => trace.settings.map(({ mode, key, value }) => ({ scope: mode, key, value })),
      add: (engine, { scope, key, value }) =>
        changed(engine, 'trace', { settings: [...engine.trace.settings, { mode: scope, key, value }] }),
    },
    settings,
  }),
];

const DEPRECATED = {
  file: ['string', 'triton,file=<filepath>'],
  level: ['string', 'level=<OFF|TIMESTAMPS|TENSORS>'],
  rate: ['integer', 'rate=<rate value>'],
  count: ['integer', 'count=<count value>'],
  'log-frequency': ['integer', 'triton,log-frequency=<log frequency value>'],
} as const;

/** A level of the deprecated option is checked where it stands, one of --trace-config where tracing starts. */
function checkLevel(text: string): void {
  try {
    traceLevels([text]);
  } catch (thrown) {
    if (!(thrown instanceof TraceArgumentError)) throw thrown;
    throw new UsageError(thrown.message);
  }
}

/** Before --trace-config there was one option for each setting. */
export const deprecatedTraceOptions: readonly OptionDefinition[] = Object.entries(DEPRECATED).map(
  ([key, [argument, successor]]): OptionDefinition => ({
    name: `trace-${key}`,
    group: 'DEPRECATED',
    argument,
    help: `The same as --trace-config ${successor}.`,
    apply: (draft, text) => {
      if (argument === 'integer') whole().parse(text);
      if (key === 'level') checkLevel(text);
      draft.legacyTrace.set(key, [...(draft.legacyTrace.get(key) ?? []), text]);
    },
    // The quotation that opens before the option is never closed in the reference either.
    deprecation: () =>
      `Warning: '--trace-${key}' has been deprecated and will be removed in future releases. Please use '--trace-config ${successor} instead.`,
  }),
);
