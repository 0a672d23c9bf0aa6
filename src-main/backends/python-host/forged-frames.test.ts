// Frames that no host of ours sends: a model can write whatever it likes into the socket of its process. The engine
// either makes sense of a frame or ends the process; it never throws where nobody catches.

import { Duplex } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakeClock } from '../../testing/fake-clock.ts';
import type { HostedCodeListener } from '../hosted/hosted-code.ts';
import { BLOCK_BYTES, FROM_HOST, frameHeader, jsonFrame } from './frames.ts';
import { HostChannel } from './host-channel.ts';
import type { HostSetup } from './host-messages.ts';
import type { HostProcesses } from './host-processes.ts';
import { HostLane } from './host-lane.ts';
import { PythonCode } from './python-code.ts';
import type { SharedFiles } from './shared-files.ts';
import { openSharedFiles } from './shared-files.ts';

const SETUP: HostSetup = {
  command: 'serve',
  modelFile: '',
  modelDir: '',
  versionDir: '',
  backendDir: '',
  ownBackendDir: undefined,
  isDecoupled: false,
  args: { model_name: 'm', model_instance_name: 'm_0' },
};

const listener: HostedCodeListener = {
  executed: () => undefined,
  response: () => Promise.reject(new Error('nobody waits for it')),
  lost: () => undefined,
};

/** The engine's end of the socket of a host that says what it is told. */
class Socket extends Duplex {
  override _read(): void {
    // What is said is pushed.
  }

  override _write(_chunk: unknown, _encoding: unknown, done: () => void): void {
    done();
  }
}

const VALUES: readonly unknown[] = [
  null,
  5,
  'text',
  [],
  {},
  [null, null, null, null],
  ['ERROR', 5, {}, [1]],
  { op: 5 },
  { op: 'nothing' },
  { op: 'drop' },
  { op: 'drop', key: {} },
  { op: 'metric.set', by: 'many', metric: [] },
  { op: 'metric.create', family: -1, buckets: 5 },
  { op: 'model.load', name: {}, files: { a: 5 }, config: [] },
  { config: 5 },
  { text: null },
  { value: {}, error: [] },
];

/** The payload of a block with that head and extra. */
function block(head: unknown, extra: unknown, tail = 0): Buffer {
  const texts = [head, extra].map((value) => Buffer.from(value === undefined ? '' : JSON.stringify(value)));
  const bytes = BLOCK_BYTES + texts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const whole = Buffer.alloc(bytes + (-bytes & 7) + tail);
  whole.writeUInt32LE(whole.byteLength, 0);
  whole.writeUInt32LE(1, 4);
  texts.forEach((text, at) => whole.writeUInt32LE(text.byteLength, 12 + 4 * at));
  Buffer.concat(texts).copy(whole, BLOCK_BYTES);
  return whole;
}

const BLOCKS: readonly Buffer[] = [
  block(5, 5),
  block({ t: 5, o: 5 }, undefined),
  block({ t: [[]] }, undefined),
  block({ t: [['O', 99, [1e9], 8]] }, undefined, 8),
  block({ t: [['O', 11, [-1], -8]] }, undefined),
  block({ t: [['O', 11, [1], 1e15]] }, { m: [[0, 0, 65536]] }),
  block({ t: [['O', 11, [1], 1e15]] }, { m: [[0, -1, 'x']] }),
  block({ t: [['O', 11, [1], 'x']] }, { m: 5 }),
  block(undefined, { e: 5 }),
  block(undefined, { e: [] }),
  block(undefined, { p: 5 }),
  block(undefined, { p: [[1, 2, 3]], c: ['x'], n: {}, v: 'x', u: 'x' }),
  Buffer.alloc(64, 0xff),
  Buffer.alloc(8),
];

const frames: readonly Buffer[] = Object.values(FROM_HOST).flatMap((kind) => [
  frameHeader(kind, 0, 1, 1),
  frameHeader(kind, 0, 0xffffffff, 0xffffffff, 0xffff),
  ...VALUES.map((value) => jsonFrame(kind, value, 1, 1)),
  ...[0, 1, 2, 4, 0xffff].flatMap((flags) =>
    BLOCKS.map((payload) => Buffer.concat([frameHeader(kind, payload.byteLength, 1, 1, flags), payload])),
  ),
]);

/** A frame is read, and a rejection that nobody heard is told, before the loop has gone round a few times. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('frames that are forged', () => {
  let files: SharedFiles;
  const unheard: unknown[] = [];
  const onUnheard = (thrown: unknown): void => void unheard.push(thrown);

  beforeAll(async () => {
    files = await openSharedFiles('forged');
    process.on('unhandledRejection', onUnheard);
  });
  afterAll(async () => {
    process.off('unhandledRejection', onUnheard);
    await files.inputs.close();
    await files.outputs.close();
  });

  it(`each of ${frames.length} is either read or the end of the process`, async () => {
    let faults = 0;
    for (const frame of frames) {
      const socket = new Socket();
      const processes = {
        open: ({ onFrame, onExit }) => {
          const onFault = (): void => void (faults += 1);
          const channel = new HostChannel({ stream: socket, files, onFrame, onFault });
          const owner = { pid: undefined, release: () => Promise.resolve(), fail: () => undefined };
          return Promise.resolve(new HostLane(owner, channel, onExit));
        },
      } as Pick<HostProcesses, 'open'> as HostProcesses;
      const starting = PythonCode.start({
        processes,
        setup: SETUP,
        clock: new FakeClock(),
        invoker: undefined,
        services: () => undefined,
        listener,
      });
      socket.push(jsonFrame(FROM_HOST.ready, { hasIsReady: true }));
      const code = await starting;
      void code.isReady().catch(() => undefined);
      socket.push(frame);
      await turns();
    }
    expect(unheard).toEqual([]);
    expect(faults).toBeGreaterThan(100);
    expect(faults).toBeLessThan(frames.length);
  });
});
