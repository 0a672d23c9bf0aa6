// What a Python model asks of the server: its own metrics, and loading, unloading and asking for other models. Handles
// of metrics belong to the process that asked for them and are given back when it ends.

import type { ModelServices } from '../../inference/model-services.ts';
import type { CustomFamily, CustomKind, CustomMetric } from '../../metrics/custom-metrics.ts';
import { pythonHostErrors } from './host-errors.ts';

/** JSON has no word for what is not finite: "NaN", "Infinity", "-Infinity". */
type WireNumber = number | string;

/** One question; which fields it has depends on `op`. */
export interface Question {
  readonly op: string;
  /** The request that it is about. */
  readonly key?: number;
  readonly name?: string;
  readonly help?: string;
  readonly kind?: CustomKind;
  readonly family?: number;
  readonly metric?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly buckets?: readonly WireNumber[] | null;
  readonly by?: WireNumber;
  readonly config?: string;
  /** Path -> content in base64. */
  readonly files?: Readonly<Record<string, string>>;
  readonly dependents?: boolean;
  readonly version?: string;
}

/**
 * `services` is asked anew for each question: undefined until the engine is complete, and a model that asks
 * earlier gets an error.
 */
export class HostQuestions {
  readonly #services: () => ModelServices | undefined;
  readonly #families: CustomFamily[] = [];
  readonly #metrics = new Map<number, CustomMetric>();
  #nextMetric = 1;

  constructor(services: () => ModelServices | undefined) {
    this.#services = services;
  }

  /** The answer as JSON can say it; rejects with the error that the model gets. */
  async answer(question: Question): Promise<unknown> {
    const { op } = question;
    if (op.startsWith('model.')) return await this.#aboutModels(question);
    if (op.startsWith('metric.')) return this.#aboutMetrics(question);
    throw pythonHostErrors.unknownQuestion({ op });
  }

  /** The process is gone. */
  close(): void {
    for (const metric of this.#metrics.values()) metric.close();
    this.#metrics.clear();
  }

  get #server(): ModelServices {
    const services = this.#services();
    if (services === undefined) throw pythonHostErrors.withoutServer();
    return services;
  }

  async #aboutModels(question: Question): Promise<unknown> {
    const { models } = this.#server;
    const { op, name = '', config = '', files = {}, dependents = false, version = '' } = question;
    switch (op) {
      case 'model.load': {
        const contents = Object.entries(files).map(
          ([file, text]) => [file, new Uint8Array(Buffer.from(text, 'base64'))] as const,
        );
        await models.loadModel(name, {
          configJson: config === '' ? undefined : config,
          files: contents.length === 0 ? undefined : new Map(contents),
        });
        return null;
      }
      case 'model.unload':
        await models.unloadModel(name, { unloadDependents: dependents });
        return null;
      case 'model.ready':
        if (/^\s*-\d/.test(version)) throw pythonHostErrors.versionBelowZero({ version });
        return await models.isModelReady(name, version);
      default:
        throw pythonHostErrors.unknownQuestion({ op });
    }
  }

  #aboutMetrics(question: Question): unknown {
    const { op, name = '', help = '', kind = 'COUNTER' } = question;
    const by = Number(question.by ?? 0);
    switch (op) {
      case 'metric.family':
        this.#families.push(this.#server.metrics.family(kind, name, help));
        return this.#families.length - 1;
      case 'metric.create':
        return this.#create(question);
      case 'metric.increment':
        this.#metric(question).increment(by);
        return null;
      case 'metric.set':
        this.#metric(question).set(by);
        return null;
      case 'metric.observe':
        this.#metric(question).observe(by);
        return null;
      case 'metric.value':
        return wireNumber(this.#metric(question).value());
      case 'metric.delete':
        this.#metrics.get(question.metric ?? 0)?.close();
        this.#metrics.delete(question.metric ?? 0);
        return null;
      default:
        throw pythonHostErrors.unknownQuestion({ op });
    }
  }

  #create({ family: index = -1, labels = {}, buckets }: Question): number {
    const family = this.#families[index];
    if (family === undefined) throw pythonHostErrors.unknownFamily();
    const metric = family.metric(labels, buckets == null ? {} : { buckets: buckets.map(Number) });
    const id = this.#nextMetric++;
    this.#metrics.set(id, metric);
    return id;
  }

  #metric({ metric: id = 0 }: Question): CustomMetric {
    const metric = this.#metrics.get(id);
    if (metric === undefined) throw pythonHostErrors.deletedMetric();
    return metric;
  }
}

function wireNumber(value: number): WireNumber {
  return Number.isFinite(value) ? value : String(value);
}

/** Throws when what came is no question: whoever sent it is not our host. */
export function questionOf(told: unknown): Question {
  if (typeof told !== 'object' || told === null || typeof (told as Partial<Question>).op !== 'string') {
    throw new TypeError('a question without a name');
  }
  return told as Question;
}
