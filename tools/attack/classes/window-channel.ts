// The window's channel: what comes without the token gets nothing at all; what comes with it may be any text.

import { calls } from '../../../src-shared/contract/contract.ts';
import type { Random } from '../../../src-main/testing/http-fuzz.ts';
import { exchange } from '../../../src-main/testing/http-fuzz.ts';
import { attackClass } from '../attack-class.ts';
import { WindowCaller } from '../window-caller.ts';
import { HANDSHAKE } from './conversations.ts';

/** Calls that do as they are told and thereby end or change what the others need, or reach for the network. */
const LEFT_OUT =
  /^(?:server\/(?:stop|stopNow|start|restart|check)|runtime\/(?:installGpu|removeGpu|selfTest)|python\/|data\/deleteAll|repository\/(?:remove|switch|trash|rename|unload|openSamples|add$)|settings\/(?:write|importCommand)|perf\/(?:start|sweep|apply)|config\/write)/;
const NAMES = calls.map(({ name }) => name).filter((name) => !LEFT_OUT.test(name));
const MODELS = [
  'sure',
  'simple',
  'batch_mlp',
  'accumulate',
  'nowhere',
  '',
  '../sure',
  '__proto__',
  'constructor',
];
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  2 ** 53,
  0.5,
  '',
  'sure',
  '1',
  '__proto__',
  'x'.repeat(5000),
  '\ud800',
  [],
  {},
  [[[]]],
  { toString: 1, valueOf: 1 },
  { __proto__: null, length: -1 },
  { then: 1 },
  { toJSON: 'x' },
];
const FIELDS = [
  'model',
  'version',
  'text',
  'path',
  'name',
  'id',
  'taskId',
  'blob',
  'offset',
  'byteSize',
  'profile',
  'value',
  'seconds',
  'request',
  'models',
  'paths',
  'source',
  'repository',
  'inputs',
  'outputs',
  'shape',
  'a',
  'b',
  'undo',
  'run',
];
const REQUEST = {
  model: 'sure',
  version: '',
  protocol: 'http-json',
  id: '',
  inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [3], source: { kind: 'fill', value: 'ones' } }],
  outputs: [],
  priority: 0,
  timeoutUs: 0,
  parameters: {},
};

function value(random: Random, depth = 0): unknown {
  if (depth > 3 || random.below(3) > 0) return random.pick(VALUES);
  if (random.below(2) === 0) return Array.from({ length: random.below(4) }, () => value(random, depth + 1));
  return Object.fromEntries(
    Array.from({ length: random.below(4) }, () => [random.pick(FIELDS), value(random, depth + 1)]),
  );
}

/** A request of the playground with one thing in it changed. */
function playgroundRequest(random: Random): unknown {
  const copy = structuredClone(REQUEST) as Record<string, unknown>;
  const [input] = copy['inputs'] as Record<string, unknown>[];
  if (random.below(2) === 0) copy[random.pick(Object.keys(copy))] = value(random);
  else if (input !== undefined)
    input[random.pick(Object.keys(input))] = random.pick([
      value(random),
      [0],
      [-1],
      [2 ** 31, 2 ** 31],
      [1e9],
    ]);
  return copy;
}

function args(random: Random, name: string): unknown {
  if (random.below(12) === 0) return value(random);
  if (name.startsWith('playground/') && random.below(2) === 0) {
    return random.below(4) === 0
      ? { request: playgroundRequest(random), count: 2, concurrency: 1 }
      : playgroundRequest(random);
  }
  const fields = Object.fromEntries(
    FIELDS.filter(() => random.below(3) === 0).map((field) => [field, value(random)]),
  );
  return {
    model: random.pick(MODELS),
    version: '1',
    text: 'name: "x"',
    path: '/tmp',
    taskId: 't',
    id: 'x',
    ...fields,
  };
}

function message(random: Random): string | Buffer {
  const kind = random.below(20);
  if (kind === 0)
    return random.pick(['', 'null', '[]', '{', '1', '"x"', '{}', '{"type":null}', '['.repeat(100_000), '\0']);
  if (kind === 1)
    return JSON.stringify({
      type: 'subscribe',
      name: random.pick([...VALUES, 'observe/sample', 'observe/logs']),
    });
  if (kind === 2) return JSON.stringify({ type: 'ack', sequence: random.pick(VALUES) });
  if (kind === 3)
    return JSON.stringify({
      type: random.pick(['cancel', 'unsubscribe', 'reply', 'error', 'event', 'hello']),
      id: random.pick(VALUES),
      name: random.pick(VALUES),
      version: random.pick([1, ...VALUES]),
    });
  if (kind === 4) return Buffer.from(Array.from({ length: random.below(50) }, () => random.below(256)));
  if (kind === 5)
    return JSON.stringify({
      type: 'call',
      id: random.pick(VALUES),
      name: random.pick(VALUES),
      args: value(random),
    });
  const name = random.pick(NAMES);
  return JSON.stringify({ type: 'call', id: random.below(1e9), name, args: args(random, name) });
}

/** Connections that no input uses just now. */
const idle: WindowCaller[] = [];

export const windowMessages = attackClass<string | Buffer>({
  name: 'window-messages',
  sends: 'messages of any kind on the window’s channel, with the token',
  inputs: 40_000,
  width: 4,
  prepare: () =>
    Promise.resolve(() => {
      for (const page of idle.splice(0)) page.close();
      return Promise.resolve();
    }),
  make: (random) => message(random),
  send: async (text, { ports, token }) => {
    const page = idle.pop() ?? (await WindowCaller.open(ports.ui, token));
    page.sendText(text);
    // Answered in turn, or the connection was closed because the text is none of the contract.
    await page.call('blob/release', { blob: 'x' });
    if (page.isOpen) idle.push(page);
    else page.close();
    return undefined;
  },
});

const TOKENS = [
  '',
  '?token=',
  '?token=wrong',
  '?token=%00',
  '?token[]=x',
  `?token=${'x'.repeat(9000)}`,
  '?Token=x',
  '#token',
];
const DOORS = ['/rpc', '/rpc/', '//rpc', '/RPC', '/rpc/../rpc', '/upload', '/upload/x?path=y', '/session'];

export const windowDoors = attackClass<string>({
  name: 'window-doors',
  sends: 'requests for the window’s channel and uploads without the token',
  inputs: 20_000,
  width: 16,
  make: (random) => {
    const isUpgrade = random.below(3) > 0;
    const lines = [
      `${random.pick(['GET', 'GET', 'POST', 'PATCH', 'DELETE', 'HEAD'])} ${random.pick(DOORS)}${random.pick(TOKENS)} HTTP/1.1`,
      `Host: ${random.pick(['localhost', '127.0.0.1', 'evil.example', '', '[::1]'])}`,
      ...(isUpgrade
        ? HANDSHAKE.map((line) => (random.below(12) === 0 ? line.replace(/: .*/, ': x') : line))
        : []),
      ...(random.below(3) === 0
        ? [`Origin: ${random.pick(['null', 'http://evil.example', 'http://localhost', 'file://'])}`]
        : []),
      ...(random.below(3) === 0
        ? [`Authorization: ${random.pick(['Bearer', 'Bearer x', 'Basic eDp4', 'Bearer \u00e9'])}`]
        : []),
      ...(random.below(4) === 0
        ? [`Sec-Fetch-Site: ${random.pick(['cross-site', 'same-site', 'none', 'x'])}`]
        : []),
    ];
    return `${lines.join('\r\n')}\r\n\r\n`;
  },
  send: async (text, { ports }) => {
    const received = (await exchange(ports.ui, Buffer.from(text, 'latin1'))).toString('latin1');
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0);
    return status === 0 || status >= 400 ? undefined : `let in: ${received.slice(0, 200)}`;
  },
});
