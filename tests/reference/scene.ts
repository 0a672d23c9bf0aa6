// A scene: repositories and options for a server of each side, and the questions that are asked of both.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import type { ReferenceCase } from './reference-case.ts';

export type Side = 'reference' | 'ours';

export interface Scene {
  readonly name: string;
  /** What the reference must have for it; a scene whose need is not met is skipped with a line. */
  readonly needs?: 'onnxruntime';
  /** One or more repositories, in the order of the command line. */
  readonly repositories: (side: Side) => readonly RepositoryFiles[];
  /** Options of both servers. */
  readonly args?: readonly string[];
  /** Options of one of them. */
  readonly argsOf?: (side: Side, folders: readonly string[]) => readonly string[];
  /** A receiver of spans for each side, whose address its server is given. */
  readonly hasReceiver?: true;
  /** Environment variables of both servers, besides the tool's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Opens the endpoints for managed clouds. */
  readonly hasClouds?: true;
  readonly cases: readonly ReferenceCase[];
  /** Cases that run at the same time, since none touches what another asks; default 1. */
  readonly atOnce?: number;
  /** Scenes with the same word are played at the same time, since most of their time is waiting. */
  readonly together?: string;
  /** Where the reference ends itself now and then: both are started anew and the case is asked again. Not with `atOnce`. */
  readonly restarts?: true;
  /** Its last case ends the servers. */
  readonly endsItself?: true;
}

/** The same files for either side. */
export const sameFor =
  (...files: readonly RepositoryFiles[]) =>
  (): readonly RepositoryFiles[] =>
    files;
