// The life of an engine process below a supervising parent, the same in both shells: waits for the start message, opens
// what pages connect to, serves until told to stop or until the parent is gone, and ends with the exit code.

import { askThrough } from '../../backends/onnxruntime/one-answer-process.ts';
import { systemClock } from '../../base/clock.ts';
import { settledBefore } from '../../base/deadline.ts';
import type { Environment } from '../../options/serve-draft.ts';
import type { FromEngine, StartMessage, ToEngine } from '../supervision/engine-messages.ts';
import { endOnUnhandledRejection } from './end-process.ts';
import { HostedApp } from './hosted-app.ts';
import type { ServeEnd } from './hosted-server.ts';
import { startFailureText } from './start-failure.ts';

/** Pages are told about the end in this time; one that does not read is cut off. */
const PAGES_CLOSE_NS = 1e9;

/** The way to the process above. */
export interface ParentLink {
  /** Goes nowhere when the parent is gone. */
  send(message: FromEngine): void;
  /** In the order in which they were sent. */
  onMessage(listener: (message: ToEngine) => void): void;
  /** The parent ended without saying so. */
  onGone(listener: () => void): void;
}

/** How an engine below a parent talks to it and lets pages in. */
export interface EngineLifeOptions {
  readonly link: ParentLink;
  readonly environment: Environment;
  /** Lets pages in; the result is closed at the end. */
  readonly openPages: (app: HostedApp, start: StartMessage) => Promise<{ close(): Promise<void> | void }>;
  /** A line of standard error, without its end. */
  readonly printError: (line: string) => void;
}

/** Resolves when the process is to end. */
export async function liveAsEngine(options: EngineLifeOptions): Promise<ServeEnd> {
  endOnUnhandledRejection();
  const { link } = options;
  const { promise: stopped, resolve: stop } = Promise.withResolvers<number | undefined>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<StartMessage | undefined>();
  let app: HostedApp | undefined;
  link.onMessage((message) => {
    if (message.type === 'start') begin(message);
    else if (message.type === 'stop') stop(message.withinSec);
    else app?.receive(message);
  });
  link.onGone(() => {
    begin(undefined);
    stop(undefined);
  });
  const start = await begun;
  if (start === undefined) return { exitCode: 0, isStuck: false };
  try {
    app = await HostedApp.create(start, options.environment, (message) => link.send(message));
  } catch (thrown) {
    options.printError(startFailureText(thrown));
    return { exitCode: 1, isStuck: false };
  }
  askThrough(app.processes);
  link.send({ type: 'exit-timeout', seconds: app.options.engine.server.exitTimeoutSec });
  return serve(app, start, stopped, options);
}

async function serve(
  app: HostedApp,
  start: StartMessage,
  stopped: Promise<number | undefined>,
  { openPages, printError }: EngineLifeOptions,
): Promise<ServeEnd> {
  let exitCode = 0;
  let withinSec: number | undefined;
  let pages: { close(): Promise<void> | void } | undefined;
  try {
    pages = await openPages(app, start);
    const started = app.start();
    withinSec = await Promise.race([started.then(() => stopped), stopped]);
  } catch (thrown) {
    printError(startFailureText(thrown));
    exitCode = 1;
  }
  const { isClean } = await app.stop(withinSec);
  const limitNs = systemClock.nowNs() + PAGES_CLOSE_NS;
  const isClosed = await settledBefore(
    systemClock,
    limitNs,
    Promise.resolve(pages?.close()).then(() => true),
  );
  return { exitCode: isClean ? exitCode : 1, isStuck: !isClean || isClosed !== true };
}
