// Decides which requests are traced and where their traces go: files of the reference's format, or spans. With rate N
// the N-th, 2N-th ... request of a setting is a hit; in OpenTelemetry mode a propagated context forces a trace.

import type { Clock } from '../base/clock.ts';
import { getLogger } from '../base/log.ts';
import type { RequestTrace } from '../inference/request-trace.ts';
import { OtelExporter } from './otel-exporter.ts';
import type { OtelOptions } from './otel-options.ts';
import { readOtelOptions } from './otel-options.ts';
import { otlpSender } from './otel-sender.ts';
import type { SpanSender } from './otel-sender.ts';
import { OtelTrace } from './otel-trace.ts';
import type { PropagatedContext, RequestTracer } from './request-tracer.ts';
import { TraceCollector } from './trace-collector.ts';
import { parseTraceparent } from './trace-context.ts';
import { TensorPrinter } from './tensor-printer.ts';
import { TraceFiles } from './trace-files.ts';
import type { TraceSetting, TraceSettings } from './trace-settings.ts';
import { TritonTrace } from './triton-trace.ts';

/** What traces are made of, and where spans go. */
export interface TraceSamplerOptions {
  readonly settings: TraceSettings;
  readonly clock: Clock;
  /** Sends spans; default: OTLP over HTTP. */
  readonly createSender?: (options: OtelOptions) => SpanSender;
}

/** With no setting that traces, a request costs one comparison. Changed settings count from the next request on. */
export class TraceSampler implements RequestTracer {
  readonly #settings: TraceSettings;
  readonly #clock: Clock;
  readonly #files: TraceFiles;
  readonly #exporter: OtelExporter | undefined;
  readonly #printer = new TensorPrinter();
  readonly #collectors = new Map<TraceSetting, TraceCollector>();
  readonly #subscription: Disposable;
  readonly #logger = getLogger('tracing');
  #isActive = false;
  #hasWarned = false;

  constructor({ settings, clock, createSender = otlpSender }: TraceSamplerOptions) {
    this.#settings = settings;
    this.#clock = clock;
    const { mode, file, modeSettings, endpoint } = settings.start;
    this.#files = new TraceFiles(file);
    if (mode === 'opentelemetry') {
      const otelOptions = readOtelOptions(modeSettings, endpoint);
      this.#exporter = new OtelExporter(otelOptions, clock, createSender(otelOptions));
    }
    this.#subscription = settings.onUpdate(() => this.#updated());
    this.#updated();
  }

  isActive(): boolean {
    return this.#isActive;
  }

  start(modelName: string, context: PropagatedContext): RequestTrace | undefined {
    const setting = this.#settings.effective(modelName);
    if (setting.levels.length === 0) return undefined;
    const exporter = this.#exporter;
    if (exporter === undefined) return this.#sample(setting) ? this.#tritonTrace(setting) : undefined;
    const parent = parseTraceparent(context.traceparent, context.tracestate);
    const isHit = this.#sample(setting);
    if (!isHit && parent === undefined) return undefined;
    return OtelTrace.root(parent, this.#clock, (span) => exporter.add(span));
  }

  startRefused(): undefined {
    return undefined;
  }

  /** Writes and sends what is left; traces that are still open are lost. */
  async close(): Promise<void> {
    this.#subscription[Symbol.dispose]();
    this.#isActive = false;
    await this.#printer.idle();
    for (const collector of this.#collectors.values()) collector.retire();
    await Promise.all([this.#files.close(), this.#exporter?.close()]);
  }

  /** Counts the request; true when it is to be traced. */
  #sample(setting: TraceSetting): boolean {
    const counts = this.#settings.countsOf(setting);
    if (setting.rate === 0 || counts.remainingCount === 0) return false;
    counts.sampledCount += 1;
    if (counts.sampledCount % setting.rate !== 0) return false;
    if (counts.remainingCount > 0) counts.remainingCount -= 1;
    return true;
  }

  #tritonTrace(setting: TraceSetting): RequestTrace {
    let collector = this.#collectors.get(setting);
    if (collector === undefined) {
      collector = new TraceCollector(setting, this.#settings.countsOf(setting), this.#files);
      this.#collectors.set(setting, collector);
    }
    const target = collector;
    target.started();
    return TritonTrace.root(setting.levels, this.#printer, (records) => target.finished(records));
  }

  #updated(): void {
    const current = this.#settings.current();
    const { mode, file } = this.#settings.start;
    const canTrace = mode === 'opentelemetry' || file !== '';
    this.#isActive = canTrace && [...current].some((setting) => setting.levels.length > 0);
    for (const [setting, collector] of this.#collectors) {
      if (current.has(setting)) continue;
      this.#collectors.delete(setting);
      collector.retire();
    }
    const wantsTensors = [...current].some((setting) => setting.levels.includes('TENSORS'));
    if (mode === 'opentelemetry' && wantsTensors && !this.#hasWarned) {
      this.#hasWarned = true;
      this.#logger.error('Tensor level tracing is not supported by the mode: opentelemetry');
    }
  }
}
