// Worker entry of TensorPrinter: the text of one large tensor per message, in the order of arrival.

import { parentPort } from 'node:worker_threads';

import type { DataType } from '../../src-shared/datatypes.ts';
import { tensorText } from './tensor-text.ts';

/** `bytes` belong to the message: they are a copy. */
export interface TextJob {
  readonly bytes: Uint8Array;
  readonly datatype: DataType;
}

parentPort?.on('message', ({ bytes, datatype }: TextJob) => {
  parentPort?.postMessage(tensorText(bytes, datatype));
});
