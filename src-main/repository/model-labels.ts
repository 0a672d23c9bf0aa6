// Label files of a model's outputs: one label per line, line number = class index. Files stay inside the model folder.

import path from 'node:path';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { confinedPath } from '../base/confined-path.ts';
import { readError } from '../base/read-error.ts';
import { MAX_TEXT_BYTES, readRegularFile } from '../base/regular-file.ts';
import { loadErrors } from './load-errors.ts';

/** As a program in C++ reads lines of a text file: a carriage return is part of the label, but not on Windows. */
const LINE_END = process.platform === 'win32' ? /\r?\n/ : '\n';

/** Output name -> labels by class index. A label is bytes of any text encoding, each of them a character of its own. */
export type LabelTable = ReadonlyMap<string, readonly string[]>;

/** Throws UNSUPPORTED for files outside the folder and INTERNAL for files that cannot be read. */
export async function readLabels(config: ModelConfig, modelDir: string): Promise<LabelTable> {
  const table = new Map<string, readonly string[]>();
  for (const { name, labelFilename } of config.output) {
    if (labelFilename === '') continue;
    const file = await confinedPath(labelFilename, { base: modelDir, within: [modelDir] });
    if (file === undefined) {
      const outside = path.join(modelDir, labelFilename);
      throw loadErrors.labelsOutside({ file: outside, output: name, model: config.name });
    }
    let text: string;
    try {
      text = (await readRegularFile(file, MAX_TEXT_BYTES)).toString('latin1');
    } catch (thrown) {
      throw readError(file, thrown);
    }
    const lines = text.split(LINE_END);
    if (lines.at(-1) === '') lines.pop();
    table.set(name, lines.map(untilZero));
  }
  return table;
}

/** A label is handed over as a text of C, which ends there. */
function untilZero(label: string): string {
  const end = label.indexOf('\0');
  return end < 0 ? label : label.slice(0, end);
}

/** What an ensemble's outputs inherit from the models that write them. */
export interface LabelSource {
  readonly labels: LabelTable;
}

/** Labels of an ensemble: its own files first, else those of the composing model's output behind each tensor. */
export function inheritLabels(
  config: ModelConfig,
  own: LabelTable,
  composing: (modelName: string, version: number) => LabelSource | undefined,
): LabelTable {
  const table = new Map(own);
  for (const { name } of config.output) {
    if (table.has(name)) continue;
    for (const step of config.ensembleScheduling?.step ?? []) {
      const [output] = Object.entries(step.outputMap).find(([, tensor]) => tensor === name) ?? [];
      const labels =
        output === undefined ? undefined : composing(step.modelName, step.modelVersion)?.labels.get(output);
      if (labels !== undefined) table.set(name, labels);
    }
  }
  return table;
}
