// What the process above the engine and the engine say to each other, in both shells.

import type { ProcessEnd, ProgramFile } from '../../base/process-spawner.ts';

/** Ports the listeners really have; undefined = that endpoint is off or not open yet. */
export interface ListeningPorts {
  readonly http?: number | undefined;
  readonly grpc?: number | undefined;
  readonly metrics?: number | undefined;
  readonly ui?: number | undefined;
}

/** A crash as the window shows it; `atMs` is Unix time. */
export interface CrashView {
  readonly atMs: number;
  /** "signal SIGSEGV after 12 s". */
  readonly detail: string;
  /** The model that is held responsible; undefined = not known. */
  readonly model: string | undefined;
  /** GPU provider that the model goes on without; absent where it is not loaded again by itself. */
  readonly leftOut?: string;
}

/** A GPU provider that is not tried any more for a model. */
export interface LeftOut {
  readonly model: string;
  readonly provider: string;
  /** "the server process ended while it ran this model (signal SIGSEGV after 12 s)". */
  readonly reason: string;
}

/** What was open in the engine before: it comes back after a crash or a restart. */
export interface OpenWork {
  readonly repositories: readonly string[];
  readonly loaded: readonly string[];
  /** Models that were taken out of service on purpose. */
  readonly unloaded: readonly string[];
}

/** First message to a new engine process. */
export interface StartMessage {
  readonly type: 'start';
  /** Arguments of `serve`. */
  readonly args: readonly string[];
  readonly userDataPath: string;
  /** Token that a browser must show; undefined when no browser is served. */
  readonly token: string | undefined;
  /** Ports of the engine before this one, to be taken again. */
  readonly ports: ListeningPorts;
  /** undefined at the first start. */
  readonly work: OpenWork | undefined;
  /** Model -> why it is not loaded by itself. */
  readonly quarantined: readonly (readonly [model: string, reason: string])[];
  /** GPU providers that ended the process while they ran a model: they are not tried for it. */
  readonly leftOut: readonly LeftOut[];
  /** Load one model at a time: it crashed repeatedly with several models under suspicion. */
  readonly isCareful: boolean;
  /** Crashes in this run of the app, oldest first. */
  readonly crashes: readonly CrashView[];
}

/** Messages from the process above to the engine. */
export type ToEngine =
  | StartMessage
  /** `withinSec`: drain no longer than that; default the exit timeout. */
  | { readonly type: 'stop'; readonly withinSec?: number }
  | { readonly type: 'child-message'; readonly childId: number; readonly message: unknown }
  | {
      readonly type: 'child-exit';
      readonly childId: number;
      readonly end: ProcessEnd;
    };

/** Messages from the engine to the process above. */
export type FromEngine =
  /** How long a stop may take; sent as soon as the options are known. */
  | { readonly type: 'exit-timeout'; readonly seconds: number }
  | { readonly type: 'listening'; readonly ports: ListeningPorts }
  /** Sent when it changed, once the start set was tried. */
  | { readonly type: 'work'; readonly work: OpenWork }
  /** Asks to be stopped and started again, with these ports to be taken again. */
  | { readonly type: 'restart'; readonly ports: ListeningPorts }
  /** Models that are being loaded, or that ran within the last second. Sent when the sets change. */
  | { readonly type: 'activity'; readonly loading: readonly string[]; readonly executing: readonly string[] }
  /** A session of the model is about to be made with this GPU provider. */
  | { readonly type: 'gpu-session'; readonly model: string; readonly provider: string }
  /** The user loaded a quarantined model again. */
  | { readonly type: 'unquarantine'; readonly model: string }
  /** Starts the command line `conch <args>`, or a program file with these arguments. */
  | {
      readonly type: 'spawn';
      readonly childId: number;
      readonly args: readonly string[];
      readonly file?: ProgramFile | undefined;
    }
  | { readonly type: 'spawn-message'; readonly childId: number; readonly message: unknown }
  | { readonly type: 'spawn-kill'; readonly childId: number }
  /** The last word of an engine that ends by itself, not by a signal; where the system does not tell them apart. */
  | { readonly type: 'ending'; readonly code: number };
