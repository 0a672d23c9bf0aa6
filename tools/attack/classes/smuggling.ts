// Requests whose length two readers could take differently. What follows them asks for a model by a name of its own:
// an answer that repeats the name shows that it was read as a request.

import type { Random } from '../../../src-main/testing/http-fuzz.ts';
import { exchange } from '../../../src-main/testing/http-fuzz.ts';
import { attackClass } from '../attack-class.ts';

interface Smuggled {
  readonly port: 'http' | 'metrics' | 'ui';
  readonly text: string;
  /** A strict reader finds the second request too. */
  readonly isClean: boolean;
}

const BODY = '{"inputs":[{"name":"INPUT0","datatype":"INT32","shape":[1],"data":[7]}]}';
const BEHIND = 'GET /v2/models/smuggled/config HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

const LENGTHS = [
  `Content-Length: ${BODY.length}`,
  'Content-Length: 4',
  'Content-Length: 0',
  `Content-Length : ${BODY.length}`,
  `Content-Length: +${BODY.length}`,
  `Content-Length: 0${BODY.length}x`,
  `Content-Length: ${BODY.length}, 4`,
  'Content-Length: -1',
  'Content-Length: 4\r\nContent-Length: 5',
  'Content-Length:\r\n 4',
  '\tContent-Length: 4',
  'Content-Length\0: 4',
  'Content_Length: 4',
  'X: y\rContent-Length: 4',
  'X: y\nContent-Length: 4',
];
const ENCODINGS = [
  'Transfer-Encoding: chunked',
  'transfer-encoding:CHUNKED',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: identity, chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding:\x0bchunked',
  'Transfer-Encoding:\r\n chunked',
  'Transfer-Encoding: "chunked"',
  'Transfer-Encoding: chunked;a=b',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
  'X: y\nTransfer-Encoding: chunked',
  'Transfer_Encoding: chunked',
  'Transfer-Encoding: \xff',
];
const size = BODY.length.toString(16);
const BODIES = [
  BODY,
  `${size}\r\n${BODY}\r\n0\r\n\r\n`,
  `${size};a=b\r\n${BODY}\r\n0\r\nX: y\r\n\r\n`,
  `${size}\n${BODY}\n0\n\n`,
  `0x${size}\r\n${BODY}\r\n0\r\n\r\n`,
  `${size} \r\n${BODY}\r\n0\r\n\r\n`,
  `${size}\r\n${BODY}0\r\n\r\n`,
  `-1\r\n${BODY}\r\n0\r\n\r\n`,
  `ffffffffffffffff\r\n${BODY}\r\n0\r\n\r\n`,
  '0\r\n\r\n',
  '',
];

function smuggled(random: Random): Smuggled {
  const clean = [
    [LENGTHS[0], BODIES[0]],
    [ENCODINGS[0], BODIES[1]],
  ];
  const isClean = random.below(20) === 0;
  const headers = [
    ...(random.below(4) > 0 ? [random.pick(LENGTHS)] : []),
    ...(random.below(4) > 0 ? [random.pick(ENCODINGS)] : []),
  ];
  if (random.below(2) === 0) headers.reverse();
  const body = random.pick(BODIES);
  const [cleanHeader = '', cleanBody = ''] = random.pick(clean);
  const used = isClean ? [cleanHeader] : headers;
  const text = [
    'POST /v2/models/sure/infer HTTP/1.1',
    'Host: localhost',
    ...used,
    '',
    (isClean ? cleanBody : body) + BEHIND,
  ].join('\r\n');
  return {
    port: isClean ? 'http' : random.pick(['http', 'http', 'metrics', 'ui'] as const),
    text,
    isClean: isClean || isUnambiguous(used, body),
  };
}

/** Whether RFC 9112 finds exactly the body and then the second request. */
function isUnambiguous(headers: readonly string[], body: string): boolean {
  // Names that are not those of a length or an encoding say nothing.
  const telling = headers.filter((header) => !/^(?:Content|Transfer)_/.test(header));
  const [only] = telling;
  if (telling.length > 1) return false;
  const hasNone = only === undefined || only === 'Content-Length: 0';
  if (hasNone) return body === '' || body === BODY || !body.startsWith('{');
  return (
    (only === LENGTHS[0] && body === BODY) ||
    (/^transfer-encoding: ?chunked$/i.test(only) && /^(?:48|0)[;\r]/.test(body)) ||
    only === 'Content-Length: 4'
  );
}

export const smuggling = attackClass<Smuggled>({
  name: 'smuggling',
  sends: 'requests with ambiguous lengths, each followed by a second request',
  inputs: 40_000,
  width: 24,
  make: smuggled,
  send: async ({ port, text, isClean }, { ports }) => {
    const received = (await exchange(ports[port], Buffer.from(text, 'latin1'))).toString('latin1');
    if (!isClean && received.includes('smuggled'))
      return `the second request was read: ${received.slice(0, 400)}`;
    return port === 'http' && isClean && !received.startsWith('HTTP/1.1 ') ? 'no answer' : undefined;
  },
});
