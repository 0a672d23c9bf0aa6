// The log settings that clients may read and change: level switches, verbosity, format. The file is shown only.

import { logSwitches, setLogSwitches } from '../base/log.ts';
import type { LogFormat } from './log-line.ts';
import type { LogOutput } from './log-output.ts';

/** The fields of Triton's logging extension; `logFile` is "" for the console. */
export interface LogSettingsState {
  readonly logFile: string;
  readonly logInfo: boolean;
  readonly logWarning: boolean;
  readonly logError: boolean;
  readonly logVerboseLevel: number;
  readonly logFormat: LogFormat;
}

/** The members to set; the file stays as the command line named it. */
export type LogSettingsChange = Partial<Omit<LogSettingsState, 'logFile'>>;

const MAX_INT32 = 0x7fffffff;

/** The switches are those of the process. */
export class LogSettings {
  readonly #output: Pick<LogOutput, 'format' | 'setFormat'>;
  readonly #file: string;

  /** `file` as the command line named it. */
  constructor(output: Pick<LogOutput, 'format' | 'setFormat'>, file: string) {
    this.#output = output;
    this.#file = file;
  }

  /** As it is now; switches may have been set past this object. */
  get(): LogSettingsState {
    const { info, warn, error, verboseLevel } = logSwitches();
    return {
      logFile: this.#file,
      logInfo: info,
      logWarning: warn,
      logError: error,
      logVerboseLevel: verboseLevel,
      logFormat: this.#output.format,
    };
  }

  /** Applies what is given; the new state. */
  update({ logFormat, logVerboseLevel, logInfo, logWarning, logError }: LogSettingsChange): LogSettingsState {
    // Triton keeps it in 32 bits with a sign: what is larger is below zero there, and tells nothing.
    const verboseLevel = logVerboseLevel !== undefined && logVerboseLevel > MAX_INT32 ? 0 : logVerboseLevel;
    const now = logSwitches();
    setLogSwitches({
      info: logInfo ?? now.info,
      warn: logWarning ?? now.warn,
      error: logError ?? now.error,
      verboseLevel: verboseLevel ?? now.verboseLevel,
    });
    if (logFormat !== undefined) this.#output.setFormat(logFormat);
    return this.get();
  }
}
