// Worker entry for long configurations: reads one, answers once and ends.

import { parentPort, workerData } from 'node:worker_threads';

import { errorToWire } from '../../src-shared/errors.ts';
import { readConfigHere, type ConfigAnswer, type ConfigSource } from './config-reading.ts';

function answer(): ConfigAnswer {
  try {
    return { read: readConfigHere(workerData as ConfigSource) };
  } catch (thrown) {
    return { failure: errorToWire(thrown) };
  }
}

parentPort?.postMessage(answer());
