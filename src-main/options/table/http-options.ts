// Options of the HTTP endpoint.

import { changed, field } from '../engine-field.ts';
import { inert, listed, scalar, setting } from '../option-builders.ts';
import type { OptionDefinition } from '../option-definition.ts';
import { parseInteger } from '../option-values.ts';
import { parseRestrictedGroup, printRestrictedGroup } from '../restricted-groups.ts';
import { wordsOf } from '../setting-definition.ts';
import { UsageError } from '../usage-error.ts';
import { anyText, truth, whole } from '../value-types.ts';

const SECTION = 'Endpoints';
const PORT = { min: 0, max: 65_535 } as const;
const allowedOrigins = field('http', 'allowedOrigins');

/** In the order of the usage text. */
export const httpOptions: readonly OptionDefinition[] = [
  scalar({
    name: 'allow-http',
    group: 'HTTP',
    type: truth,
    field: field('http', 'enabled'),
    help: 'Answer HTTP requests.',
  }),
  scalar({
    name: 'http-address',
    group: 'HTTP',
    type: anyText,
    field: field('http', 'address'),
    help: 'Address of the HTTP endpoint; 0.0.0.0 serves the network.',
    screen: {
      key: 'server.address',
      section: SECTION,
      title: 'Bind address',
      help: 'Address the server listens on. Anything but a loopback address opens it to your network.',
    },
    // One address for all endpoints, but for those that the command line gives one of their own.
    applySetting: (engine, address, given) => {
      const http = changed(engine, 'http', { address });
      const grpc = given.has('grpc-address') ? http : changed(http, 'grpc', { address });
      return given.has('metrics-address') ? grpc : changed(grpc, 'metrics', { address });
    },
  }),
  scalar({
    name: 'http-port',
    group: 'HTTP',
    type: whole(),
    field: field('http', 'port'),
    help: 'Port of the HTTP endpoint, 0 picks a free one.',
    screen: {
      key: 'server.httpPort',
      section: SECTION,
      title: 'HTTP port',
      help: 'Port of the HTTP endpoint; 0 picks a free one.',
      ...PORT,
    },
  }),
  scalar({
    name: 'reuse-http-port',
    group: 'HTTP',
    type: truth,
    field: field('http', 'reusePort'),
    help: 'Several servers may listen on the HTTP port.',
  }),
  scalar({
    name: 'http-header-forward-pattern',
    group: 'HTTP',
    type: anyText,
    field: field('http', 'headerForwardPattern'),
    help: 'Headers whose name contains a match of this regular expression become request parameters.',
  }),
  inert({
    name: 'http-thread-count',
    group: 'HTTP',
    argument: 'integer',
    help: 'Threads of the HTTP endpoint.',
    check: (text) => parseInteger(text),
    noEffect: 'how many threads read sockets follows from the processors, or --http-wire-threads.',
  }),
  scalar({
    name: 'http-max-input-size',
    group: 'HTTP',
    type: {
      ...whole(),
      parse: (text) => {
        const byteSize = parseInteger(text, { max: Number.MAX_SAFE_INTEGER });
        if (byteSize <= 0) throw new UsageError('Error: --http-max-input-size must be greater than 0.');
        return byteSize;
      },
    },
    field: field('http', 'maxInputByteSize'),
    help: 'Largest request body in bytes.',
  }),
  listed({
    name: 'http-restricted-api',
    group: 'HTTP',
    argument: '<string>:<string>=<string>',
    list: field('http', 'restricted'),
    parse: (text, before) => parseRestrictedGroup(text, before, 'http-restricted-api', 'api'),
    printItem: printRestrictedGroup,
    help: 'Requests of these categories must carry a header: <api>[,<api>...]:<header>=<value>.',
  }),
];

/** Options that the reference does not have. */
export const ownHttpOptions: readonly OptionDefinition[] = [
  scalar({
    name: 'http-wire-threads',
    group: 'Conch',
    type: whole({ min: -1, max: 64 }),
    field: field('http', 'wireThreadCount'),
    help: 'Threads that read the sockets of the HTTP endpoint in front of the event loop, on Linux. -1: none below 6 processors; from there on, once the loop is busy, one for each 3 of them and 4 at most.',
  }),
  {
    ...listed({
      name: 'http-allow-origin',
      group: 'Conch',
      argument: 'string',
      list: allowedOrigins,
      parse: parseOrigin,
      printItem: (origin) => origin,
      help: 'Origin of a web page that may call the HTTP and metrics endpoints.',
    }),
    settings: [
      setting({
        screen: {
          kind: 'text',
          key: 'server.allowOrigins',
          section: SECTION,
          title: 'Web pages that may call (CORS)',
          defaultValue: '',
          help: 'Origins such as https://app.example, separated by blanks; others are refused.',
        },
        apply: (engine, origins) => allowedOrigins.set(engine, wordsOf(String(origins))),
        read: (origin, before) =>
          before === undefined ? parseOrigin(origin) : `${before} ${parseOrigin(origin)}`,
      }),
    ],
  },
  listed({
    name: 'http-allow-host',
    group: 'Conch',
    argument: 'string',
    list: field('http', 'allowedHosts'),
    parse: parseHostName,
    printItem: (name) => name,
    help: 'Further name by which clients reach the HTTP and metrics endpoints while they listen on a loopback address.',
  }),
];

/** A name as it stands in a Host header, without a port. */
function parseHostName(text: string): string {
  if (/^[^\s/:@]+$/.test(text)) return text;
  throw new UsageError(`invalid host '${text}': expected a name without a port`);
}

function parseOrigin(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/\s]+$/i.test(text)) return text;
  throw new UsageError(`invalid origin '${text}': expected <scheme>://<host>[:<port>]`);
}
