// Worker entry of JsonWorkers: reads large request bodies and prints large outputs, one job at a time.

import { parentPort } from 'node:worker_threads';
import { errorToWire } from '../../../src-shared/errors.ts';
import { freeMemory } from '../../base/free-memory.ts';
import { jsonElements } from '../../tensor/json-writer.ts';
import { parseGenerate } from './generate-parser.ts';
import { parseInfer } from './infer-parser.ts';
import { jsonExcerpt } from './json-excerpt.ts';
import type { JsonJob, JsonResult, ResultMessage } from './json-jobs.ts';
import { parseLoad } from './load-parameters.ts';

interface Done {
  readonly result: JsonResult;
  readonly transfer: ArrayBuffer[];
}

function work(job: JsonJob): Done {
  switch (job.kind) {
    case 'parse': {
      const result = parseInfer(asBuffer(job.json), job.options);
      return { result, transfer: buffersOf(result.inputs.map((input) => input.json)) };
    }
    case 'generate': {
      const result = parseGenerate(asBuffer(job.json), job.model, job.maxInputByteSize);
      return { result, transfer: buffersOf(result.inputs.map((input) => input.bytes)) };
    }
    case 'load': {
      const result = parseLoad(asBuffer(job.json));
      return { result, transfer: buffersOf([...result.files.values()]) };
    }
    case 'excerpt':
      return { result: jsonExcerpt(asBuffer(job.json), job.keys), transfer: [] };
    case 'print': {
      const text = jsonElements(job.bytes, job.datatype, job.elementCount);
      if (text === undefined) return { result: undefined, transfer: [] };
      const result = new Uint8Array(text.length);
      asBuffer(result).write(text, 'latin1');
      return { result, transfer: buffersOf([result]) };
    }
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function buffersOf(parts: readonly (Uint8Array | undefined)[]): ArrayBuffer[] {
  return parts.flatMap((part) => (part === undefined ? [] : [part.buffer as ArrayBuffer]));
}

parentPort?.on('message', (job: JsonJob) => {
  let answer: ResultMessage;
  let transfer: ArrayBuffer[] = [];
  try {
    const done = work(job);
    transfer = done.transfer;
    answer = { result: done.result };
  } catch (thrown) {
    answer = { failure: errorToWire(thrown) };
  }
  parentPort?.postMessage(answer, transfer);
  // Its collector would find it late: the thread itself hardly makes anything.
  freeMemory((job.kind === 'print' ? job.bytes : job.json).buffer as ArrayBuffer);
});
