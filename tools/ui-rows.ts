// Rows of the window's budget: what was measured beside what it may be, and the table that is made of them.

import os from 'node:os';

import { inOneLine } from './error-line.ts';

/** One line of the table. */
export interface Row {
  readonly item: string;
  readonly budget: string;
  readonly measured: string;
  /** Undefined = not measured. */
  readonly isMet: boolean | undefined;
  /** The machine's other work is in the number. */
  readonly isWallClock?: boolean;
}

/** "12 ms" */
export const ms = (value: number): string => `${Math.round(value)} ms`;
/** "1.5 KiB", of bytes. */
export const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;
/** "3 MiB", of bytes. */
export const mib = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;
/** "1.5 %", of 0.015. */
export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** A number that the machine's other work does not touch, as processor time. */
export function row(item: string, budget: string, measured: string, isMet: boolean): Row {
  return { item, budget, measured, isMet };
}

/** A number that a busy machine makes worse. */
export function wallClock(item: string, budget: string, measured: string, isMet: boolean): Row {
  return { item, budget, measured, isMet, isWallClock: true };
}

/** `reason` stands in the place of the number. */
export function notMeasured(item: string, budget: string, reason: string): Row {
  return { item, budget, measured: reason, isMet: undefined };
}

/** Rows of one measurement; one that fails is listed with what went wrong, and the others go on. */
export async function rowsOf(item: string, measure: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
  process.stderr.write(`${item} ...\n`);
  try {
    return await measure();
  } catch (thrown) {
    process.stderr.write(`${(thrown as Error).stack ?? String(thrown)}\n`);
    return [notMeasured(item, '', `this run failed: ${inOneLine(thrown)}`)];
  }
}

/** As Markdown. `load`: the machine's load average when the measurements began. */
export function tableOf(rows: readonly Row[], load: number): string {
  const isBusy = load > os.cpus().length;
  const verdict = ({ isMet, isWallClock }: Row): string => {
    if (isMet === undefined) return '–';
    if (isMet) return 'met';
    return isWallClock === true && isBusy ? 'missed, on a busy machine' : '**missed**';
  };
  const lines = rows.map((one) => `| ${one.item} | ${one.budget} | ${one.measured} | ${verdict(one)} |`);
  return ['| Item | Budget | Measured | |', '| --- | --- | --- | --- |', ...lines].join('\n');
}
