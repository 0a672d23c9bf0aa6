// What the process above the engine and the engine say to each other, in both shells.

/** Ports the listeners really have; undefined = that endpoint is off or not open yet. */
export interface ListeningPorts {
  readonly http?: number | undefined;
  readonly grpc?: number | undefined;
  readonly metrics?: number | undefined;
  readonly ui?: number | undefined;
}

export interface CrashView {
  readonly atMs: number;
  /** "signal SIGSEGV after 12 s". */
  readonly detail: string;
  /** The model that is held responsible, "" = not known. */
  readonly model: string;
}

/** First message to a new engine process. */
export interface StartMessage {
  readonly type: 'start';
  /** Arguments of `serve`. */
  readonly args: readonly string[];
  readonly userDataPath: string;
  /** Token that a browser must show; "" when no browser is served. */
  readonly token: string;
  /** Ports of the engine before this one, to be taken again. */
  readonly ports: ListeningPorts;
  /** Model -> why it is not loaded by itself. */
  readonly quarantined: readonly (readonly [model: string, reason: string])[];
  /** Load one model at a time: it crashed repeatedly with several models under suspicion. */
  readonly isCareful: boolean;
  /** Crashes in this run of the app, oldest first. */
  readonly crashes: readonly CrashView[];
}

export type ToEngine =
  | StartMessage
  | { readonly type: 'stop' }
  | { readonly type: 'child-message'; readonly childId: number; readonly message: unknown }
  | {
      readonly type: 'child-exit';
      readonly childId: number;
      readonly code: number | undefined;
      readonly detail: string;
    };

export type FromEngine =
  | { readonly type: 'listening'; readonly ports: ListeningPorts }
  /** Models that are being loaded, or that ran within the last second. Sent when the sets change. */
  | { readonly type: 'activity'; readonly loading: readonly string[]; readonly executing: readonly string[] }
  /** The user loaded a quarantined model again. */
  | { readonly type: 'unquarantine'; readonly model: string }
  | { readonly type: 'spawn'; readonly childId: number; readonly args: readonly string[] }
  | { readonly type: 'spawn-message'; readonly childId: number; readonly message: unknown }
  | { readonly type: 'spawn-kill'; readonly childId: number };
