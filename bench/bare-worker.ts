// The floor for heavy models: one bare session in a thread of its own, run again and again for a given time.

import { readlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type * as OrtModule from 'onnxruntime-node';

const ort = createRequire(import.meta.url)('onnxruntime-node') as typeof OrtModule;

/** `shape` of its only input, batch dimension included; values are made up. */
export interface BareSetup {
  readonly path: string;
  readonly shape: readonly number[];
}

/** As the server's instances run: on a machine that others use too, the two must get the same share of it. */
const INSTANCE_NICE_LEVEL = 5;

if (process.platform === 'linux') {
  os.setPriority(Number(readlinkSync('/proc/thread-self').split('/').pop()), INSTANCE_NICE_LEVEL);
}

const { path, shape } = workerData as BareSetup;
const session = await ort.InferenceSession.create(path, { intraOpNumThreads: 1 });
const count = shape.reduce((product, dim) => product * dim, 1);
const values = Float32Array.from({ length: count }, (_, index) => Math.sin(index / 100));
const feeds = { INPUT: new ort.Tensor('float32', values, [...shape]) };
await session.run(feeds);

parentPort?.on('message', (durationMs: number) => {
  void (async () => {
    const startMs = performance.now();
    let runCount = 0;
    while (performance.now() - startMs < durationMs) {
      await session.run(feeds);
      runCount += 1;
    }
    parentPort?.postMessage(runCount / ((performance.now() - startMs) / 1000));
  })();
});
parentPort?.postMessage('ready');
