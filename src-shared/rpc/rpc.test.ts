import { describe, expect, test, vi } from 'vitest';

import type { CallHandlers } from '../contract/contract.ts';
import { ServerError } from '../errors.ts';
import { channelPair } from './channel.ts';
import { RpcClient } from './rpc-client.ts';
import { RpcServer } from './rpc-server.ts';
import { socketChannel } from './socket-channel.ts';

function connect(handlers: Partial<CallHandlers>) {
  const [page, engine] = channelPair();
  const server = new RpcServer(engine, { handlers: handlers as CallHandlers });
  return { server, page, client: new RpcClient(page) };
}

test('a call reaches its handler and the result comes back', async () => {
  const { client } = connect({ 'blob/create': () => ({ blob: 'b1' }) });
  await expect(client.call('blob/create', {})).resolves.toEqual({ blob: 'b1' });
});

test('an error keeps its code and message', async () => {
  const { client } = connect({
    'config/read': () => {
      throw new ServerError('NOT_FOUND', 'no such model');
    },
  });
  await expect(client.call('config/read', { model: 'x' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'no such model',
  });
});

test('arguments that do not fit the declaration are refused with the field', async () => {
  const { client } = connect({ 'config/read': () => Promise.reject(new Error('never reached')) });
  await expect(client.call('config/read', { model: 3 } as never)).rejects.toMatchObject({
    code: 'INVALID_ARG',
    message: expect.stringContaining('model'),
  });
});

test('aborting a call aborts the handler', async () => {
  const seen = vi.fn();
  const { client } = connect({
    'server/stop': (_args, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          seen();
          reject(new Error('stopped'));
        });
      }),
  });
  const controller = new AbortController();
  const call = client.call('server/stop', {}, { signal: controller.signal });
  await Promise.resolve();
  controller.abort(new Error('user'));
  await expect(call).rejects.toThrow('user');
  await vi.waitFor(() => expect(seen).toHaveBeenCalledOnce());
});

test('a closed channel rejects what is pending and aborts its handler', async () => {
  let aborted = false;
  const { client, page } = connect({
    'server/stop': (_args, { signal }) =>
      new Promise(() => {
        signal.addEventListener('abort', () => {
          aborted = true;
        });
      }),
  });
  const call = client.call('server/stop', {});
  await Promise.resolve();
  await Promise.resolve();
  page.close();
  await expect(call).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(aborted).toBe(true);
});

test('what a page called off is no fault to be looked into, and another error is one', async () => {
  const [page, engine] = channelPair();
  const onUnexpected = vi.fn();
  const waiting = (signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  const handlers: Partial<CallHandlers> = {
    'server/stop': (_args, { signal }) => waiting(signal),
    'server/start': (_args, { signal }) => waiting(signal),
    'blob/create': () => Promise.reject(new Error('a mistake of ours')),
  };
  new RpcServer(engine, { handlers: handlers as CallHandlers, onUnexpected });
  const client = new RpcClient(page);
  const controller = new AbortController();
  const calls = [
    client.call('server/stop', {}, { signal: controller.signal }),
    client.call('server/start', {}),
    client.call('blob/create', {}),
  ];
  await expect(calls[2]).rejects.toThrow('a mistake of ours');
  controller.abort(new Error('the user did'));
  page.close();
  await Promise.allSettled(calls);
  await new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
  expect(onUnexpected.mock.calls).toEqual([['blob/create', expect.any(Error)]]);
});

test('a page is told what can be said better in those words', async () => {
  const [page, engine] = channelPair();
  const thrown = new Error('ENOSPC: no space left on device, write');
  const handlers: Partial<CallHandlers> = {
    'server/start': () => Promise.reject(thrown),
    'server/stop': () => Promise.reject(new Error('as it was')),
  };
  const explain = (what: unknown) => (what === thrown ? new ServerError('UNAVAILABLE', 'it is full') : what);
  new RpcServer(engine, { handlers: handlers as CallHandlers, explain });
  const client = new RpcClient(page);
  await expect(client.call('server/start', {})).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'it is full',
  });
  await expect(client.call('server/stop', {})).rejects.toThrow('as it was');
});

test('a page that does not acknowledge gets one sample with all news, and drops are counted', async () => {
  const [page, engine] = channelPair();
  const server = new RpcServer(engine, { handlers: {} as CallHandlers, maxUnacknowledged: 1 });
  const received: unknown[] = [];
  page.onMessage((message) => {
    if (message.type === 'event') received.push(message.payload);
  });
  page.send({ type: 'subscribe', name: 'observe/sample' });
  await vi.waitFor(() => expect(server.isSubscribed('observe/sample')).toBe(true));
  const sample = (atMs: number, model: string) => ({ atMs, models: [{ model, version: '1' }], removed: [] });
  const [first, second, third] = [sample(1, 'a'), sample(2, 'b'), sample(3, 'c')];
  for (const payload of [first, second, third]) server.publish('observe/sample', payload);
  await vi.waitFor(() => expect(received).toEqual([first]));
  page.send({ type: 'ack', sequence: 1 });
  const joined = { ...third, models: [...second.models, ...third.models] };
  await vi.waitFor(() => expect(received).toEqual([first, joined]));
  expect(server.droppedCount).toBe(1);
});

test('unsubscribing the last listener tells the engine', async () => {
  const { client, server } = connect({});
  const off = client.subscribe('observe/sample', () => undefined);
  await vi.waitFor(() => expect(server.isSubscribed('observe/sample')).toBe(true));
  off();
  await vi.waitFor(() => expect(server.isSubscribed('observe/sample')).toBe(false));
});

describe('what is no message of a page', () => {
  test.each([
    [],
    ['call'],
    { type: {} },
    { type: 'call', id: 1, name: { toString: 1, valueOf: 1 }, args: {} },
    { type: 'call', id: 'x', name: 'server/view', args: {} },
    { type: 'ack', sequence: { toString: 1, valueOf: 1 } },
    { type: 'subscribe', name: [] },
    { type: 'reply', id: 1, result: 1 },
    { type: 'toString' },
  ])('closes its channel: %j', async (message) => {
    const { page } = connect({});
    const closed = new Promise<void>((resolve) => page.onClose(resolve));
    page.send(message as never);
    await closed;
  });

  test('an event that there is not is not remembered', async () => {
    const { client, server } = connect({});
    client.subscribe('observe/nothing' as never, () => undefined);
    client.subscribe('observe/sample', () => undefined);
    await vi.waitFor(() => expect(server.isSubscribed('observe/sample')).toBe(true));
    expect(server.isSubscribed('observe/nothing' as never)).toBe(false);
  });
});

test('a socket whose other side does not read is ended', () => {
  const socket = {
    readyState: 1,
    bufferedAmount: 0,
    send: vi.fn(),
    close: vi.fn(),
    terminate: vi.fn(),
    addEventListener: () => undefined,
  };
  const channel = socketChannel(socket);
  channel.send({ type: 'cancel', id: 1 });
  expect([socket.send.mock.calls.length, socket.terminate.mock.calls.length]).toEqual([1, 0]);
  socket.bufferedAmount = 65 * 1024 * 1024;
  channel.send({ type: 'cancel', id: 1 });
  expect([socket.send.mock.calls.length, socket.terminate.mock.calls.length]).toEqual([1, 1]);
});
