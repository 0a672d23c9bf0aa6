// Reads a large file of traces beside the page, which goes on drawing meanwhile.

import { readTritonTrace, TraceFileError } from './trace-file.ts';
import type { ReadAnswer } from './read-answer.ts';

self.addEventListener('message', (event: MessageEvent<Blob>) => {
  void answer(event.data).then((read) => self.postMessage(read));
});

async function answer(file: Blob): Promise<ReadAnswer> {
  try {
    return { rows: readTritonTrace(await file.text()) };
  } catch (thrown) {
    if (thrown instanceof TraceFileError) return { reason: thrown.message };
    return { failure: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
