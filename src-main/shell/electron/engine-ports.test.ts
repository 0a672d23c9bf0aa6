// How the engine's process is run, and how a page and the engine get the two ends of their port, with processes and ports
// from memory.

import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';

import { SHELL_CHANNELS } from '../../../src-shared/contract/shell-channels.ts';
import type { Fork } from './engine-host.ts';
import { forkEngine, spawnConch } from './engine-host.ts';
import { PortBroker } from './port-broker.ts';

class FakeProcess extends EventEmitter {
  readonly stderr = new EventEmitter();
  readonly sent: unknown[][] = [];
  readonly kill = vi.fn();
  readonly postMessage = (...message: unknown[]): void => void this.sent.push(message);
}

/** A process that is not started, and how it would have been. */
function fakeFork() {
  const child = new FakeProcess();
  const fork = vi.fn(() => child);
  return { child, forked: fork, fork: fork as unknown as Fork };
}

type Channel = ReturnType<ConstructorParameters<typeof PortBroker>[0]>;
type IpcMain = Parameters<PortBroker['listen']>[0];

function newBroker(isOurs: boolean): { readonly broker: PortBroker; readonly ask: (page: unknown) => void } {
  const ipcMain = new EventEmitter();
  const broker = new PortBroker(() => ({ port1: { end: 1 }, port2: { end: 2 } }) as unknown as Channel);
  broker.listen(ipcMain as unknown as IpcMain, () => isOurs);
  return { broker, ask: (sender) => void ipcMain.emit(SHELL_CHANNELS.wantEnginePort, { sender }) };
}

const newPage = () => Object.assign(new EventEmitter(), { isDestroyed: () => false, postMessage: vi.fn() });

test('a page that asks gets one end, the engine the other; a new engine reaches it unasked', () => {
  const { broker, ask } = newBroker(true);
  const [first, second] = [{ takePort: vi.fn() }, { takePort: vi.fn() }];
  const page = newPage();
  broker.setEngine(first);
  ask(page);
  expect(first.takePort).toHaveBeenCalledWith({ end: 1 });
  expect(page.postMessage).toHaveBeenCalledWith(SHELL_CHANNELS.enginePort, null, [{ end: 2 }]);
  broker.setEngine(second);
  expect(second.takePort).toHaveBeenCalledOnce();
  page.emit('destroyed');
  broker.setEngine(first);
  expect(first.takePort).toHaveBeenCalledOnce();
});

test('a page that is not ours gets none', () => {
  const { broker, ask } = newBroker(false);
  const engine = { takePort: vi.fn() };
  broker.setEngine(engine);
  ask(newPage());
  expect(engine.takePort).not.toHaveBeenCalled();
});

test.each([
  [0, [0, undefined]],
  [1, [1, undefined]],
  [11, [undefined, 'SIGSEGV']],
  [139, [undefined, 'SIGSEGV']],
  [5, [undefined, 'SIGTRAP']],
  [7, [undefined, 'SIGBUS']],
  [8, [undefined, 'SIGFPE']],
  [31, [undefined, 'SIGSYS']],
])('engine exit %i', (code, expected) => {
  const seen = vi.fn();
  const { child, fork } = fakeFork();
  forkEngine(fork, '/engine.js').onExit(seen);
  child.emit('exit', code);
  expect(seen).toHaveBeenCalledWith(...expected);
});

test.each([
  ['message', { type: 'ending', code: 6 }, 6],
  ['error', 'FatalError', 5],
])('an exit code that the engine announced by %s is no signal', (name, news, code) => {
  const [seen, heard] = [vi.fn(), vi.fn()];
  const { child, fork } = fakeFork();
  const engine = forkEngine(fork, '/engine.js');
  engine.onMessage(heard);
  engine.onExit(seen);
  child.emit(name, news);
  child.emit('exit', 6);
  expect(seen).toHaveBeenCalledWith(code, undefined);
  expect(heard).not.toHaveBeenCalled();
});

test('a program file runs instead, and its standard error is told at its end', () => {
  const { child, fork, forked } = fakeFork();
  const file = { path: '/workers/try.js', environment: { A: 'b' } };
  const spawned = spawnConch({ fork, entry: '/conch.js', cwd: '/home' }, ['cuda'], file);
  const seen = vi.fn();
  spawned.onExit(seen);
  const env = expect.objectContaining({ A: 'b' }) as object;
  expect(forked).toHaveBeenCalledWith('/workers/try.js', ['cuda'], expect.objectContaining({ env }));
  child.stderr.emit('data', Buffer.from('no library'));
  child.emit('exit', 11);
  expect(seen).toHaveBeenCalledWith({ code: undefined, detail: 'signal SIGSEGV', said: 'no library' });
});

test('children run the command line of the build, in the home of the user', () => {
  const { child, fork, forked } = fakeFork();
  const program = { fork, entry: '/conch.js', cwd: '/home/ada' };
  spawnConch(program, ['perf', '-m', 'simple']).send('go');
  const inHome = expect.objectContaining({ cwd: '/home/ada' }) as object;
  expect(forked).toHaveBeenCalledWith('/conch.js', ['perf', '-m', 'simple'], inHome);
  expect(child.sent).toEqual([['go']]);
});

test('what the engine printed last is kept for an end that nothing else explains, without its own log', () => {
  const { child, fork } = fakeFork();
  const engine = forkEngine(fork, '/engine.js');
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  child.stderr.emit('data', Buffer.from('I1126 06:14:46.517000 10274 server:0] "all is well"\n'));
  child.stderr.emit('data', Buffer.from(`${lines.join('\n')}`));
  expect(engine.lastOutput().split('\n')).toEqual(lines.slice(-20));
});
