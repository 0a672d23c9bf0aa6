// Status line and headers of an answer, as Node's server would write them.

import { STATUS_CODES } from 'node:http';

import { transportLimits } from '../transport.ts';

const KEPT = `Connection: keep-alive\r\nKeep-Alive: timeout=${transportLimits.keepAliveTimeout / 1000}\r\n\r\n`;
const CLOSED = 'Connection: close\r\n\r\n';

let dateLine = '';
let dateSecond = 0;

function date(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateLine = `Date: ${new Date(second * 1000).toUTCString()}\r\n`;
  }
  return dateLine;
}

/** `headers`: name, value, name, value ... */
export function replyHead(status: number, headers: readonly string[], isKeptAlive: boolean): string {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
  for (let index = 0; index + 1 < headers.length; index += 2) {
    head += `${headers[index]}: ${headers[index + 1]}\r\n`;
  }
  return head + date() + (isKeptAlive ? KEPT : CLOSED);
}

const MAX_KNOWN_HEADS = 512;
const knownHeads = new Map<number, { readonly date: string; readonly text: string }>();

/**
 * The head of an answer that leaves in one write and keeps the connection: as `replyHead` makes it of `headersOf`. Sizes in
 * bytes, of the JSON part and of all behind it, less than 64 Ki each: with them the head is the same for a second.
 */
export function repeatedHead(
  jsonByteSize: number,
  binaryByteSize: number,
  headersOf: () => readonly string[],
): string {
  const key = jsonByteSize * 65_536 + binaryByteSize;
  const known = knownHeads.get(key);
  const now = date();
  if (known !== undefined && known.date === now) return known.text;
  // In one piece: what was put together out of many would be put together again each time.
  const text = Buffer.from(replyHead(200, headersOf(), true), 'latin1').toString('latin1');
  if (knownHeads.size >= MAX_KNOWN_HEADS) knownHeads.clear();
  knownHeads.set(key, { date: now, text });
  return text;
}
