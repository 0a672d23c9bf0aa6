// The log settings that clients may read and change: level switches, verbosity, format. The file is shown only.

import { invalidArg } from '../../src-shared/errors.ts';
import { logSwitches, setLogSwitches } from '../base/log.ts';
import type { LogFormat } from './log-line.ts';
import type { LogOutput } from './log-output.ts';

/** What clients see; the service's interface has the same shape. */
export interface LogSettingsState {
  readonly logFile: string;
  readonly logInfo: boolean;
  readonly logWarning: boolean;
  readonly logError: boolean;
  readonly logVerboseLevel: number;
  readonly logFormat: LogFormat;
}

type SettingValue = string | number | boolean;

const SWITCHES = { log_info: 'info', log_warning: 'warn', log_error: 'error' } as const;

/** The switches are those of the process. Setting the file is refused as Triton refuses it. */
export class LogSettings {
  readonly #output: Pick<LogOutput, 'format' | 'setFormat'>;
  readonly #file: string;

  /** `file` as the command line named it. */
  constructor(output: Pick<LogOutput, 'format' | 'setFormat'>, file: string) {
    this.#output = output;
    this.#file = file;
  }

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

  update(change: ReadonlyMap<string, SettingValue>): LogSettingsState {
    for (const [key, value] of change) this.#set(key, value);
    return this.get();
  }

  #set(key: string, value: SettingValue): void {
    if (key === 'log_info' || key === 'log_warning' || key === 'log_error') {
      if (typeof value !== 'boolean') throw invalidArg(`expect boolean for '${key}'`);
      setLogSwitches({ [SWITCHES[key]]: value });
    } else if (key === 'log_verbose_level') {
      if (typeof value !== 'number') throw invalidArg("expect int32 for 'log_verbose_level'");
      setLogSwitches({ verboseLevel: value });
    } else if (key === 'log_format') {
      if (value !== 'default' && value !== 'ISO8601') {
        throw invalidArg(`invalid argument for log_format, got: ${String(value)}`);
      }
      this.#output.setFormat(value);
    }
  }
}
