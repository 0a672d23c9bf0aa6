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
