// Stand-ins for the page's threads, which a test page does not have. A test takes one in place of the real file:
// vi.mock('./layout-worker.ts?worker', async () => ({ default: (await import('…/fake-workers.ts')).FakeLayoutWorker }))

import type { LayoutInput } from '../features/graph/graph-layout.ts';
import { layOut } from '../features/graph/graph-layout.ts';

/** What threads that lay out a graph do, and how many were ended; a test that changes it puts it back. */
export const layoutThreads = { mode: 'answer' as 'answer' | 'fail' | 'wait', ended: 0 };

/** Lays out beside the page instead of in a thread, or does what `layoutThreads` says: fail, or never answer. */
export class FakeLayoutWorker {
  onmessage: ((event: unknown) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;

  /** Answers after the call, in a microtask. */
  postMessage(input: LayoutInput): void {
    if (layoutThreads.mode === 'wait') return;
    queueMicrotask(() => {
      if (layoutThreads.mode === 'fail') this.onerror?.({ message: 'too deep' });
      else this.onmessage?.({ data: { layout: layOut(input) } });
    });
  }

  /** Counted in `layoutThreads.ended`. */
  terminate(): void {
    layoutThreads.ended += 1;
  }
}

/** Takes every question and answers none: for tests that are not about what is said of a text. */
export class SilentWorker {
  onmessage: unknown = null;

  /** Drops the question. */
  postMessage(): void {}

  /** Has nothing to end. */
  terminate(): void {}
}
