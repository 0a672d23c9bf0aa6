// Valid requests bent in random places, as bytes: answers have to be well-formed, of the repertoire, and end.

import { exchange, fuzzCase, replyFault } from '../../../src-main/testing/http-fuzz.ts';
import { attackClass } from '../attack-class.ts';

/** Ports of people who speak HTTP; the window's port answers some paths with other statuses. */
export const httpBytes = attackClass<Buffer>({
  name: 'http-bytes',
  sends: 'bent HTTP requests on connections of their own, half-closed behind them',
  inputs: 140_000,
  width: 16,
  make: (random) => fuzzCase(random),
  send: async (bytes, { ports }) => replyFault(await exchange(ports.http, bytes)),
});

export const otherBytes = attackClass<{ readonly port: 'grpc' | 'metrics' | 'ui'; readonly bytes: Buffer }>({
  name: 'other-bytes',
  sends: 'the same on the ports of gRPC, metrics and the window',
  inputs: 30_000,
  width: 16,
  make: (random) => ({ port: random.pick(['grpc', 'metrics', 'ui'] as const), bytes: fuzzCase(random) }),
  send: async ({ port, bytes }, { ports }) => {
    const received = await exchange(ports[port], bytes);
    if (port === 'grpc' || received.length === 0) return undefined;
    return received.toString('latin1', 0, 9) === 'HTTP/1.1 '
      ? undefined
      : `no HTTP: ${received.toString('latin1', 0, 80)}`;
  },
});
