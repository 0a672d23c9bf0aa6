// The levels of log lines, and the letters that stand for them.

/** Triton's levels. */
export type LogLevel = 'error' | 'warn' | 'info' | 'verbose';

/** What a line in Triton's default format begins with. */
export const LEVEL_LETTERS: Readonly<Record<LogLevel, string>> = {
  error: 'E',
  warn: 'W',
  info: 'I',
  verbose: 'I',
};
