// Options of the server itself and of its log.

import { field } from '../engine-field.ts';
import { scalar } from '../option-builders.ts';
import type { OptionDefinition } from '../option-definition.ts';
import { parseBool, parseInteger } from '../option-values.ts';
import { anyText, oneOf, truth, whole } from '../value-types.ts';
import type { ValueType } from '../value-types.ts';

/** A level, or a boolean: true means 1. */
const verboseLevel: ValueType<number> = {
  ...whole(),
  parse: (text) => (/^(true|false|on|off)$/i.test(text) ? Number(parseBool(text)) : parseInteger(text)),
};

/** In the order of the usage text. */
export const serverOptions: readonly OptionDefinition[] = [
  { name: 'help', group: '', argument: undefined, help: 'Print this text.', apply: () => undefined },
  scalar({
    name: 'id',
    group: 'Server',
    type: anyText,
    field: field('server', 'id'),
    help: 'Name of this server in its metadata.',
  }),
  scalar({
    name: 'exit-timeout-secs',
    group: 'Server',
    type: whole(),
    field: field('server', 'exitTimeoutSec'),
    help: 'Seconds that a graceful stop may take in all its phases together. Then the server ends at once, with exit code 1.',
    screen: {
      key: 'server.exitTimeoutSecs',
      section: 'Endpoints',
      title: 'Time to finish requests',
      help: 'Seconds the server waits for running requests when it stops.',
      min: 0,
      max: 86_400,
    },
  }),
];

/** In the order of the usage text. */
export const logOptions: readonly OptionDefinition[] = [
  scalar({
    name: 'log-verbose',
    group: 'Logging',
    type: verboseLevel,
    field: field('log', 'verboseLevel'),
    help: 'Verbose level of the log; 0 switches verbose records off, "true" means 1.',
    screen: {
      key: 'logs.verboseLevel',
      group: 'Logs',
      title: 'Verbose level',
      help: '0 prints errors, warnings and notices only.',
      needsRestart: false,
      min: 0,
      max: 3,
    },
  }),
  scalar({
    name: 'log-info',
    group: 'Logging',
    type: truth,
    field: field('log', 'info'),
    help: 'Whether records of level INFO are written.',
  }),
  scalar({
    name: 'log-warning',
    group: 'Logging',
    type: truth,
    field: field('log', 'warning'),
    help: 'Whether records of level WARNING are written.',
  }),
  scalar({
    name: 'log-error',
    group: 'Logging',
    type: truth,
    field: field('log', 'error'),
    help: 'Whether records of level ERROR are written.',
  }),
  scalar({
    name: 'log-format',
    group: 'Logging',
    type: oneOf('log-format', ['default', 'ISO8601'], true),
    field: field('log', 'format'),
    help: 'Form of the log lines: "default" or "ISO8601".',
    screen: {
      key: 'logs.format',
      group: 'Logs',
      title: 'Line format',
      help: 'Form of the lines in the log file and the console.',
      needsRestart: false,
    },
  }),
  scalar({
    name: 'log-file',
    group: 'Logging',
    type: anyText,
    field: field('log', 'file'),
    help: 'Append all log output to this file instead of the terminal.',
  }),
];
