// Lines of a Python model in the log of the server: what it wrote through its Logger, and what it printed.

import path from 'node:path';
import type { LogFields } from '../../base/log.ts';
import { getLogger } from '../../base/log.ts';
import type { WireLogLine } from './host-messages.ts';

const log = getLogger('python');

/** Verbosity from which VERBOSE lines are shown. */
const VERBOSITY = 1;

/** A line of the model's Logger at its own level, with the place in the code where the model names one. */
export function writeLogLine([level, file, line, message]: WireLogLine, instance: LogFields): void {
  const fields = file === '' ? instance : { ...instance, at: `${path.basename(file)}:${line}` };
  switch (level) {
    case 'ERROR':
      log.error(message, fields);
      break;
    case 'WARNING':
      log.warn(message, fields);
      break;
    case 'VERBOSE':
      log.verbose(VERBOSITY, message, fields);
      break;
    default:
      log.info(message, fields);
  }
}

/** A line that the model printed: what came on stderr is a warning. */
export function logPrinted(stream: 'stdout' | 'stderr', line: string, instance: LogFields): void {
  log[stream === 'stdout' ? 'info' : 'warn'](line, instance);
}
