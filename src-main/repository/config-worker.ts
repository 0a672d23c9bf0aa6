// Worker entry for long configurations: reads one, answers once and ends.

import { parentPort, workerData } from 'node:worker_threads';

import { errorToWire } from '../../src-shared/errors.ts';
import { takeApart, type ConfigAnswer, type ConfigWork } from './config-parts.ts';
import { readConfigHere } from './config-reading.ts';

function answer({ source, parts }: ConfigWork): ConfigAnswer {
  try {
    const read = readConfigHere(source);
    const apart = takeApart(read.config);
    for (const part of apart.parts) parts.postMessage(part);
    return { read: { ...read, config: apart.trunk }, partCount: apart.parts.length };
  } catch (thrown) {
    return { failure: errorToWire(thrown) };
  }
}

parentPort?.postMessage(answer(workerData as ConfigWork));
