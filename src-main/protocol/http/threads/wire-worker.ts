// Worker entry of WireThread.

import { workerData } from 'node:worker_threads';

import { WireThread } from './wire-thread.ts';
import type { WireThreadSetup } from './wire-protocol.ts';

await new WireThread(workerData as WireThreadSetup).listen();
