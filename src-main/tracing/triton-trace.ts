// A trace in the reference's own format: flat JSON records, grouped by trace id. A request and everything done on its
// behalf form one bundle, which is handed over as text once all of its parts have ended.

import type { RequestTrace, TraceActivity, TracedTensor } from '../inference/request-trace.ts';
import { tensorText } from './tensor-text.ts';
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
  readonly onComplete: (text: string) => void;
}

export class TritonTrace implements RequestTrace {
  readonly tensors: RequestTrace['tensors'];
  readonly #id = nextTraceId();
  readonly #parentId: number;
  readonly #levels: readonly TraceLevel[];
  readonly #bundle: Bundle;
  readonly #records: string[] = [];
  #header = '';
  #isRequestOpen = false;
  #isEndWanted = false;
  #isEnded = false;

  private constructor(levels: readonly TraceLevel[], bundle: Bundle, parentId: number) {
    this.#levels = levels;
    this.#bundle = bundle;
    this.#parentId = parentId;
    this.tensors = levels.includes('TENSORS') ? (kind, tensor) => this.#tensor(kind, tensor) : undefined;
    bundle.traces.push(this);
    bundle.openCount += 1;
  }

  /** `onComplete` gets the records of the whole bundle, comma-separated. */
  static root(levels: readonly TraceLevel[], onComplete: (text: string) => void): TritonTrace {
    return new TritonTrace(levels, { traces: [], openCount: 0, onComplete }, 0);
  }

  activity(activity: TraceActivity, atNs: number): void {
    if (this.#isEnded) return;
    if (this.#levels.includes('TIMESTAMPS')) {
      if (activity === 'REQUEST_START' && this.#header !== '') this.#records.push(this.#header);
      this.#stamp(activity, atNs);
    }
    if (activity === 'REQUEST_START') this.#isRequestOpen = true;
    else if (activity === 'REQUEST_END') {
      this.#isRequestOpen = false;
      if (this.#isEndWanted) this.end();
    }
  }

  customActivity(name: string, atNs: number): void {
    if (!this.#isEnded && this.#levels.includes('TIMESTAMPS')) this.#stamp(name, atNs);
  }

  setModel(modelName: string, modelVersion: string, requestId: string): void {
    const request = requestId === '' ? '' : `,"request_id":${JSON.stringify(requestId)}`;
    const parent = this.#parentId === 0 ? '' : `,"parent_id":${this.#parentId}`;
    this.#header = `{"id":${this.#id},"model_name":${JSON.stringify(modelName)},"model_version":${modelVersion === '' ? -1 : modelVersion}${request}${parent}}`;
  }

  child(): RequestTrace {
    return new TritonTrace(this.#levels, this.#bundle, this.#id);
  }

  /** Takes effect once the request has ended: a model may release it after its last response was sent. */
  end(): void {
    this.#isEndWanted = true;
    if (this.#isEnded || this.#isRequestOpen) return;
    this.#isEnded = true;
    const bundle = this.#bundle;
    bundle.openCount -= 1;
    if (bundle.openCount === 0) bundle.onComplete(bundle.traces.flatMap((trace) => trace.#records).join(','));
  }

  #stamp(name: string, atNs: number): void {
    this.#records.push(`{"id":${this.#id},"timestamps":[{"name":${JSON.stringify(name)},"ns":${atNs}}]}`);
  }

  #tensor(kind: string, { name, datatype, shape, bytes }: TracedTensor): void {
    if (this.#isEnded) return;
    const data = tensorText(bytes, datatype);
    this.#records.push(
      `{"id":${this.#id},"activity":"${kind}","tensor":{"name":${JSON.stringify(name)},"data":"${data}","shape":"${shape.join(',')}","dtype":"${datatype}"}}`,
    );
  }
}
