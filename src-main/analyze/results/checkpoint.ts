// What was measured, kept over interruptions: a folder of numbered files, the highest of which counts. The keys are those of
// the reference; what stands below them is our own, so its files are not read and say so.

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { writeFileAtomic } from '../../base/atomic-file.ts';
import { analyzeErrors } from '../analyze-errors.ts';
import type { GpuMeasurement, VariantRecord } from './measurement.ts';

/** Variants by model, in the order they were tried. */
type Results = Readonly<Record<string, readonly VariantRecord[]>>;

const FORMAT = 'conch-1';

interface CheckpointFile {
  readonly format: typeof FORMAT;
  /** Names by model and by configuration. */
  readonly 'ModelManager.model_variant_name_manager': Readonly<
    Record<string, Readonly<Record<string, string>>>
  >;
  readonly 'ResultManager.results': Results;
  readonly 'ResultManager.server_only_data': readonly GpuMeasurement[];
  readonly 'MetricsManager.gpus': readonly string[];
  readonly 'OptunaRunConfigGenerator.seed': null;
}

const NAME = /^(\d+)\.ckpt$/;

/** Changes are in memory until they are saved. */
export class Checkpoint {
  readonly #folder: string;
  #index: number;
  #savedText: string;
  readonly #results: Map<string, VariantRecord[]>;
  readonly #names: Map<string, Map<string, string>>;
  serverOnly: readonly GpuMeasurement[];
  gpus: readonly string[] | undefined;

  private constructor(folder: string, index: number, text: string, file: CheckpointFile | undefined) {
    this.#folder = folder;
    this.#index = index;
    this.#savedText = text;
    this.#results = new Map(
      Object.entries(file?.['ResultManager.results'] ?? {}).map(([model, list]) => [model, list.map(asKept)]),
    );
    this.#names = new Map(
      Object.entries(file?.['ModelManager.model_variant_name_manager'] ?? {}).map(([model, names]) => [
        model,
        new Map(Object.entries(names)),
      ]),
    );
    this.serverOnly = file?.['ResultManager.server_only_data'] ?? [];
    this.gpus = file?.['MetricsManager.gpus'];
  }

  /** Rejects for a highest file that cannot be read. */
  static async open(folder: string): Promise<Checkpoint> {
    const entries = await readdir(folder).catch(() => []);
    const indexes = entries.flatMap((name) => {
      const [, digits] = NAME.exec(name) ?? [];
      return digits === undefined ? [] : [Number(digits)];
    });
    if (indexes.length === 0) return new Checkpoint(folder, -1, '', undefined);
    const index = Math.max(...indexes);
    const file = path.join(folder, `${index}.ckpt`);
    const text = await readFile(file, 'utf8');
    return new Checkpoint(folder, index, text, parsed(file, text));
  }

  /** Nothing was measured of any model. */
  get isEmpty(): boolean {
    return this.#results.size === 0;
  }

  /** Those of which something was measured, in the order in which they were first. */
  get models(): readonly string[] {
    return [...this.#results.keys()];
  }

  /** In the order in which they were first put; empty for a model of which nothing is known. */
  variants(model: string): readonly VariantRecord[] {
    return this.#results.get(model) ?? [];
  }

  /** Replaces what is known of the variant of that name. */
  put(model: string, variant: VariantRecord): void {
    const list = this.#results.get(model) ?? [];
    const at = list.findIndex(({ name }) => name === variant.name);
    if (at < 0) list.push(variant);
    else list[at] = variant;
    this.#results.set(model, list);
  }

  /** Takes out all variants of the model, and their names. */
  forget(model: string): void {
    this.#results.delete(model);
    this.#names.delete(model);
  }

  /** The same text always has the same name. */
  variantName(model: string, text: string, isDefault: boolean): string {
    if (isDefault) return `${model}_config_default`;
    const names = this.#names.get(model) ?? new Map<string, string>();
    const name = names.get(text) ?? `${model}_config_${names.size}`;
    names.set(text, name);
    this.#names.set(model, names);
    return name;
  }

  /** A new file only when something changed since the last one. */
  async save(): Promise<void> {
    const file: CheckpointFile = {
      format: FORMAT,
      'ModelManager.model_variant_name_manager': Object.fromEntries(
        [...this.#names].map(([model, names]) => [model, Object.fromEntries(names)]),
      ),
      'ResultManager.results': Object.fromEntries(this.#results),
      'ResultManager.server_only_data': this.serverOnly,
      'MetricsManager.gpus': this.gpus ?? [],
      'OptunaRunConfigGenerator.seed': null,
    };
    const text = `${JSON.stringify(file)}\n`;
    if (text === this.#savedText) return;
    this.#index += 1;
    await writeFileAtomic(path.join(this.#folder, `${this.#index}.ckpt`), text);
    this.#savedText = text;
  }
}

/** Earlier versions kept an empty failure where there was none. */
function asKept(record: VariantRecord): VariantRecord {
  return { ...record, failure: record.failure || undefined };
}

function parsed(file: string, text: string): CheckpointFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw analyzeErrors.badCheckpoint({ file, reason: (thrown as Error).message }, { cause: thrown });
  }
  const isOurs = typeof value === 'object' && value !== null && 'format' in value && value.format === FORMAT;
  if (!isOurs) throw analyzeErrors.badCheckpoint({ file, reason: 'it was written by another program' });
  return value as CheckpointFile;
}
