// Worker entry of the Graph tab: reads one ONNX file beside the engine's thread, answers once and ends.

import { parentPort, workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';

import type { ConstantView } from '../../src-shared/contract/graph-calls.ts';
import type { WireError } from '../../src-shared/errors.ts';
import { errorToWire } from '../../src-shared/errors.ts';
import { graphData } from './graph-view.ts';
import { readOnnx } from './onnx-reader.ts';
import type { ConstantQuestion } from './tensor-values.ts';
import { constantValues } from './tensor-values.ts';

/** What the worker is asked for; `file` is the absolute path of an ONNX file. */
export type GraphJob =
  | { readonly kind: 'graph'; readonly file: string }
  | { readonly kind: 'constant'; readonly file: string; readonly question: ConstantQuestion };

/** A drawing as it is kept and sent. */
export interface GraphBytes {
  /** JSON of OnnxGraphData, compressed with gzip. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly operatorCount: number;
}

/** What came of a job; a file that cannot be read is a failure and no thrown error. */
export type GraphAnswer = { readonly result: GraphBytes | ConstantView } | { readonly failure: WireError };

async function answer(job: GraphJob): Promise<GraphBytes | ConstantView> {
  const model = await readOnnx(job.file);
  if (job.kind === 'constant') return constantValues(job.file, model, job.question);
  const data = graphData(model);
  const packed = gzipSync(JSON.stringify(data));
  return { bytes: new Uint8Array(packed), operatorCount: data.operators.length };
}

answer(workerData as GraphJob).then(
  (result) => parentPort?.postMessage({ result } satisfies GraphAnswer),
  (thrown: unknown) => parentPort?.postMessage({ failure: errorToWire(thrown) } satisfies GraphAnswer),
);
