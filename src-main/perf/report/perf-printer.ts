// Prints a test as it goes: settings once the model is known, each level when it starts and ends, windows with -v.

import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfLevel } from '../../../src-shared/contract/perf-views.ts';
import type { LoadModel } from '../data/load-model.ts';
import type { SessionEvents } from '../perf-session.ts';
import { closingText, levelHeader, levelText, passText, settingsText } from './text-report.ts';

/** What is printed, and where. */
export interface PrinterOptions {
  readonly plan: PerfPlan;
  /** 0, 1 or 2: how often -v was given. */
  readonly verbosity: number;
  /** As it is: line ends are part of the text. */
  print(text: string): void;
  /** A line that the next one replaces, on terminals; "" removes it. */
  status(text: string): void;
}

/** Prints results as they come; `close` adds the table, also after an interruption. */
export class PerfPrinter implements SessionEvents {
  readonly #options: PrinterOptions;
  readonly #levels: PerfLevel[] = [];
  #model: LoadModel | undefined;
  #level = '';

  constructor(options: PrinterOptions) {
    this.#options = options;
  }

  prepared({ model, data }: Parameters<SessionEvents['prepared']>[0]): void {
    const { plan, print } = this.#options;
    this.#model = model;
    if (data.isGiven) {
      const streams = data.streams.length;
      const steps = data.streams[0]?.length ?? 0;
      print(
        ` Successfully read data for ${streams} ${streams === 1 ? 'stream' : 'streams'} with ${steps} ${steps === 1 ? 'step' : 'steps'}.\n`,
      );
    }
    if (plan.load.kind !== 'periodic') print(settingsText(plan, model));
  }

  levelStarted(unit: PerfLevel['unit'], value: number): void {
    if (this.#options.plan.load.kind === 'periodic') return;
    this.#level = `${unit === 'concurrency' ? 'Concurrency' : 'Request rate'} ${value}`;
    this.#options.print(levelHeader({ unit, value }));
    this.#options.status(`${this.#level}: window 1`);
  }

  windowEnded(_windowIndex: number, _atNs: number, stability: string): void {
    this.#options.status(`${this.#level}: ${stability}`);
  }

  pauseChanged(isPaused: boolean): void {
    this.#options.status(isPaused ? `${this.#level}: paused` : this.#level);
  }

  phaseChanged(phase: 'warming-up' | 'draining'): void {
    this.#options.status(
      phase === 'warming-up' ? 'Warming up' : `${this.#level}: waiting for the last answers`,
    );
  }

  levelEnded(level: PerfLevel): void {
    const { plan, verbosity, print, status } = this.#options;
    status('');
    this.#levels.push(level);
    if (plan.load.kind === 'periodic' || this.#model === undefined) return;
    if (verbosity > 0) {
      level.windows.forEach((window, index) =>
        print(passText(index + 1, window, plan.measurement.percentile)),
      );
    }
    if (level.state === 'failed' || level.state === 'unstable') return;
    print(levelText(level, plan, this.#model, verbosity));
    if (level.note !== '' && level.state === 'stable') print(`Warning: ${level.note}\n`);
    if (level.state === 'over-limit') print(`${level.note} \n`);
  }

  /** The table at the end, of the levels that have a result. */
  close(): void {
    const { plan, print } = this.#options;
    const shown = this.#levels.filter(({ state }) => state !== 'failed' && state !== 'unstable');
    if (plan.load.kind === 'periodic' || shown.length === 0) return;
    print(closingText(shown, plan.measurement.percentile));
  }
}
