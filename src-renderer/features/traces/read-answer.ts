// What the worker that reads a file of traces tells the page.

import type { TraceRow } from '../../../src-shared/contract/trace-row.ts';

/** What the worker answers. `reason`: why it is no file of traces; `failure`: what went wrong else. */
export interface ReadAnswer {
  readonly rows?: readonly TraceRow[];
  readonly reason?: string;
  readonly failure?: string;
}
