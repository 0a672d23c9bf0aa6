// Which headers of a request become its parameters (`--http-header-forward-pattern` and its twin for gRPC).

import { getLogger } from '../base/log.ts';

const log = getLogger('server');

/**
 * The pattern as a regular expression on names of headers, matched anywhere and without regard to case unless it begins
 * with `(?-i)`; undefined: nothing is forwarded. A pattern that is none forwards nothing, as in Triton, and is told.
 */
export function compileHeaderPattern(pattern: string): RegExp | undefined {
  if (pattern === '') return undefined;
  const prefix = /^(?:\(\?-?i\))+/.exec(pattern)?.[0] ?? '';
  // RE2 names its groups in Python's way.
  const bare = pattern.slice(prefix.length).replaceAll('(?P<', '(?<');
  try {
    return new RegExp(bare, prefix.endsWith('(?-i)') ? '' : 'i');
  } catch (thrown) {
    log.warn(
      `no headers are forwarded: the pattern '${pattern}' cannot be used (${(thrown as Error).message})`,
    );
    return undefined;
  }
}
