import { expect, test } from 'vitest';

import type { ShellRequest } from '../../../src-shared/contract/shell-calls.ts';
import { PageRequests } from './page-requests.ts';

const STOP: ShellRequest = { kind: 'command', command: 'server.stop' };
const GO: ShellRequest = { kind: 'go', address: 'wb://models' };

test('a page that does not listen yet hears them later, in their order and once', () => {
  const requests = new PageRequests();
  const heard: ShellRequest[] = [];
  requests.tell(STOP);
  requests.tell(GO);
  requests.listens((request) => heard.push(request));
  expect(heard).toEqual([STOP, GO]);
  requests.tell(GO);
  expect(heard).toEqual([STOP, GO, GO]);
});

test('after a page went they wait for the next one', () => {
  const requests = new PageRequests();
  const [first, second]: [ShellRequest[], ShellRequest[]] = [[], []];
  requests.listens((request) => first.push(request));
  requests.gone();
  requests.tell(STOP);
  expect(first).toEqual([]);
  requests.listens((request) => second.push(request));
  expect([first, second]).toEqual([[], [STOP]]);
});

test('a page that listens twice hears nothing twice', () => {
  const requests = new PageRequests();
  const heard: ShellRequest[] = [];
  requests.tell(STOP);
  requests.listens((request) => heard.push(request));
  requests.listens((request) => heard.push(request));
  expect(heard).toEqual([STOP]);
});
