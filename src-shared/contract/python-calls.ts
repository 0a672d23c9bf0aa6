// Calls about the Python that runs Python models: which one, and making one.

import { z } from 'zod';

import { defineCall } from './define.ts';

/** A distribution as `pip list` names it. */
export interface PythonPackage {
  readonly name: string;
  readonly version: string;
}

/** A program that could run Python models. */
export interface PythonProgram {
  readonly path: string;
  /** Who says so: the setting, an environment beside a repository, one that Conch made, or the system's search path. */
  readonly origin: 'setting' | 'repository' | 'own' | 'system';
  /** Models of the server that runs now are given this one, unless they bring their own. */
  readonly isUsed: boolean;
  /** "3.12.1"; undefined where it cannot run models. */
  readonly version: string | undefined;
  /** Why it cannot run models, and what to do about it; undefined = it can. */
  readonly fault: string | undefined;
  /** Those that models often need, as far as they are installed. */
  readonly packages: readonly PythonPackage[];
}

/** What "Set up Python" would do. */
export interface PythonSetupView {
  readonly folder: string;
  readonly isDone: boolean;
  /** What makes the environment; undefined = nothing here can. */
  readonly tool: 'uv' | 'venv' | undefined;
  /** Why it cannot be made; undefined = it can. */
  readonly unavailable: string | undefined;
  readonly packages: readonly string[];
  /** About how much is fetched, and how much the folder takes. */
  readonly downloadBytes: number;
  readonly diskBytes: number;
}

/** Which Pythons could run models here, and what making one would take. */
export interface PythonView {
  /** In the order in which they are tried. */
  readonly programs: readonly PythonProgram[];
  readonly setup: PythonSetupView;
}

/** Making an environment takes long: it is a task. */
export const pythonCalls = [
  defineCall('python/view', z.object({}))<PythonView>(),
  /** Makes an environment in Conch's own folder as a task, completely or not at all. Answers the path of its Python. */
  defineCall('python/setUp', z.object({ taskId: z.string() }))<{ readonly path: string }>(),
] as const;
