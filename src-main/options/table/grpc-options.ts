// Options of the gRPC endpoint.

import type { Flag } from '../option-definition.ts';
import { UsageError } from '../option-definition.ts';
import { parseBool, parseInteger, parseWord } from '../option-values.ts';
import { addRestrictedGroup, checkHeaderPattern } from '../restricted-groups.ts';

export const grpcFlags: readonly Flag[] = [
  {
    name: 'allow-grpc',
    group: 'GRPC',
    argument: 'boolean',
    help: 'Answer gRPC requests. Default is true.',
    apply: (draft, value) => {
      draft.engine.grpc.enabled = parseBool(value);
    },
  },
  {
    name: 'grpc-address',
    group: 'GRPC',
    argument: 'string',
    help: 'Address of the gRPC endpoint. Default is 127.0.0.1.',
    apply: (draft, value) => {
      draft.engine.grpc.address = value;
    },
  },
  {
    name: 'grpc-port',
    group: 'GRPC',
    argument: 'integer',
    help: 'Port of the gRPC endpoint, 0 picks a free one. Default is 8001.',
    apply: (draft, value) => {
      draft.engine.grpc.port = parseInteger(value);
    },
  },
  {
    name: 'reuse-grpc-port',
    group: 'GRPC',
    argument: 'boolean',
    help: 'Several servers may listen on the gRPC port. Default is false.',
    apply: (draft, value) => {
      draft.engine.grpc.reusePort = parseBool(value);
    },
  },
  {
    name: 'grpc-header-forward-pattern',
    group: 'GRPC',
    argument: 'string',
    help: 'Metadata whose key contains a match of this regular expression becomes a request parameter.',
    apply: (draft, value) => {
      draft.engine.grpc.headerForwardPattern = checkHeaderPattern(value);
    },
  },
  {
    name: 'grpc-infer-thread-count',
    group: 'GRPC',
    argument: 'integer',
    help: 'Threads that handle inference calls, 2 to 128.',
    apply: (_draft, value) => {
      const count = parseInteger(value);
      if (count >= 2 && count <= 128) return;
      throw new UsageError(
        `invalid argument for --grpc-infer-thread-count, got: ${value}. Must be in the range 2 to 128.`,
      );
    },
    noEffect: 'one event loop serves all connections.',
  },
  {
    name: 'grpc-infer-allocation-pool-size',
    group: 'GRPC',
    argument: 'integer',
    help: 'Request objects kept for reuse.',
    apply: (_draft, value) => void parseInteger(value),
    noEffect: 'memory is managed by the JavaScript engine.',
  },
  {
    name: 'grpc-max-response-pool-size',
    group: 'GRPC',
    argument: 'integer',
    help: 'Responses of one decoupled request that may wait to be sent. Default is 2147483647.',
    apply: (draft, value) => {
      const count = parseInteger(value);
      if (count <= 0) throw new UsageError('Error: --grpc-max-response-pool-size must be greater than 0.');
      draft.engine.grpc.maxResponsePoolSize = count;
    },
  },
  {
    name: 'grpc-use-ssl',
    group: 'GRPC',
    argument: 'boolean',
    help: 'Serve gRPC over TLS. Default is false.',
    apply: (draft, value) => {
      draft.grpcTls.enabled = parseBool(value);
    },
  },
  {
    name: 'grpc-use-ssl-mutual',
    group: 'GRPC',
    argument: 'boolean',
    help: 'Require client certificates; giving this option also switches TLS on. Default is false.',
    apply: (draft, value) => {
      draft.grpcTls.files.mutual = parseBool(value);
      draft.grpcTls.enabled = true;
    },
  },
  {
    name: 'grpc-server-cert',
    group: 'GRPC',
    argument: 'string',
    help: 'PEM file of the server certificate.',
    apply: (draft, value) => {
      draft.grpcTls.files.certFile = value;
    },
  },
  {
    name: 'grpc-server-key',
    group: 'GRPC',
    argument: 'string',
    help: 'PEM file of the server key.',
    apply: (draft, value) => {
      draft.grpcTls.files.keyFile = value;
    },
  },
  {
    name: 'grpc-root-cert',
    group: 'GRPC',
    argument: 'string',
    help: 'PEM file of the root certificates that client certificates are checked with.',
    apply: (draft, value) => {
      draft.grpcTls.files.rootFile = value;
    },
  },
  {
    name: 'grpc-infer-response-compression-level',
    group: 'GRPC',
    argument: 'string',
    help: 'Compression of responses: "none", "low", "medium" or "high".',
    apply: (_draft, value) =>
      void parseWord(
        value,
        ['none', 'low', 'medium', 'high'],
        `invalid argument for --grpc-infer-response-compression-level, got: ${value}`,
      ),
    noEffect: 'the gRPC library sends responses uncompressed.',
    harmless: (value) => value === 'none',
  },
  {
    name: 'grpc-keepalive-time',
    group: 'GRPC',
    argument: 'integer',
    help: 'Milliseconds without traffic after which the server sends a ping. Default is 7200000.',
    apply: (draft, value) => {
      draft.engine.grpc.keepaliveTimeMs = parseInteger(value);
    },
  },
  {
    name: 'grpc-keepalive-timeout',
    group: 'GRPC',
    argument: 'integer',
    help: 'Milliseconds that the answer to a ping may take. Default is 20000.',
    apply: (draft, value) => {
      draft.engine.grpc.keepaliveTimeoutMs = parseInteger(value);
    },
  },
  {
    name: 'grpc-keepalive-permit-without-calls',
    group: 'GRPC',
    argument: 'boolean',
    help: 'Send pings also while no call is open. Default is false.',
    apply: (draft, value) => {
      draft.engine.grpc.keepalivePermitWithoutCalls = parseBool(value);
    },
  },
  {
    name: 'grpc-http2-max-pings-without-data',
    group: 'GRPC',
    argument: 'integer',
    help: 'Pings in a row without data.',
    apply: (draft, value) => {
      draft.engine.grpc.maxPingsWithoutData = parseInteger(value);
    },
    noEffect: 'it bounds pings of the server, which sends none but keepalive ones.',
    harmless: (value) => value === '2',
  },
  {
    name: 'grpc-http2-max-ping-strikes',
    group: 'GRPC',
    argument: 'integer',
    help: 'Pings of a client that come too soon before its connection is closed. Default is 2.',
    apply: (draft, value) => {
      draft.engine.grpc.maxPingStrikes = parseInteger(value);
    },
  },
  {
    name: 'grpc-http2-min-recv-ping-interval-without-data',
    group: 'GRPC',
    argument: 'integer',
    help: 'Milliseconds that a client must leave between two pings. Default is 300000.',
    apply: (draft, value) => {
      draft.engine.grpc.minRecvPingIntervalWithoutDataMs = parseInteger(value);
    },
  },
  {
    name: 'grpc-max-connection-age',
    group: 'GRPC',
    argument: 'integer',
    help: 'Milliseconds after which a connection is closed; 0 = never.',
    apply: (draft, value) => {
      draft.engine.grpc.maxConnectionAgeMs = parseInteger(value);
    },
  },
  {
    name: 'grpc-max-connection-age-grace',
    group: 'GRPC',
    argument: 'integer',
    help: 'Milliseconds that calls of an aged connection may still take.',
    apply: (draft, value) => {
      draft.engine.grpc.maxConnectionAgeGraceMs = parseInteger(value);
    },
  },
  {
    name: 'grpc-restricted-protocol',
    group: 'GRPC',
    argument: 'string=string',
    help: 'Calls of these categories must carry metadata: <protocol>[,<protocol>...]:<key>=<value>. May be given several times.',
    apply: (draft, value) => addRestrictedGroup(draft.engine.grpc.restricted, value, 'protocol'),
  },
];
