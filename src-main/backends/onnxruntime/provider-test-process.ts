// Entry of a short-lived process that tries one execution provider: asked for no name it lists what the library was built
// for, else it runs a small matrix product with that provider alone and compares it with the same product in plain code.
// A process of its own, because a driver that fails may take its process with it, and because the WebGPU provider must
// not run in two threads of one process.

import { readdirSync, readlinkSync } from 'node:fs';

import { toServerError } from '../../../src-shared/errors.ts';
import { parentChannel } from '../../base/parent-channel.ts';
import { floatTensor, writeOnnx } from '../../onnx/onnx-writer.ts';
import { usableProviders } from './available-providers.ts';
import { loadOrt, prepareProviders } from './ort-library.ts';
import type { ProviderAnswer } from './provider-test-messages.ts';

const SIZE = 16;
const RUNS = 10;
const TOLERANCE = 1e-3;
/** Render nodes, NVIDIA's devices, AMD's compute device, Windows' GPU under WSL, ARM's. */
const DEVICE_FILES = /^\/dev\/(?:dri\/renderD|nvidia\d|kfd|dxg|mali)/;

const provider = process.argv[2] ?? '';
const left = Float32Array.from({ length: SIZE * SIZE }, (_, at) => ((at * 7) % 13) / 13 - 0.5);
const right = Float32Array.from({ length: SIZE * SIZE }, (_, at) => ((at * 5) % 11) / 11 - 0.5);

function expectedAt(row: number, column: number): number {
  let sum = 0;
  for (let k = 0; k < SIZE; k += 1) sum += (left[row * SIZE + k] ?? 0) * (right[k * SIZE + column] ?? 0);
  return sum;
}

async function test(): Promise<ProviderAnswer> {
  const { InferenceSession, Tensor } = loadOrt();
  const model = writeOnnx({
    graph: {
      name: 'provider_test',
      nodes: [{ opType: 'MatMul', inputs: ['X', 'W'], outputs: ['Y'] }],
      inputs: [{ name: 'X', datatype: 'FP32', shape: [SIZE, SIZE] }],
      outputs: [{ name: 'Y', datatype: 'FP32', shape: [SIZE, SIZE] }],
      initializers: [floatTensor('W', [SIZE, SIZE], [...right])],
    },
  });
  prepareProviders([provider]);
  const session = await InferenceSession.create(model, { executionProviders: [provider] });
  const feeds = { X: new Tensor('float32', left, [SIZE, SIZE]) };
  let worst = 0;
  let fastestMs = Infinity;
  for (let run = 0; run < RUNS; run += 1) {
    const startNs = process.hrtime.bigint();
    const { Y } = await session.run(feeds);
    fastestMs = Math.min(fastestMs, Number(process.hrtime.bigint() - startNs) / 1e6);
    const values = (Y?.data ?? []) as Float32Array;
    values.forEach((value, at) => {
      worst = Math.max(worst, Math.abs(value - expectedAt(Math.floor(at / SIZE), at % SIZE)));
    });
    if (values.length !== SIZE * SIZE) worst = Infinity;
  }
  const usesHardware = opensDevice();
  await session.release();
  if (!(worst <= TOLERANCE)) return { isOk: false, message: `It computes wrong results: off by ${worst}.` };
  return {
    isOk: true,
    message: `It works: a small model ran ${RUNS} times, at best in ${fastestMs.toFixed(2)} ms.`,
    ...(usesHardware === undefined ? {} : { usesHardware }),
  };
}

async function answer(): Promise<ProviderAnswer> {
  if (provider !== '') return test();
  const supported = loadOrt().listSupportedBackends();
  const usable = new Set(usableProviders(supported));
  return { providers: supported.map(({ name }) => ({ name, isUsable: usable.has(name) })) };
}

/** Without the place in the library's sources that failed assertions begin with. */
function inShort(message: string): string {
  return (/ was false\. (.+)$/s.exec(message)?.[1] ?? message).trim();
}

/**
 * Whether this process holds a device file of a GPU: a software renderer opens none. Undefined where the system does not
 * tell.
 */
function opensDevice(): boolean | undefined {
  if (process.platform !== 'linux') return undefined;
  return readdirSync('/proc/self/fd').some((descriptor) => {
    try {
      return DEVICE_FILES.test(readlinkSync(`/proc/self/fd/${descriptor}`));
    } catch {
      return false;
    }
  });
}

void answer()
  .catch((thrown: unknown): ProviderAnswer => ({
    isOk: false,
    message: inShort(toServerError(thrown).message),
  }))
  .then((message) => parentChannel()?.answer(message));
