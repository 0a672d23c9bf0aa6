// Options of the server itself and of its log.

import type { Flag } from '../option-definition.ts';
import { parseBool, parseInteger, parseWord } from '../option-values.ts';

export const serverFlags: readonly Flag[] = [
  {
    name: 'help',
    group: '',
    argument: undefined,
    help: 'Print this text.',
    apply: () => undefined,
  },
  {
    name: 'id',
    group: 'Server',
    argument: 'string',
    help: 'Name of this server in its metadata. Default is "triton".',
    apply: (draft, value) => {
      draft.engine.server.id = value;
    },
  },
  {
    name: 'exit-timeout-secs',
    group: 'Server',
    argument: 'integer',
    help: 'Seconds that a graceful stop may take in all its phases together. Default is 30.',
    apply: (draft, value) => {
      draft.engine.server.exitTimeoutSec = parseInteger(value);
    },
  },
  {
    name: 'log-verbose',
    group: 'Logging',
    argument: 'integer',
    help: 'Verbose level of the log; 0 switches verbose records off, "true" means 1. Default is 0.',
    apply: (draft, value) => {
      draft.engine.log.verboseLevel = parseVerboseLevel(value);
    },
  },
  {
    name: 'log-info',
    group: 'Logging',
    argument: 'boolean',
    help: 'Whether records of level INFO are written. Default is true.',
    apply: (draft, value) => {
      draft.engine.log.info = parseBool(value);
    },
  },
  {
    name: 'log-warning',
    group: 'Logging',
    argument: 'boolean',
    help: 'Whether records of level WARNING are written. Default is true.',
    apply: (draft, value) => {
      draft.engine.log.warning = parseBool(value);
    },
  },
  {
    name: 'log-error',
    group: 'Logging',
    argument: 'boolean',
    help: 'Whether records of level ERROR are written. Default is true.',
    apply: (draft, value) => {
      draft.engine.log.error = parseBool(value);
    },
  },
  {
    name: 'log-format',
    group: 'Logging',
    argument: 'string',
    help: 'Form of the log lines: "default" or "ISO8601". Default is "default".',
    apply: (draft, value) => {
      draft.engine.log.format = parseWord(
        value,
        ['default', 'ISO8601'],
        `invalid argument for --log-format, got: ${value}`,
      );
    },
  },
  {
    name: 'log-file',
    group: 'Logging',
    argument: 'string',
    help: 'Append all log output to this file instead of the terminal.',
    apply: (draft, value) => {
      draft.engine.log.file = value;
    },
  },
];

function parseVerboseLevel(value: string): number {
  return /^[+-]?\d+$/.test(value) ? parseInteger(value) : Number(parseBool(value));
}
