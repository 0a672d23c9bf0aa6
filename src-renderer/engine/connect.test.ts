// The socket that a small script opened before the window's own is used once, in whatever state it is by then.

import { afterEach, expect, test, vi } from 'vitest';

import { engineOpener } from './connect.ts';
import { TokenRefusedError } from './engine-connection.ts';

class FakeSocket extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 3;
  static readonly opened: FakeSocket[] = [];
  readonly url: string;
  readyState = FakeSocket.CONNECTING;
  bufferedAmount = 0;
  readonly sent: string[] = [];

  constructor(url: string) {
    super();
    this.url = url;
    FakeSocket.opened.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.readyState = FakeSocket.CLOSED;
  }

  settle(readyState: number, event: string): void {
    this.readyState = readyState;
    this.dispatchEvent(new Event(event));
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
  FakeSocket.opened.length = 0;
});

function startWith(early: FakeSocket | undefined) {
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('window', {
    location: new URL('http://here:1/'),
    localStorage: { getItem: () => 'kept' },
    conchEarlySocket: early,
  });
  FakeSocket.opened.length = 0;
  return engineOpener();
}

test('an early socket that is open is used as it is, the next attempt opens another', async () => {
  const early = new FakeSocket('ws://early');
  early.readyState = FakeSocket.OPEN;
  const open = startWith(early);
  const channel = await open(new AbortController().signal);
  channel.send({ type: 'cancel', id: 7 });
  expect(early.sent).toEqual(['{"type":"cancel","id":7}']);
  expect(FakeSocket.opened).toEqual([]);

  void open(new AbortController().signal).catch(() => undefined);
  expect(FakeSocket.opened.map(({ url }) => url)).toEqual(['ws://here:1/rpc?token=kept']);
});

test('an early socket that is still connecting is waited for', async () => {
  const early = new FakeSocket('ws://early');
  const opening = startWith(early)(new AbortController().signal);
  early.settle(FakeSocket.OPEN, 'open');
  (await opening).send({ type: 'cancel', id: 1 });
  expect(early.sent).toHaveLength(1);
});

test('an early socket that the server refused counts as an attempt', async () => {
  const early = new FakeSocket('ws://early');
  early.readyState = FakeSocket.CLOSED;
  const open = startWith(early);
  vi.stubGlobal('fetch', () => Promise.resolve({ status: 401 }));
  await expect(open(new AbortController().signal)).rejects.toBeInstanceOf(TokenRefusedError);
});

test('without an early socket one is opened', () => {
  const open = startWith(undefined);
  void open(new AbortController().signal).catch(() => undefined);
  expect(FakeSocket.opened).toHaveLength(1);
});
