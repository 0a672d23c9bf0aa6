// Odd bytes over HTTP and gRPC: what is allowed to differ from the running reference.

import type { KnownDifference } from './known-differences.ts';

const NEWER = 'newer servers do as we do';

export const KNOWN_WIRE: readonly KnownDifference[] = [
  {
    rows: /^packed: /,
    reason: 'errors are always typed application/json; the reference leaves text/plain on some',
    level: (answer) =>
      answer.replace(
        /"content-type":"text\/plain"\},"status":"([45])/,
        '"content-type":"application/json"},"status":"$1',
      ),
  },
  {
    rows: /^packed: (gzip|deflate) (that is cut|with more behind it)$/,
    reason: 'a stream that is cut, or is none from some byte on, is refused; the reference takes what it has',
  },
  {
    rows: /^packed: (gzip|deflate) for an unload$/,
    reason:
      'a body that cannot be read unloads nothing: the protocol has an error for it, which the reference loses',
  },
  {
    rows: /^routes: headers of a stream with HTTP\/1\.0$/,
    reason: 'HTTP/1.0 knows no chunks; the reference sends them all the same',
  },
  {
    rows: /^frames: a header of \d+ bytes/,
    reason: 'of a header that comes packed the reference names the size without those before it',
    level: (answer) => answer.replace(/hard limit \(\d+/, 'hard limit (#'),
  },
  {
    rows: /^odd wire: /,
    reason: 'errors are always typed application/json; the reference leaves text/plain on some',
    level: (answer) =>
      answer.replaceAll(
        /"content-type":"text\/plain"\},"status":"([45])/g,
        '"content-type":"application/json"},"status":"$1',
      ),
  },
  {
    rows: /^odd wire: head length '(2147483648|4294967\d+|92233720\d+|18446744\d+|""|)'$/,
    reason: `a length that is none is refused: ${NEWER}`,
  },
  {
    rows: /^odd wire: binary size 18446744073709551615$/,
    reason: 'numbers beyond 2^53 are told rounded',
    level: (answer) => answer.replace(/184467440737095\d+ additional/, '# additional'),
  },
  {
    rows: /^odd wire: (the same length twice|a length list|a length with a plus|a header without a (colon|name)|a blank in a header name|a folded header)$/,
    reason:
      'two readers of one connection must see the same requests; the reference closes without a word, or goes on',
  },
  {
    rows: /^odd wire: two encodings$/,
    reason: 'all encodings of a body count; the reference looks at the first',
  },
  { rows: /^odd wire: a header of [26]0+ bytes$/, reason: 'headers may be of up to 64 KiB' },
  {
    rows: /^odd wire: another expectation$/,
    reason: 'an expectation that nobody knows is left alone; the reference says 100 to each',
  },
  {
    rows: /^odd wire: a target of 7000 bytes$/,
    reason: 'the reference takes long targets for those of another route now and then',
    isChance: true,
  },
  {
    rows: /^odd wire: HEAD /,
    reason: 'the reference sends a body with HEAD, which no client can read',
  },
  {
    rows: /^odd wire: .* in an id$/,
    reason: 'an id that is no UTF-8 comes back as UTF-8, with U+FFFD for what is none',
  },
  {
    rows: /^odd wire: the escape \\(udc00|ude00)/,
    reason: 'half of a surrogate pair is refused, whichever half it is',
  },
  {
    rows: /^odd wire: FP32 (-0|12345\d+)$/,
    reason: 'the number that was sent, rounded to the nearest; the last digit of a printed float may differ',
  },
  {
    rows: /^odd wire: a dimension (9223372036854775808|4294967296)$/,
    reason: 'what no tensor can have is refused by name; the reference ends its connection',
  },
  { rows: /^odd wire: an index \d+ arrays deep$/, reason: `a bad 'ready' is the client's fault: ${NEWER}` },
  {
    rows: /^frames: (content type 'application\/(grpcx|grpc-web|json)'|content type '(Application\/GRPC|text\/plain)'|method \w+)$/,
    reason:
      'what is no gRPC gets an HTTP answer that says what is served here; the reference resets the stream',
  },
  { rows: /^frames: no te$/, reason: 'a header that proxies leave out is not missed' },
  {
    rows: /^frames: timeout '(100000000S|1|S|-1S|1\.5S| 1S|1s|x|1x)'$/,
    reason:
      'a timeout that is none is told; the reference resets the stream, or takes more digits than gRPC has',
  },
  {
    rows: /^frames: (encoding '(snappy|nonsense|gzip,deflate)', a plain message|compressed, an unknown encoding)$/,
    reason: 'an encoding matters for what is compressed, and is named then; the reference resets the stream',
  },
  {
    rows: /^frames: (a binary header that is none|a wrong length)$/,
    reason:
      'headers of binary values that nobody reads are left alone; a wrong length resets the stream, as HTTP/2 asks',
  },
  {
    rows: /^frames: (half a head|a message that is (shorter|longer) than its head|a message and half a head|a stream with half a message|a flag of \d+|gzip that is none|a huge length)$/,
    reason: 'what is wrong with a frame is told; the reference cannot parse the request, or overlooks it',
  },
  {
    rows: /^frames: a message, and the stream stays open$/,
    reason: 'a unary call is answered once its client has sent all; the reference does not wait for it',
  },
  { rows: /^frames: bytes of a zero in the id$/, reason: 'an id goes on behind a zero' },
  {
    rows: /^frames: a shape, as 32 bits$/,
    reason:
      'messages with a blank at the end get lost in the Node client when the sender leaves the blank unescaped',
  },
  {
    rows: /^frames: values, a packed float of three bytes/,
    reason: 'the contents of which input are malformed is told',
  },
];
