// Options of the HTTP endpoint.

import type { Flag } from '../option-definition.ts';
import { UsageError } from '../option-definition.ts';
import { parseBool, parseInteger } from '../option-values.ts';
import { addRestrictedGroup, checkHeaderPattern } from '../restricted-groups.ts';

export const httpFlags: readonly Flag[] = [
  {
    name: 'allow-http',
    group: 'HTTP',
    argument: 'boolean',
    help: 'Answer HTTP requests. Default is true.',
    apply: (draft, value) => {
      draft.engine.http.enabled = parseBool(value);
    },
  },
  {
    name: 'http-address',
    group: 'HTTP',
    argument: 'string',
    help: 'Address of the HTTP endpoint. Default is 127.0.0.1; 0.0.0.0 serves the network.',
    apply: (draft, value) => {
      draft.engine.http.address = value;
    },
  },
  {
    name: 'http-port',
    group: 'HTTP',
    argument: 'integer',
    help: 'Port of the HTTP endpoint, 0 picks a free one. Default is 8000.',
    apply: (draft, value) => {
      draft.engine.http.port = parseInteger(value);
    },
  },
  {
    name: 'reuse-http-port',
    group: 'HTTP',
    argument: 'boolean',
    help: 'Several servers may listen on the HTTP port. Default is false.',
    apply: (draft, value) => {
      draft.engine.http.reusePort = parseBool(value);
    },
  },
  {
    name: 'http-header-forward-pattern',
    group: 'HTTP',
    argument: 'string',
    help: 'Headers whose name contains a match of this regular expression become request parameters.',
    apply: (draft, value) => {
      draft.engine.http.headerForwardPattern = checkHeaderPattern(value);
    },
  },
  {
    name: 'http-thread-count',
    group: 'HTTP',
    argument: 'integer',
    help: 'Threads of the HTTP endpoint.',
    apply: (_draft, value) => void parseInteger(value),
    noEffect: 'one event loop serves all connections.',
  },
  {
    name: 'http-max-input-size',
    group: 'HTTP',
    argument: 'integer',
    help: 'Largest request body in bytes. Default is 67108864.',
    apply: (draft, value) => {
      const byteSize = parseInteger(value, { max: Number.MAX_SAFE_INTEGER });
      if (byteSize <= 0) throw new UsageError('Error: --http-max-input-size must be greater than 0.');
      draft.engine.http.maxInputByteSize = byteSize;
    },
  },
  {
    name: 'http-restricted-api',
    group: 'HTTP',
    argument: 'string=string',
    help: 'Requests of these categories must carry a header: <api>[,<api>...]:<header>=<value>. May be given several times.',
    apply: (draft, value) => addRestrictedGroup(draft.engine.http.restricted, value, 'api'),
  },
];
