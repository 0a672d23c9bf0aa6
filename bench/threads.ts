// Where the processor time of one inference goes, thread by thread: requests are handed to the service inside one process,
// without sockets, a given number of them in flight. Processor time is told apart from waiting, so that the figures of
// a busy machine can be used. Linux. Run: node bench/threads.ts [tiny|chain] [IN_FLIGHT]

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { InferenceRequest, InferInput } from '../src-main/inference/inference-request.ts';
import { bytesOf } from '../src-main/inference/tensor-bytes.ts';
import { setCollector } from '../src-main/shell/hosting/collector-settings.ts';
import { startTestEngine } from '../src-main/testing/start-test-engine.ts';
import { writePeerRepository } from './peer/peer-models.ts';
import type { ThreadTime } from './thread-times.ts';
import { threadTimes } from './thread-times.ts';

const WARMUP_COUNT = 20_000;
const MEASURED_COUNT = 30_000;
const MODELS = {
  tiny: { loads: ['tiny'], inputs: ['INPUT0', 'INPUT1'], datatype: 'INT32' },
  chain: { loads: ['chain'], inputs: ['INPUT'], datatype: 'FP32' },
} as const;

/** Microseconds per request of every thread that took part. */
function report(before: Map<string, ThreadTime>, after: Map<string, ThreadTime>): void {
  const perRequest = (ns: number): number => ns / 1000 / MEASURED_COUNT;
  const rows = [...after]
    .map(([id, { name, busyNs, waitingNs }]) => ({
      thread: name,
      'busy us': perRequest(busyNs - (before.get(id)?.busyNs ?? 0)),
      'ready, not run us': perRequest(waitingNs - (before.get(id)?.waitingNs ?? 0)),
    }))
    .filter((row) => row['busy us'] > 0.2)
    .sort((a, b) => b['busy us'] - a['busy us']);
  console.table(rows);
  console.log(`all threads: ${rows.reduce((sum, row) => sum + row['busy us'], 0).toFixed(1)} us per request`);
}

async function measure(repository: string, name: keyof typeof MODELS, inFlight: number): Promise<void> {
  const { loads, inputs, datatype } = MODELS[name];
  await using engine = await startTestEngine(repository, { repository: { startupModels: loads } });
  const { service } = engine;
  const bytes = bytesOf(new Uint8Array(64));
  let count = 0;
  let before = threadTimes();
  const finished = Promise.withResolvers<void>();
  const send = (): void => {
    const use = service.useModel(name, '');
    const request = new InferenceRequest({
      modelName: name,
      modelVersion: -1,
      inputs: inputs.map((input) => new InferInput(input, datatype, [1, 16], bytes)),
      onResponse: (response, isFinal) => {
        if (response?.error !== undefined) finished.reject(response.error);
        if (!isFinal) return;
        use.release();
        count += 1;
        if (count === WARMUP_COUNT) before = threadTimes();
        if (count === WARMUP_COUNT + MEASURED_COUNT) report(before, threadTimes());
        // As over sockets, what follows an answer comes in a later turn.
        if (count <= WARMUP_COUNT + MEASURED_COUNT - inFlight) setImmediate(send);
        else if (count === WARMUP_COUNT + MEASURED_COUNT) finished.resolve();
      },
    });
    service.infer(use, request);
  };
  for (let index = 0; index < inFlight; index += 1) send();
  await finished.promise;
}

setCollector();
const [wanted = 'tiny', inFlight = '16'] = process.argv.slice(2);
if (wanted !== 'tiny' && wanted !== 'chain') throw new Error(`unknown model '${wanted}': tiny or chain`);
const folder = await mkdtemp(path.join(os.tmpdir(), 'conch-threads-'));
try {
  await writePeerRepository(folder);
  await measure(folder, wanted, Number(inFlight));
} finally {
  await rm(folder, { recursive: true, force: true });
}
