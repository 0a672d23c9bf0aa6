// Which headers of a request become its parameters (`--http-header-forward-pattern` and its twin for gRPC). Patterns
// are of RE2, as in Triton: flags anywhere, classes by name, no looking around. The library is loaded by the first
// pattern, since few servers have one.

import { createRequire } from 'node:module';

import type * as re2 from 're2js';
import { getLogger } from '../base/log.ts';

const log = getLogger('server');

/** Matches names of headers anywhere in them. */
export interface HeaderPattern {
  /** True when the pattern matches anywhere in the name; case counts only where the pattern says so. */
  test(name: string): boolean;
}

/**
 * The pattern, without regard to case unless it switches that off; undefined: nothing is forwarded. A pattern that is
 * none forwards nothing, as in Triton, and is told.
 */
export function compileHeaderPattern(pattern: string): HeaderPattern | undefined {
  if (pattern === '') return undefined;
  const { RE2JS } = createRequire(import.meta.url)('re2js') as typeof re2;
  try {
    return RE2JS.compile(`(?i)${pattern}`);
  } catch (thrown) {
    log.warn(
      `no headers are forwarded: the pattern '${pattern}' cannot be used (${(thrown as Error).message})`,
    );
    return undefined;
  }
}
