// The life of an engine process below a supervising parent, the same in both shells: waits for the start message, opens
// what pages connect to, serves until told to stop or until the parent is gone, and ends with the exit code.

import type { Environment } from '../../cli/serve-draft.ts';
import type { FromEngine, StartMessage, ToEngine } from '../supervision/engine-messages.ts';
import { HostedApp } from './hosted-app.ts';
import { startFailureText } from './start-failure.ts';

/** The way to the process above. */
export interface ParentLink {
  send(message: FromEngine): void;
  onMessage(listener: (message: ToEngine) => void): void;
  /** The parent ended without saying so. */
  onGone(listener: () => void): void;
}

export interface EngineLifeOptions {
  readonly link: ParentLink;
  readonly environment: Environment;
  /** Lets pages in; the result is closed at the end. */
  readonly openPages: (app: HostedApp, start: StartMessage) => Promise<{ close(): Promise<void> | void }>;
  readonly printError: (line: string) => void;
}

/** Resolves with the exit code. */
export async function liveAsEngine(options: EngineLifeOptions): Promise<number> {
  const { link } = options;
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<StartMessage | undefined>();
  let app: HostedApp | undefined;
  link.onMessage((message) => {
    if (message.type === 'start') begin(message);
    else if (message.type === 'stop') stop();
    else app?.receive(message);
  });
  link.onGone(() => {
    begin(undefined);
    stop();
  });
  const start = await begun;
  if (start === undefined) return 0;
  try {
    app = await HostedApp.create(start, options.environment, (message) => link.send(message));
  } catch (thrown) {
    options.printError(startFailureText(thrown));
    return 1;
  }
  return serve(app, start, stopped, options);
}

async function serve(
  app: HostedApp,
  start: StartMessage,
  stopped: Promise<void>,
  { openPages, printError }: EngineLifeOptions,
): Promise<number> {
  let pages: { close(): Promise<void> | void } | undefined;
  try {
    pages = await openPages(app, start);
    const started = app.start();
    await Promise.race([started.then(() => stopped), stopped]);
    return await app.stop();
  } catch (thrown) {
    printError(startFailureText(thrown));
    await app.stop();
    return 1;
  } finally {
    await pages?.close();
  }
}
