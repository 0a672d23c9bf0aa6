// Which log lines are shown. Filtering goes forward only: new lines are looked at once, and everything is looked at
// again only when the filter itself changes, and lets more through than before. Pure besides its own list.

import type { LogLevel } from '../../../src-shared/log-level.ts';
import { LEVEL_LETTERS } from '../../../src-shared/log-level.ts';
import type { LogLine } from '../../../src-shared/contract/observe-views.ts';
import { indexFrom } from './line-heights.ts';

/** What a line must have to be shown. */
export interface LogFilter {
  /** Words, or /expression/. Model, room and request id are searched too. */
  readonly text: string;
  readonly minLevel: LogLevel;
  /** Models whose lines are shown; empty = all lines. */
  readonly models: readonly string[];
  /** Instance whose lines are shown; undefined = all lines. */
  readonly instance: string | undefined;
  /** Lines up to this sequence number are hidden by "Clear view". */
  readonly clearedUpTo: number;
}

/** Shows every line. */
export const NO_FILTER: LogFilter = {
  text: '',
  minLevel: 'verbose',
  models: [],
  instance: undefined,
  clearedUpTo: 0,
};

const RANKS = { error: 0, warn: 1, info: 2, verbose: 3 } as const;

/** Whether a line is shown. */
export type LogMatcher = (line: LogLine) => boolean;

/** Throws SyntaxError for an expression that cannot be read. */
export function logMatcher(filter: LogFilter): LogMatcher {
  const rank = RANKS[filter.minLevel];
  const models = new Set(filter.models);
  const matchesText = textMatcher(filter.text);
  return (line) =>
    line.sequence > filter.clearedUpTo &&
    RANKS[line.level] <= rank &&
    (filter.instance === undefined || line.instance === filter.instance) &&
    (models.size === 0 || models.has(line.model ?? '') || mentions(line.message, models)) &&
    matchesText(line);
}

/** Messages of the lifecycle name their model in quotes or before a colon. */
function mentions(message: string, models: ReadonlySet<string>): boolean {
  for (const model of models)
    if (message.includes(`'${model}'`) || message.includes(` ${model}:`)) return true;
  return false;
}

const EXPRESSION = /^\/(.+)\/([imsu]*)$/;

function textMatcher(text: string): LogMatcher {
  const expression = EXPRESSION.exec(text);
  if (expression !== null) {
    const compiled = new RegExp(expression[1] ?? '', expression[2] === '' ? 'i' : expression[2]);
    return ({ message, model = '', instance = '', room, requestId = '' }) =>
      [message, model, instance, room, requestId].some((part) => compiled.test(part));
  }
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return () => true;
  return ({ message, model = '', instance = '', room, requestId = '' }) => {
    const all = `${message} ${model} ${instance} ${room} ${requestId}`.toLowerCase();
    return words.every((word) => all.includes(word));
  };
}

/** Whether `next` shows nothing that `filter` hides, as while words are typed: all else the same, a text that goes on. */
function isNarrower(next: LogFilter, filter: LogFilter): boolean {
  return (
    next.minLevel === filter.minLevel &&
    next.models.join('\n') === filter.models.join('\n') &&
    next.instance === filter.instance &&
    next.clearedUpTo === filter.clearedUpTo &&
    next.text.startsWith(filter.text) &&
    !EXPRESSION.test(filter.text) &&
    !EXPRESSION.test(next.text)
  );
}

/** Keeps the lines that match, taking only what came since. */
export class FilteredLog {
  #filter: LogFilter | undefined;
  #matches: LogMatcher = () => true;
  #lines: LogLine[] = [];
  #seen = 0;
  #all: readonly LogLine[] = [];

  /** Returns the lines that match, in their order, as an array that `update` may make longer. Looks at all of them again unless fewer can match than before. */
  setFilter(filter: LogFilter, all: readonly LogLine[]): readonly LogLine[] {
    const matches = logMatcher(filter);
    const before = this.#filter;
    const isKnown = before !== undefined && all === this.#all && isNarrower(filter, before);
    if (isKnown) this.#lines = this.update(all).filter(matches);
    this.#filter = filter;
    this.#matches = matches;
    return isKnown ? this.#lines : this.#readAll(all);
  }

  #readAll(all: readonly LogLine[]): readonly LogLine[] {
    this.#all = all;
    this.#lines = all.filter(this.#matches);
    this.#seen = all.at(-1)?.sequence ?? 0;
    return this.#lines;
  }

  /**
   * The same array as before, longer by what came; copying a long log for each batch would cost more than all else. Another
   * array than before is read from its beginning: lines may be gone from it, or have come late.
   */
  update(all: readonly LogLine[]): readonly LogLine[] {
    if (all !== this.#all) return this.#readAll(all);
    for (let at = indexFrom(all, this.#seen + 1); at < all.length; at += 1) {
      const line = all[at];
      if (line !== undefined && this.#matches(line)) this.#lines.push(line);
    }
    this.#seen = all.at(-1)?.sequence ?? this.#seen;
    return this.#lines;
  }
}

/**
 * As the server prints it by Triton's default format: `I0504 12:04:00.137000 4242 repository:0] "text"`, in UTC. Tables stay
 * as they are; any other text is escaped, so that nothing in it can pass for a line.
 */
export function tritonLine({ level, atMs, pid, room, message, model, instance, requestId }: LogLine): string {
  const iso = new Date(atMs).toISOString();
  const day = `${iso.slice(5, 7)}${iso.slice(8, 10)}`;
  const about = Object.entries({ model, instance, requestId })
    .filter(([, value]) => value !== undefined && !message.includes(value))
    .map(([key, value]) => ` ${key}=${value}`);
  const whole = `${message}${about.join('')}`;
  const text = message.startsWith('\n+-') ? whole : JSON.stringify(whole);
  return `${LEVEL_LETTERS[level]}${day} ${iso.slice(11, 23)}000 ${pid} ${room}:0] ${text}`;
}
