// Starting and stopping the listeners from the window, and the state of the server as the Server screen shows it. The
// composition root implements what needs the listeners.

import type { ClientView, EndpointCheck, ServerView } from '../../../src-shared/contract/observe-views.ts';

/** What is asked for: 0 takes any free port. */
export interface ServerPorts {
  readonly http: number;
  readonly grpc: number;
  readonly metrics: number;
}

/** Starting, stopping and asking the server behind the window. */
export interface ServerControl {
  /** Of this moment. */
  view(): ServerView;
  /** Opens the listeners, on other ports when given. A taken port leaves the state `port-problem` instead of throwing. */
  start(ports?: ServerPorts): Promise<ServerView>;
  /** A new engine process with the settings as they are now; open work comes back. Resolves before it begins. */
  restart(): void;
  /** Closes the listeners; models stay loaded. */
  stop(): Promise<ServerView>;
  /** A stop that waits for requests waits no longer. */
  stopNow(): void;
  /** Asks every endpoint that listens. */
  check(): Promise<readonly EndpointCheck[]>;
  /** Programs that called, seen last first. */
  clients(): readonly ClientView[];
}
