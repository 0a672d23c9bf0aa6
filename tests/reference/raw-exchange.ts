// One connection of an odd client: bytes are written as they are, in parts with pauses; what comes back is cut into answers.

import net from 'node:net';

/** A number waits that many milliseconds. */
export type Part = string | Uint8Array | number;

export interface RawAnswer {
  readonly status: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Headers that clients act on. */
const COMPARED = [
  'content-type',
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'inference-header-content-length',
  'allow',
];
const QUIET_MS = 350;
const LIMIT_MS = 8000;

/** Everything until the server closes or is quiet. */
export function rawExchange(
  port: number,
  parts: readonly Part[],
): Promise<{ readonly answers: readonly RawAnswer[]; readonly isClosed: boolean }> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    let received = Buffer.alloc(0);
    let quiet: NodeJS.Timeout | undefined;
    let isSent = false;
    const finish = (isClosed: boolean): void => {
      clearTimeout(quiet);
      clearTimeout(limit);
      socket.destroy();
      resolve({ answers: answersIn(received), isClosed });
    };
    const limit = setTimeout(() => finish(false), LIMIT_MS);
    const waitLonger = (): void => {
      clearTimeout(quiet);
      if (isSent && received.byteLength > 0) quiet = setTimeout(() => finish(false), QUIET_MS);
    };
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      waitLonger();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => finish(true));
    void (async () => {
      for (const part of parts) {
        if (typeof part === 'number') await new Promise((done) => setTimeout(done, part));
        else if (!socket.destroyed) socket.write(part);
      }
      isSent = true;
      waitLonger();
    })();
  });
}

function answersIn(bytes: Buffer): readonly RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = bytes.toString('latin1');
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) {
      answers.push({ status: 'no answer', headers: {}, body: rest });
      break;
    }
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = headersOf(lines);
    const { body, left } = bodyOf(rest.slice(end + 4), headers, first);
    // The reason phrase tells a client nothing.
    const status = first.replace(/^HTTP\/\S+ (\d+).*$/, '$1');
    answers.push({
      status,
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => COMPARED.includes(name))),
      body,
    });
    rest = left;
  }
  return answers;
}

function headersOf(lines: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name.toLowerCase(), value.join(':').trim()];
    }),
  );
}

function bodyOf(
  text: string,
  headers: Readonly<Record<string, string>>,
  statusLine: string,
): { readonly body: string; readonly left: string } {
  if (/^HTTP\/\S+ 1\d\d/.test(statusLine)) return { body: '', left: text };
  const length = headers['content-length'];
  if (headers['transfer-encoding'] === 'chunked') return chunksOf(text);
  if (length === undefined) return { body: text, left: '' };
  return { body: text.slice(0, Number(length)), left: text.slice(Number(length)) };
}

function chunksOf(text: string): { readonly body: string; readonly left: string } {
  let [body, left] = ['', text];
  for (;;) {
    const [head = ''] = left.split('\r\n', 1);
    const size = Number.parseInt(head, 16);
    if (Number.isNaN(size)) return { body, left };
    left = left.slice(head.length + 2);
    if (size === 0) return { body, left: left.slice(2) };
    body += left.slice(0, size);
    left = left.slice(size + 2);
  }
}
