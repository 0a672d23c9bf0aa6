// How the engine's process is run, and how a page and the engine get the two ends of their port, against a fake `electron`
// module.

import { EventEmitter } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';

import { SHELL_CHANNELS } from '../../../src-shared/contract/shell-channels.ts';

type Callback = (...args: unknown[]) => unknown;

const electron = vi.hoisted(() => ({
  listeners: new Map<string, Callback>(),
  forked: [] as {
    entry: string;
    args: string[];
    sent: unknown[];
    emit: Callback;
    stderr: { emit: Callback };
  }[],
}));

vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events');
  return {
    app: { getVersion: () => '1.2.3', getPath: () => '/home' },
    ipcMain: { on: (name: string, listener: Callback) => electron.listeners.set(name, listener) },
    MessageChannelMain: class {
      readonly port1 = { end: 1 };
      readonly port2 = { end: 2 };
    },
    utilityProcess: {
      fork: (entry: string, args: string[]) => {
        const child = Object.assign(new Emitter(), {
          entry,
          args,
          sent: [] as unknown[],
          stderr: new Emitter(),
          postMessage: (...message: unknown[]) => child.sent.push(message),
        });
        electron.forked.push(child as never);
        return child;
      },
    },
  };
});

const { forkEngine, spawnConch } = await import('./engine-host.ts');
const { PortBroker } = await import('./port-broker.ts');

beforeEach(() => {
  electron.forked.length = 0;
});

const newPage = () => Object.assign(new EventEmitter(), { isDestroyed: () => false, postMessage: vi.fn() });
const ask = (page: unknown): unknown =>
  electron.listeners.get(SHELL_CHANNELS.wantEnginePort)?.({ sender: page });

test('a page that asks gets one end, the engine the other; a new engine reaches it unasked', () => {
  const broker = new PortBroker();
  const [first, second] = [{ takePort: vi.fn() }, { takePort: vi.fn() }];
  const page = newPage();
  broker.listen(() => true);
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
  const broker = new PortBroker();
  const engine = { takePort: vi.fn() };
  broker.listen(() => false);
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
  forkEngine('/engine.js').onExit(seen);
  electron.forked[0]?.emit('exit', code);
  expect(seen).toHaveBeenCalledWith(...expected);
});

test.each([
  ['message', { type: 'ending', code: 6 }, 6],
  ['error', 'FatalError', 5],
])('an exit code that the engine announced by %s is no signal', (name, news, code) => {
  const [seen, heard] = [vi.fn(), vi.fn()];
  const engine = forkEngine('/engine.js');
  engine.onMessage(heard);
  engine.onExit(seen);
  electron.forked[0]?.emit(name, news);
  electron.forked[0]?.emit('exit', 6);
  expect(seen).toHaveBeenCalledWith(code, undefined);
  expect(heard).not.toHaveBeenCalled();
});

test('a program file runs instead, its standard error is told at its end, and force follows the second request', () => {
  const child = spawnConch('/conch.js', ['cuda'], { path: '/workers/try.js', environment: { A: 'b' } });
  const seen = vi.fn();
  child.onExit(seen);
  const fake = electron.forked[0];
  expect(fake).toMatchObject({ entry: '/workers/try.js', args: ['cuda'] });
  fake?.stderr.emit('data', Buffer.from('no library'));
  fake?.emit('exit', 11);
  expect(seen).toHaveBeenCalledWith({ code: undefined, detail: 'signal SIGSEGV', said: 'no library' });
});

test('children run the command line of the build', () => {
  spawnConch('/conch.js', ['perf', '-m', 'simple']).send('go');
  expect(electron.forked[0]).toMatchObject({ entry: '/conch.js', args: ['perf', '-m', 'simple'] });
  expect(electron.forked[0]?.sent).toEqual([['go']]);
});
