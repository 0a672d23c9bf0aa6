// The folder that variants are served from: each has the files of its model, and a configuration of its own.

import { cp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { makeFolder } from '../../base/make-folder.ts';
import { CONFIG_FILE } from '../../../src-shared/config/config-file.ts';
import { modelConfigFromJson, modelConfigToJson } from '../../../src-shared/config/config-json.ts';
import { modelConfigToText } from '../../../src-shared/config/config-encoder.ts';
import { editConfigValue } from '../../../src-shared/config/config-edit.ts';
import { firstError } from '../../../src-shared/config/config-issue.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { parseErrorLine, parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import { applyTextEdits } from '../../../src-shared/config/text-format/ast.ts';
import { parseText } from '../../../src-shared/config/text-format/parser.ts';
import { analyzeErrors } from '../analyze-errors.ts';
import type { VariantFields } from '../search/trial.ts';

/** Never writes into the repository of the models. */
export class VariantRepository {
  readonly #source: string;
  readonly #output: string;

  private constructor(source: string, output: string) {
    this.#source = source;
    this.#output = output;
  }

  /** Rejects when the output folder holds something that may not be replaced. */
  static async open(source: string, output: string, mayReplace: boolean): Promise<VariantRepository> {
    await makeFolder(output);
    const from = await realpath(source).catch(() => path.resolve(source));
    if ((await realpath(output)) === from) throw analyzeErrors.outputIsSource({ folder: output });
    const isEmpty = (await readdir(output)).length === 0;
    if (!isEmpty && !mayReplace) throw analyzeErrors.outputTaken({ folder: output });
    return new VariantRepository(from, path.resolve(output));
  }

  /** What the server is given as its repository. */
  get folder(): string {
    return this.#output;
  }

  /** See `configTextIn`. */
  configText(model: string): Promise<string | undefined> {
    return configTextIn(this.#source, model);
  }

  /** `text` undefined: no file, so that the server completes it. What is there of the same name is replaced. */
  async write(model: string, variant: string, text: string | undefined): Promise<void> {
    const source = path.join(this.#source, model);
    const target = path.join(this.#output, variant);
    await rm(target, { recursive: true, force: true });
    await makeFolder(target);
    for (const entry of await readdir(source, { withFileTypes: true }))
      if (entry.name !== CONFIG_FILE)
        await link(path.join(source, entry.name), path.join(target, entry.name), entry.isDirectory());
    if (text !== undefined) await writeFile(path.join(target, CONFIG_FILE), named(text, variant));
  }

  /** A model that an ensemble calls, under its own name. */
  async lend(model: string): Promise<void> {
    const target = path.join(this.#output, model);
    await rm(target, { recursive: true, force: true });
    await link(path.join(this.#source, model), target, true);
  }
}

/** Text of the file of a model in a repository; undefined when there is none. NOT_FOUND for an unknown model. */
export async function configTextIn(repository: string, model: string): Promise<string | undefined> {
  const folder = path.resolve(repository, model);
  const isModel = model !== '' && path.dirname(folder) === path.resolve(repository);
  const isFolder =
    isModel &&
    (await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    ));
  if (!isFolder) throw analyzeErrors.unknownModel({ model, folder: repository });
  return readFile(path.join(folder, CONFIG_FILE), 'utf8').catch(() => undefined);
}

/** Files of models may be large: they are linked, and copied where the system does not let links be made. */
async function link(source: string, target: string, isFolder: boolean): Promise<void> {
  await symlink(source, target, isFolder ? 'junction' : 'file').catch(() =>
    cp(source, target, { recursive: true }),
  );
}

function named(text: string, name: string): string {
  return applyTextEdits(text, editConfigValue(parseText(text), 'name', name));
}

/** INVALID_ARG with the line of the first fault. */
export function readConfig(model: string, text: string): ModelConfig {
  const parsed = parseModelConfig(text);
  const reason = parseErrorLine(parsed);
  if (reason !== undefined) throw analyzeErrors.badConfig({ model, reason });
  return parsed.config;
}

/** The configuration with these top-level fields instead of its own. INVALID_ARG for a field that there is not. */
export function variantText(model: string, base: ModelConfig, fields: NonNullable<VariantFields>): string {
  const json: unknown = JSON.parse(modelConfigToJson(base));
  const { config, issues } = modelConfigFromJson(JSON.stringify({ ...(json as object), ...fields }));
  const fault = firstError(issues);
  if (fault !== undefined) throw analyzeErrors.badConfig({ model, reason: fault.message });
  return modelConfigToText(config);
}
