// One HTTP inference request as the bytes that go over the wire, head included.

import { encodeHttpRequest } from '../../client/http-codec.ts';
import type { ClientRequest } from '../../client/infer-client.ts';

/** How requests are written for HTTP. */
export interface HttpMessageOptions {
  /** For the Host header: "host:port". */
  readonly address: string;
  readonly inputEncoding: 'binary' | 'json';
  readonly outputEncoding: 'binary' | 'json';
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

/** Who measures, as a server lists its clients; unless the plan says another. */
const USER_AGENT = { name: 'User-Agent', value: 'conch-perf' };

/** Head and body as they go over the wire; headers of the plan come after our own. */
export function httpMessage(request: ClientRequest, options: HttpMessageOptions): Buffer {
  const { address, inputEncoding, outputEncoding, headers } = options;
  const { path, headers: own, body } = encodeHttpRequest(request, inputEncoding, outputEncoding);
  const isNamed = headers.some(({ name }) => name.toLowerCase() === 'user-agent');
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${address}`,
    ...Object.entries(own).map(([name, value]) => `${name}: ${value}`),
    ...[...(isNamed ? [] : [USER_AGENT]), ...headers].map(({ name, value }) => `${name}: ${value}`),
    `Content-Length: ${body.byteLength}`,
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]);
}
