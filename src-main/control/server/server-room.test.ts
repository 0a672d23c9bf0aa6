// When pages are told of the server's state, what a report of a fault holds, and the files of the gRPC service.

import { expect, test } from 'vitest';

import type { ServerView } from '../../../src-shared/contract/observe-views.ts';
import type { ServerRoomOptions } from './server-room.ts';
import { ServerRoom } from './server-room.ts';

/** A room whose server says what the test wants, and everything that pages were told. */
function room(view: () => Partial<ServerView>) {
  const told: unknown[] = [];
  const asked: number[] = [];
  const setting = { key: 'general.tray', value: true, title: 'Icon in the tray' };
  const options: Omit<ServerRoomOptions, 'server' | 'catalog' | 'settings'> = {
    publish: (name, payload) => void told.push([name, payload]),
    sample: () => ({ atMs: 7 }) as never,
    lastLogs: (count) => {
      asked.push(count);
      return ['started'];
    },
  };
  const around = {
    server: { view },
    catalog: { views: () => [{ name: 'm' }] },
    settings: { view: () => ({ settings: [setting] }) },
  } as unknown as Pick<ServerRoomOptions, 'server' | 'catalog' | 'settings'>;
  return { told, asked, room: new ServerRoom({ ...options, ...around }) };
}
const CALL = { signal: new AbortController().signal } as never;

test('a page is told what changed without anybody saying so, once, and nothing before the first state', () => {
  let view: Partial<ServerView> = { state: 'serving', isReady: false };
  const { told, room: server } = room(() => view);
  server.look();
  expect(told).toEqual([]);
  server.changed();
  server.look();
  expect(told).toEqual([['server/changed', view]]);
  view = { ...view, isReady: true };
  server.look();
  server.look();
  expect(told.slice(1)).toEqual([['server/changed', view]]);
});

test('a report of a fault tells of server, models, settings by key, and the end of the log', async () => {
  const { asked, room: server } = room(() => ({ state: 'serving' }));
  const { json } = await server.handlers['server/diagnostics']({}, CALL);
  expect(JSON.parse(json)).toEqual({
    server: { state: 'serving' },
    sample: { atMs: 7 },
    models: [{ name: 'm' }],
    settings: [{ key: 'general.tray', value: true }],
    logs: ['started'],
  });
  expect(asked).toEqual([500]);
});

test('the files of the gRPC service come with all that they import', async () => {
  const files = await room(() => ({})).room.handlers['server/protoFiles']({}, CALL);
  const names = files.map(({ name }) => name);
  expect(names).toContain('grpc_service.proto');
  const imported = files.flatMap(({ text }) =>
    [...text.matchAll(/^import "([^"]+)";/gm)].map((match) => match[1]),
  );
  expect(imported).not.toEqual([]);
  for (const name of imported) expect(names).toContain(name);
});
