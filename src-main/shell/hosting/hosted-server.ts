// One engine in this process with everything around it that both shells need: log output, start-up tables, and the end of it all with the reference's exit code.

import { toServerError } from '../../../src-shared/errors.ts';
import { readGrpcDelays } from '../../protocol/grpc/grpc-delays.ts';
import { copiedInputsNotice } from '../../backends/onnxruntime/shared-inputs.ts';
import { systemClock } from '../../base/clock.ts';
import { setLogSwitches, getLogger } from '../../base/log.ts';
import type { Environment } from '../../options/serve-draft.ts';
import type { ServeOptions } from '../../cli/serve-options.ts';
import type { EngineDeps } from '../../create-engine.ts';
import type { CloseReport, Engine } from '../../engine.ts';
import { createEngine } from '../../create-engine.ts';
import { setCollector } from './collector-settings.ts';
import type { EngineOptions } from '../../options/engine-options.ts';
import type { LogFormat } from '../../logging/log-line.ts';
import { LogOutput } from '../../logging/log-output.ts';
import { agentsTable, backendsTable, modelsTable, optionsTable } from './start-tables.ts';

const log = getLogger('server');

function count(text: string | undefined): number {
  const value = Number(text ?? '0');
  return Number.isInteger(value) && value > 0 ? value : 0;
}

/** Unset or empty: undefined, as each backend likes it. `1` forces it, any other text switches it off. */
export function loadsInParallel(text: string | undefined): boolean | undefined {
  return text === undefined || text === '' ? undefined : text === '1';
}

/** What shells want to hear of a server. */
export interface ServerHooks extends Pick<
  EngineDeps,
  'onListening' | 'onListenFailed' | 'onModelUse' | 'onGpuSession'
> {
  /** Print the reference's tables at start; default true. */
  readonly printsTables?: boolean;
}

/** `TRITON_SERVER_CPU_ONLY`, set to anything, switches GPU metrics off. */
function withoutGpuMetrics(engine: EngineOptions, environment: Environment): EngineOptions {
  if (environment['TRITON_SERVER_CPU_ONLY'] === undefined) return engine;
  return { ...engine, metrics: { ...engine.metrics, gpu: false } };
}

/** How a served process ends. */
export interface ServeEnd {
  readonly exitCode: number;
  /** Something did not end in time; `process.exit()` could wait for it for ever. */
  readonly isStuck: boolean;
}

/** Starts the engine, prints its tables, and ends it within the exit timeout. */
export class HostedServer {
  readonly engine: Engine;
  readonly options: ServeOptions;
  readonly #output: LogOutput;

  /** Builds the engine; nothing is loaded and no port is open before `start`. Throws for options that contradict. */
  constructor(options: ServeOptions, environment: Environment, hooks: ServerHooks = {}) {
    const { log: logOptions } = options.engine;
    this.options = options;
    this.#output = new LogOutput({
      format: logOptions.format,
      file: logOptions.file,
      isEscaped: environment['TRITON_SERVER_ESCAPE_LOG_MESSAGES'] !== '0',
    });
    setLogSwitches({
      info: logOptions.info,
      warn: logOptions.warning,
      error: logOptions.error,
      verboseLevel: logOptions.verboseLevel,
    });
    setCollector();
    try {
      this.engine = createEngine(withoutGpuMetrics(options.engine, environment), {
        onModelUse: hooks.onModelUse,
        onGpuSession: hooks.onGpuSession,
        onListening: hooks.onListening,
        onListenFailed: hooks.onListenFailed,
        onStartSetTried:
          hooks.printsTables === false ? undefined : (areModelsKnown) => this.#logTables(areModelsKnown),
        clock: systemClock,
        logOutput: this.#output,
        traceStart: options.trace,
        visibleDevices: environment['CUDA_VISIBLE_DEVICES'],
        hooks: {
          delayUntilQueuedCount: count(environment['TRITONSERVER_DELAY_SCHEDULER']),
          delayUntilBacklogCount: count(environment['TRITONSERVER_BACKLOG_DELAY_SCHEDULER']),
        },
        grpcDelays: readGrpcDelays(environment),
        parallelInstances: loadsInParallel(environment['TRITON_PARALLEL_INSTANCE_LOADING']),
      });
    } catch (thrown) {
      this.#output.close();
      throw thrown;
    }
  }

  /** Of lines from now on. */
  get logFormat(): LogFormat {
    return this.#output.format;
  }

  /** Holds from the next line on, as a change by a client does. */
  setLogFormat(format: LogFormat): void {
    this.#output.setFormat(format);
  }

  /** Loads the start set and opens the listeners. Rejects when the server cannot run. */
  async start(): Promise<void> {
    const copied = copiedInputsNotice(process.versions.node);
    if (copied !== undefined) log.warn(copied);
    if (this.options.table.pinnedMemoryPoolByteSize === 0) log.info('Pinned memory pool disabled');
    await this.engine.start();
  }

  #logTables(areModelsKnown: boolean): void {
    const { service, backendsAsked, repository } = this.engine;
    if (areModelsKnown) {
      log.info(agentsTable());
      log.info(backendsTable(this.options, [...backendsAsked].sort()));
      log.info(modelsTable(repository.models()));
    }
    log.info(optionsTable(this.options, service.serverMetadata()));
  }

  /** Graceful stop, within the exit timeout, or in less time where that is asked. Idempotent. */
  async stop(withinSec?: number): Promise<CloseReport> {
    const report = await this.engine.close(withinSec).catch((thrown: unknown) => {
      log.error(`failed to stop server: Internal - ${toServerError(thrown).message}`);
      return { isClean: false };
    });
    this.#output.close();
    return report;
  }
}
