// The one table of all calls and events, and the types derived from it. The engine must answer every call; the page
// calls by name. A new call is one entry in its noun's file.

import { analyzeCalls } from './analyze-calls.ts';
import { appCalls } from './app-calls.ts';
import { captureCalls } from './capture-calls.ts';
import { codeCalls } from './code-calls.ts';
import { configCalls } from './config-calls.ts';
import type { ArgsOf, PayloadOf, ResultOf } from './define.ts';
import type { events } from './events.ts';
import { frameworkCalls } from './framework-calls.ts';
import { graphCalls } from './graph-calls.ts';
import { folderCalls } from './folder-calls.ts';
import { handoverCalls } from './handover-calls.ts';
import { inferenceCalls } from './inference-calls.ts';
import { metricsCalls } from './metrics-calls.ts';
import { observeCalls } from './observe-calls.ts';
import { perfCalls } from './perf-calls.ts';
import { pythonCalls } from './python-calls.ts';
import { repositoryCalls } from './repository-calls.ts';
import { serverCalls } from './server-calls.ts';
import { settingsCalls } from './settings-calls.ts';
import { sharedMemoryCalls } from './shared-memory-calls.ts';
import { taskCalls } from './task-calls.ts';
import { traceCalls } from './trace-calls.ts';

/** Every call from a page to the engine. */
export const calls = [
  ...repositoryCalls,
  ...folderCalls,
  ...configCalls,
  ...codeCalls,
  ...graphCalls,
  ...inferenceCalls,
  ...captureCalls,
  ...traceCalls,
  ...observeCalls,
  ...serverCalls,
  ...metricsCalls,
  ...sharedMemoryCalls,
  ...handoverCalls,
  ...settingsCalls,
  ...taskCalls,
  ...pythonCalls,
  ...frameworkCalls,
  ...perfCalls,
  ...analyzeCalls,
  ...appCalls,
] as const;

type AnyCall = (typeof calls)[number];
/** The name of a call from page to engine. */
export type CallName = AnyCall['name'];
type CallOf<N extends CallName> = Extract<AnyCall, { readonly name: N }>;
/** What a call takes. */
export type CallArgs<N extends CallName> = ArgsOf<CallOf<N>>;
/** What a call answers. */
export type CallResult<N extends CallName> = ResultOf<CallOf<N>>;

type AnyEvent = (typeof events)[number];
/** The name of an event from engine to page. */
export type EventName = AnyEvent['name'];
/** What an event tells. */
export type EventPayload<N extends EventName> = PayloadOf<Extract<AnyEvent, { readonly name: N }>>;

/** What a handler is given beside the arguments of its call. */
export interface CallContext {
  /** Aborts when the caller cancels or its channel closes. */
  readonly signal: AbortSignal;
}

/** Answers one call. What it throws reaches the page as an error with its code. */
export type CallHandler<N extends CallName> = (
  args: CallArgs<N>,
  context: CallContext,
) => CallResult<N> | Promise<CallResult<N>>;

/** One handler per call; leaving one out does not compile. */
export type CallHandlers = { readonly [N in CallName]: CallHandler<N> };

/** The handlers of the calls in one file of the contract: `HandlersFor<typeof configCalls>`. */
export type HandlersFor<Calls extends readonly { readonly name: string }[]> = Pick<
  CallHandlers,
  Calls[number]['name'] & CallName
>;
