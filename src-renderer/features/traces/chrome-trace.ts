// Traces in the format of Chrome's tracing, which Perfetto and chrome://tracing open: a process for each model, a thread
// for each of its instances, and requests as spans that may overlap.

import type { TraceRow } from '../../../src-shared/contract/trace-row.ts';
import { layOutTimeline } from './timeline-layout.ts';
import { partsOf, rangeOf } from './trace-parts.ts';

/** The text of a file. Times are microseconds behind the first moment. */
export function chromeTraceText(rows: readonly TraceRow[]): string {
  const layout = layOutTimeline(rows);
  const models = [...new Set(rows.map(({ model }) => model))];
  const processOf = (model: string): number => models.indexOf(model) + 1;
  const microseconds = (ns: number): number => (ns - layout.originNs) / 1000;
  const parents = new Set(rows.map(({ parentId }) => parentId));
  const names = [
    ...models.map((model) => metadata('process_name', processOf(model), 0, model)),
    ...layout.lanes.map(({ model, instance }, lane) =>
      metadata('thread_name', processOf(model), lane + 1, instance === '' ? model : instance),
    ),
  ];
  const blocks = layout.blocks.map(({ lane, startNs, endNs, execution, rows: own }) => ({
    name: execution.batchSize > 0 ? `batch of ${execution.batchSize}` : 'execution',
    cat: 'execution',
    ph: 'X',
    pid: processOf(own[0]?.model ?? ''),
    tid: lane + 1,
    ts: startNs / 1000,
    dur: (endNs - startNs) / 1000,
    args: {
      execution: execution.id,
      requests: own.map(({ id }) => id),
      ...(execution.closeReason === undefined ? {} : { closed: execution.closeReason }),
    },
  }));
  const requests = rows.flatMap((row) => {
    const range = rangeOf(row);
    if (range === undefined) return [];
    const common = { cat: 'request', pid: processOf(row.model), tid: 0, id: row.id };
    const span = (name: string, startNs: number, endNs: number, args: object) => [
      { ...common, name, ph: 'b', ts: microseconds(startNs), args },
      { ...common, name, ph: 'e', ts: microseconds(endNs), args: {} },
    ];
    const args = {
      request: row.requestId ?? row.id,
      ...(row.parentId === 0 ? {} : { parent: row.parentId }),
      ...(row.isFailed ? { error: row.error ?? '' } : {}),
    };
    const [whole, end] = span(row.model, range[0], range[1], args);
    const parts = partsOf(row, parents.has(row.id)).flatMap(({ name, startNs, endNs }) =>
      span(name, startNs, endNs, {}),
    );
    return [whole, ...parts, end];
  });
  return JSON.stringify({ displayTimeUnit: 'ns', traceEvents: [...names, ...blocks, ...requests] });
}

function metadata(name: string, pid: number, tid: number, value: string): object {
  return { name, ph: 'M', pid, tid, args: { name: value } };
}
