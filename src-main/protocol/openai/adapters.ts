// LoRA adapters of vLLM models: the names in `multi_lora.json` beside a model whose `model.json` enables them. Read anew each
// time, because models come and go.

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** A model as a request names it: its own name, and the adapter behind the separator. */
export interface NamedModel {
  readonly name: string;
  /** Undefined = none is named. */
  readonly lora: string | undefined;
}

/** Without a separator no request names an adapter. */
export class Adapters {
  readonly #separator: string | undefined;
  readonly #repositories: readonly string[];

  /** `repositories`: folders on this machine. */
  constructor(separator: string | undefined, repositories: readonly string[]) {
    this.#separator = separator;
    this.#repositories = repositories;
  }

  /** Only a text with exactly one separator is taken apart. */
  split(model: string): NamedModel {
    const [name = '', lora, ...more] = this.#separator === undefined ? [model] : model.split(this.#separator);
    return lora === undefined || more.length > 0 ? { name: model, lora: undefined } : { name, lora };
  }

  /** A model and its adapters as they are listed. */
  async listed(name: string): Promise<readonly string[]> {
    const adapters = this.#separator === undefined ? [] : ((await this.of(name)) ?? []);
    return [name, ...adapters.map((adapter) => `${name}${this.#separator}${adapter}`)];
  }

  /** Names of a model's adapters; undefined = it does not say, and any name may be meant. */
  async of(name: string): Promise<readonly string[] | undefined> {
    for (const repository of this.#repositories) {
      const folder = path.join(repository, name);
      if (path.dirname(folder) !== path.normalize(repository)) continue;
      const version = await lastVersion(folder);
      if (version === undefined) continue;
      const model = await readJson(path.join(folder, version, 'model.json'));
      if (String(model?.['enable_lora']).toLowerCase() !== 'true') continue;
      const adapters = await readJson(path.join(folder, version, 'multi_lora.json'));
      return adapters === undefined ? undefined : Object.keys(adapters);
    }
    return undefined;
  }
}

async function lastVersion(folder: string): Promise<string | undefined> {
  const names = await readdir(folder).catch(() => []);
  const versions = names.filter((name) => /^[0-9]+$/.test(name)).map(Number);
  return versions.length === 0 ? undefined : String(Math.max(...versions));
}

async function readJson(file: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
