// Options of the gRPC endpoint.

import { field } from '../engine-field.ts';
import { inert, listed, scalar } from '../option-builders.ts';
import type { OptionDefinition } from '../option-definition.ts';
import { parseBool, parseInteger } from '../option-values.ts';
import { parseRestrictedGroup, printRestrictedGroup } from '../restricted-groups.ts';
import { UsageError } from '../usage-error.ts';
import { anyText, oneOf, truth, whole } from '../value-types.ts';

const SECTION = 'gRPC connections';
const MAX_INT = 2 ** 31 - 1;
/** Spelt with underscores where it is refused. */
const compressionLevel = oneOf('grpc_infer_response_compression_level', ['none', 'low', 'medium', 'high']);
const MILLISECONDS = { min: 0, max: MAX_INT } as const;

const endpoint: readonly OptionDefinition[] = [
  scalar({
    name: 'allow-grpc',
    group: 'GRPC',
    type: truth,
    field: field('grpc', 'enabled'),
    help: 'Answer gRPC requests.',
  }),
  scalar({
    name: 'grpc-address',
    group: 'GRPC',
    type: anyText,
    field: field('grpc', 'address'),
    help: 'Address of the gRPC endpoint.',
  }),
  scalar({
    name: 'grpc-port',
    group: 'GRPC',
    type: whole(),
    field: field('grpc', 'port'),
    help: 'Port of the gRPC endpoint, 0 picks a free one.',
    screen: {
      key: 'server.grpcPort',
      section: 'Endpoints',
      title: 'gRPC port',
      help: 'Port of the gRPC endpoint; 0 picks a free one.',
      min: 0,
      max: 65_535,
    },
  }),
  scalar({
    name: 'reuse-grpc-port',
    group: 'GRPC',
    type: truth,
    field: field('grpc', 'reusePort'),
    help: 'Several servers may listen on the gRPC port.',
  }),
  scalar({
    name: 'grpc-header-forward-pattern',
    group: 'GRPC',
    type: anyText,
    field: field('grpc', 'headerForwardPattern'),
    help: 'Metadata whose key contains a match of this regular expression becomes a request parameter.',
  }),
];

const resources: readonly OptionDefinition[] = [
  inert({
    name: 'grpc-infer-thread-count',
    group: 'GRPC',
    argument: 'integer',
    help: 'Threads that handle inference calls, 2 to 128.',
    check: (text) => {
      const count = parseInteger(text);
      if (count >= 2 && count <= 128) return;
      throw new UsageError(
        `invalid argument for --grpc-infer-thread-count, got: ${text}. Must be in the range 2 to 128.`,
      );
    },
    noEffect: 'one event loop serves all connections.',
  }),
  inert({
    name: 'grpc-infer-allocation-pool-size',
    group: 'GRPC',
    argument: 'integer',
    help: 'Request objects kept for reuse.',
    check: (text) => parseInteger(text),
    noEffect: 'memory is managed by the JavaScript engine.',
  }),
  scalar({
    name: 'grpc-max-response-pool-size',
    group: 'GRPC',
    type: {
      ...whole(),
      parse: (text) => {
        const count = parseInteger(text);
        if (count > 0) return count;
        throw new UsageError('Error: --grpc-max-response-pool-size must be greater than 0.');
      },
    },
    field: field('grpc', 'maxResponsePoolSize'),
    help: 'Responses of one decoupled request that may wait to be sent.',
  }),
];

const tls: readonly OptionDefinition[] = [
  {
    name: 'grpc-use-ssl',
    group: 'GRPC',
    argument: 'boolean',
    help: 'Serve gRPC over TLS.',
    standard: 'false',
    apply: (draft, text) => {
      draft.grpcTls.enabled = parseBool(text);
    },
    print: ({ grpc }) => (grpc.tls === undefined || grpc.tls.mutual ? [] : ['true']),
  },
  {
    name: 'grpc-use-ssl-mutual',
    group: 'GRPC',
    argument: 'boolean',
    help: 'Require client certificates; giving this option also switches TLS on.',
    standard: 'false',
    apply: (draft, text) => {
      draft.grpcTls.files.mutual = parseBool(text);
      draft.grpcTls.enabled = true;
    },
    print: ({ grpc }) => (grpc.tls?.mutual === true ? ['true'] : []),
  },
  tlsFile('grpc-server-cert', 'certFile', 'PEM file of the server certificate.'),
  tlsFile('grpc-server-key', 'keyFile', 'PEM file of the server key.'),
  tlsFile(
    'grpc-root-cert',
    'rootFile',
    'PEM file of the root certificates that client certificates are checked with.',
  ),
];

function tlsFile(name: string, key: 'certFile' | 'keyFile' | 'rootFile', help: string): OptionDefinition {
  return {
    name,
    group: 'GRPC',
    argument: 'string',
    help,
    apply: (draft, file) => {
      draft.grpcTls.files[key] = file;
    },
    print: ({ grpc }) => [grpc.tls?.[key] ?? ''].filter((file) => file !== ''),
  };
}

const keepalive: readonly OptionDefinition[] = [
  scalar({
    name: 'grpc-keepalive-time',
    group: 'GRPC',
    type: whole(),
    field: field('grpc', 'keepaliveTimeMs'),
    help: 'Milliseconds without traffic after which the server sends a ping.',
    screen: {
      key: 'server.grpcKeepaliveMs',
      section: SECTION,
      title: 'Ping after',
      help: 'Milliseconds without traffic after which the server pings a client.',
      min: 1,
      max: MAX_INT,
    },
  }),
  scalar({
    name: 'grpc-keepalive-timeout',
    group: 'GRPC',
    type: whole(),
    field: field('grpc', 'keepaliveTimeoutMs'),
    help: 'Milliseconds that the answer to a ping may take.',
    screen: {
      key: 'server.grpcKeepaliveTimeoutMs',
      section: SECTION,
      title: 'Answer to a ping within',
      help: 'Milliseconds after which a connection without an answer is closed.',
      min: 1,
      max: MAX_INT,
    },
  }),
  scalar({
    name: 'grpc-keepalive-permit-without-calls',
    group: 'GRPC',
    type: truth,
    field: field('grpc', 'keepalivePermitWithoutCalls'),
    help: 'Send pings also while no call is open.',
    screen: {
      key: 'server.grpcPingWithoutCalls',
      section: SECTION,
      title: 'Pings without calls',
      help: 'Ping clients that have no call open, and let them ping as often as those that have.',
    },
  }),
];

const limits: readonly OptionDefinition[] = [
  inert({
    name: 'grpc-http2-max-pings-without-data',
    group: 'GRPC',
    argument: 'integer',
    help: 'Pings in a row without data.',
    standard: '2',
    check: (text) => parseInteger(text),
    noEffect: 'it bounds pings of the server, which sends none but keepalive ones.',
    harmless: (text) => text === '2',
  }),
  scalar({
    name: 'grpc-http2-min-recv-ping-interval-without-data',
    group: 'GRPC',
    type: whole(),
    field: field('grpc', 'minRecvPingIntervalWithoutDataMs'),
    help: 'Milliseconds that a client must leave between two pings.',
    screen: {
      key: 'server.grpcMinPingIntervalMs',
      section: SECTION,
      title: 'Pings of a client at least apart',
      help: 'Milliseconds that a client must leave between two pings without data.',
      ...MILLISECONDS,
    },
  }),
  scalar({
    name: 'grpc-http2-max-ping-strikes',
    group: 'GRPC',
    type: whole(),
    field: field('grpc', 'maxPingStrikes'),
    help: 'Pings of a client that come too soon before its connection is closed.',
    screen: {
      key: 'server.grpcPingStrikes',
      section: SECTION,
      title: 'Pings that come too soon',
      help: 'So many are let pass, then the connection is closed with too_many_pings; 0 lets all pass.',
      min: 0,
      max: 1000,
    },
  }),
  scalar({
    name: 'grpc-max-connection-age',
    group: 'GRPC',
    type: whole(),
    field: field('grpc', 'maxConnectionAgeMs'),
    help: 'Milliseconds after which a connection is closed; 0 = never.',
    screen: {
      key: 'server.grpcMaxAgeMs',
      section: SECTION,
      title: 'Age of a connection',
      help: 'Milliseconds after which a connection is closed, so that clients connect anew; 0 = never.',
      ...MILLISECONDS,
    },
  }),
  scalar({
    name: 'grpc-max-connection-age-grace',
    group: 'GRPC',
    type: whole(),
    field: field('grpc', 'maxConnectionAgeGraceMs'),
    help: 'Milliseconds that calls of an aged connection may still take.',
    screen: {
      key: 'server.grpcMaxAgeGraceMs',
      section: SECTION,
      title: 'Time for its calls',
      help: 'Milliseconds that calls of such a connection may still take.',
      ...MILLISECONDS,
    },
  }),
];

/** In the order of the usage text. */
export const grpcOptions: readonly OptionDefinition[] = [
  ...endpoint,
  ...resources,
  ...tls,
  scalar({
    name: 'grpc-infer-response-compression-level',
    group: 'GRPC',
    type: compressionLevel,
    field: field('grpc', 'responseCompression'),
    help: 'Compression of inference responses, for clients that take it: "low" prefers gzip, "medium" and "high" deflate.',
    screen: {
      key: 'server.grpcResponseCompression',
      section: SECTION,
      title: 'Compress responses',
      help: 'Compress inference responses for gRPC clients that take it: low prefers gzip, medium and high deflate. It costs processor time and spares network.',
    },
  }),
  ...keepalive,
  ...limits,
  listed({
    name: 'grpc-restricted-protocol',
    group: 'GRPC',
    argument: '<string>:<string>=<string>',
    list: field('grpc', 'restricted'),
    parse: (text, before) => parseRestrictedGroup(text, before, 'grpc-restricted-protocol', 'protocol'),
    printItem: printRestrictedGroup,
    help: 'Calls of these categories must carry metadata: <protocol>[,<protocol>...]:<key>=<value>.',
  }),
];
