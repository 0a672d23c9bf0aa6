// Odd HTTP clients: what is allowed to differ from the running reference.

import type { KnownDifference } from './known-differences.ts';

export const KNOWN_CLIENTS: readonly KnownDifference[] = [
  {
    rows: /^client /,
    reason: 'errors are always typed application/json; the reference leaves text/plain on some',
    level: (answer) =>
      answer.replaceAll(
        /("body":"\{\\"error\\"(?:[^"\\]|\\.)*","headers":\{[^}]*"content-type":)"text\/plain"/g,
        '$1"application/json"',
      ),
  },
  {
    rows: /^client HTTP\/1\.0/,
    reason: 'an empty body has its length, with which a connection can stay',
  },
  {
    rows: /^client (two requests at once|an unknown path and a good one|GET with a body)/,
    reason: 'requests that follow one without a body are answered too; the reference loses them',
  },
  {
    rows: /^client (a blank line before|byte by byte|chunks with extensions)/,
    reason: 'what HTTP allows is read; the reference gives no answer, or 404',
  },
  {
    rows: /^client (lines that end with a line feed|GET (\*|v2\/|.*versions\/ 1\/)|get of health|BREW)/,
    reason: 'what is no HTTP is refused as such; the reference closes without a word, or answers 405',
  },
  {
    rows: /^client (GET|POST) \/v2\/models\/(ech%6f|a%2Bb|with%20blank|%C3%BCml)\//,
    reason: 'an encoded name that no model has means the model that has the decoded one',
  },
  {
    rows: /^client compressed, (deflate without a frame|gzip twice in a row)/,
    reason: 'a broken stream is refused, and a gzip body of several members is read to its end',
  },
];
