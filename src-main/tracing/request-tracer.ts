// The door through which frontends ask for a trace. Whether a request is traced is the sampler's decision; a frontend
// only says which model is addressed and which context the client propagated. Whoever got a trace ends it.

import type { RequestTrace } from '../inference/request-trace.ts';

/** W3C trace context as received; absent headers are undefined. */
export interface PropagatedContext {
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
}

/** Makes traces of sampled requests. */
export interface RequestTracer {
  /** False while no request of any model can be traced: frontends then skip their time stamps. */
  isActive(): boolean;
  /** A trace for one request to this model, or undefined when it is not sampled. */
  start(modelName: string, context: PropagatedContext): RequestTrace | undefined;
  /** As `start`, for a request that was refused where none is sampled yet: it counts for no setting. */
  startRefused(modelName: string): RequestTrace | undefined;
}
