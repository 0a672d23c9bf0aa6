// When an engine that ended is started again. Pure.

import type { CrashView } from './engine-messages.ts';
import { exitCodeText } from '../../base/exit-text.ts';

/** The end of an engine, with what went before it. */
export interface EngineExit {
  readonly code: number | undefined;
  readonly signal: string | undefined;
  readonly uptimeMs: number;
  /** It had opened its listeners. */
  readonly wasListening: boolean;
  /** We had asked it to stop. */
  readonly wasStopping: boolean;
}

/** What the end of an engine leads to. */
export type ExitVerdict =
  | { readonly action: 'end'; readonly exitCode: number }
  | { readonly action: 'restart'; readonly delayMs: number };

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 30_000;
/** After this long without a crash the next one counts as the first again. */
const STABLE_MS = 60_000;

/** `earlierCrashes` = crashes in a row before this one. A start that never got to listen is not retried the first time. */
export function judgeExit(exit: EngineExit, earlierCrashes: number): ExitVerdict {
  if (exit.wasStopping || exit.code === 0) return { action: 'end', exitCode: exit.code ?? 1 };
  const isFirstStart = earlierCrashes === 0 && !exit.wasListening;
  if (isFirstStart && exit.signal === undefined) return { action: 'end', exitCode: exit.code ?? 1 };
  return { action: 'restart', delayMs: Math.min(FIRST_DELAY_MS * 2 ** earlierCrashes, LONGEST_DELAY_MS) };
}

/** Crashes in a row including this one. */
export function crashesInARow(earlierCrashes: number, uptimeMs: number): number {
  return uptimeMs >= STABLE_MS ? 1 : earlierCrashes + 1;
}

/** What is printed about an engine that ended by itself. */
export function crashText({ detail, model, leftOut }: CrashView, restartInMs: number): string {
  const next = leftOut === undefined ? 'is not loaded again by itself' : `goes on without '${leftOut}'`;
  const blamed = model === undefined ? '' : `; '${model}' ${next}`;
  return `conch: the engine ended (${detail})${blamed}; starting it again in ${restartInMs} ms`;
}

/** "signal SIGSEGV after 12 s" */
export function describeExit(exit: Pick<EngineExit, 'code' | 'signal' | 'uptimeMs'>): string {
  const how = exit.signal === undefined ? exitCodeText(exit.code) : `signal ${exit.signal}`;
  return `${how} after ${Math.round(exit.uptimeMs / 1000)} s`;
}
