// A trace in the reference's own format: flat JSON records, grouped by trace id. A request and everything done on its
// behalf form one bundle, which is handed over as text once all of its parts have ended.

import type { RequestTrace, TraceActivity, TracedTensor } from '../inference/request-trace.ts';
import type { TensorPrinter } from './tensor-printer.ts';
import { TraceEnd } from './trace-end.ts';
import type { TraceLevel } from './trace-settings.ts';

let lastId = 0;

/** Process-wide, from 1. */
export function nextTraceId(): number {
  lastId += 1;
  return lastId;
}

interface Bundle {
  readonly traces: TritonTrace[];
  openCount: number;
  /** Tensors whose text is not there yet. */
  printingCount: number;
  readonly printer: TensorPrinter;
  readonly onComplete: (text: string) => void;
}

/** Collects the timestamps of one request, in nanoseconds, and gives them to the file at the end. */
export class TritonTrace implements RequestTrace {
  readonly tensors: RequestTrace['tensors'];
  readonly #id = nextTraceId();
  readonly #parentId: number;
  readonly #levels: readonly TraceLevel[];
  readonly #bundle: Bundle;
  readonly #records: string[] = [];
  #header = '';
  readonly #end = new TraceEnd(() => {
    this.#bundle.openCount -= 1;
    this.#completeBundle();
  });

  private constructor(levels: readonly TraceLevel[], bundle: Bundle, parentId: number) {
    this.#levels = levels;
    this.#bundle = bundle;
    this.#parentId = parentId;
    this.tensors = levels.includes('TENSORS') ? (kind, tensor) => this.#tensor(kind, tensor) : undefined;
    bundle.traces.push(this);
    bundle.openCount += 1;
  }

  /** `onComplete` gets the records of the whole bundle, comma-separated, those of the last child first. */
  static root(
    levels: readonly TraceLevel[],
    printer: TensorPrinter,
    onComplete: (text: string) => void,
  ): TritonTrace {
    return new TritonTrace(levels, { traces: [], openCount: 0, printingCount: 0, printer, onComplete }, 0);
  }

  activity(activity: TraceActivity, atNs: number): void {
    if (this.#end.isOver) return;
    if (this.#levels.includes('TIMESTAMPS')) {
      if (activity === 'REQUEST_START' && this.#header !== '') this.#records.push(this.#header);
      this.#stamp(activity, atNs);
    }
    this.#end.follow(activity);
  }

  customActivity(name: string, atNs: number): void {
    if (!this.#end.isOver && this.#levels.includes('TIMESTAMPS')) this.#stamp(name, atNs);
  }

  setModel(modelName: string, modelVersion: string, requestId: string): void {
    const request = requestId === '' ? '' : `,"request_id":${JSON.stringify(requestId)}`;
    const parent = this.#parentId === 0 ? '' : `,"parent_id":${this.#parentId}`;
    this.#header = `{"id":${this.#id},"model_name":${JSON.stringify(modelName)},"model_version":${modelVersion === '' ? -1 : modelVersion}${request}${parent}}`;
  }

  child(): RequestTrace {
    return new TritonTrace(this.#levels, this.#bundle, this.#id);
  }

  refused(): void {
    this.#end.requestEnded();
  }

  /** Takes effect once the request has ended. */
  end(): void {
    this.#end.want();
  }

  #completeBundle(): void {
    const { openCount, printingCount, traces, onComplete } = this.#bundle;
    if (openCount === 0 && printingCount === 0)
      onComplete(
        traces
          .toReversed()
          .flatMap((trace) => trace.#records)
          .join(','),
      );
  }

  #stamp(name: string, atNs: number): void {
    this.#records.push(`{"id":${this.#id},"timestamps":[{"name":${JSON.stringify(name)},"ns":${atNs}}]}`);
  }

  #tensor(kind: string, { name, datatype, shape, bytes }: TracedTensor): void {
    if (this.#end.isOver) return;
    const recordOf = (data: string): string =>
      `{"id":${this.#id},"activity":"${kind}","tensor":{"name":${JSON.stringify(name)},"data":"${data}","shape":"${shape.join(',')}","dtype":"${datatype}"}}`;
    const text = this.#bundle.printer.print(bytes, datatype);
    if (typeof text === 'string') {
      this.#records.push(recordOf(text));
      return;
    }
    const place = this.#records.push('') - 1;
    this.#bundle.printingCount += 1;
    void text.then((printed) => {
      this.#records[place] = recordOf(printed);
      this.#bundle.printingCount -= 1;
      this.#completeBundle();
    });
  }
}
