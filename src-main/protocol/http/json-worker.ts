// Worker entry of JsonWorkers: parses infer requests and prints outputs, one job at a time.

import { parentPort } from 'node:worker_threads';
import { jsonElements } from '../../tensor/json-writer.ts';
import { parseInfer } from './infer-parser.ts';
import type { JobMessage, JsonJob, JsonResult, ResultMessage } from './json-offload.ts';

function work(job: JsonJob): JsonResult {
  if (job.kind === 'parse') return parseInfer(Buffer.from(job.json.buffer), job.options);
  const text = jsonElements(job.bytes, job.datatype, job.elementCount);
  if (text === undefined) return undefined;
  const printed = new Uint8Array(text.length);
  Buffer.from(printed.buffer).write(text, 'latin1');
  return printed;
}

function transferable(result: JsonResult): ArrayBuffer[] {
  if (result === undefined) return [];
  if (result instanceof Uint8Array) return [result.buffer as ArrayBuffer];
  return result.inputs.flatMap((input) =>
    input.json === undefined ? [] : [input.json.buffer as ArrayBuffer],
  );
}

parentPort?.on('message', (message: JobMessage) => {
  let answer: ResultMessage;
  let transfer: ArrayBuffer[] = [];
  try {
    const result = work(message.job);
    answer = { id: message.id, result };
    transfer = transferable(result);
  } catch (thrown) {
    answer = { id: message.id, failure: thrown instanceof Error ? thrown.message : String(thrown) };
  }
  parentPort?.postMessage(answer, transfer);
});
