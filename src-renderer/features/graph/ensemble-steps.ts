// Steps and names of an ensemble as edits of its text: a step more, a step less, a tensor with another name wherever it
// stands. Everything else of the text stays as it is. Pure.

import { editConfigValue, renameConfigEntry } from '../../../src-shared/config/config-edit.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import type { TextEdit, TextTree } from '../../../src-shared/config/text-format/ast.ts';
import { applyTextEdits } from '../../../src-shared/config/text-format/ast.ts';
import { parseText } from '../../../src-shared/config/text-format/parser.ts';
import type { Source } from './ensemble-edits.ts';
import { connect } from './ensemble-edits.ts';

/** A step that is to be added. Inputs and outputs are by the names of its model. */
export interface NewStep {
  readonly model: string;
  /** -1 = the newest. */
  readonly version: number;
  /** What feeds its inputs; those that are not listed are fed by nothing. */
  readonly inputs: Readonly<Record<string, Source>>;
  /** Tensors of the ensemble that its outputs become; those that are not listed are not used. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** The text with one more step, behind the others. An input that cannot be fed that way is left open. */
export function addStep(text: string, { model, version, inputs, outputs }: NewStep): string {
  const { config } = parseModelConfig(text);
  const step = config.ensembleScheduling?.step.length ?? 0;
  const added = edited(text, (tree) =>
    editConfigValue(tree, `ensemble_scheduling.step[${step}]`, {
      modelName: model,
      modelVersion: version,
      outputMap: outputs,
    }),
  );
  return Object.entries(inputs).reduce((before, [port, source]) => {
    const result = connect(before, source, { kind: 'step', step, port });
    return 'text' in result ? result.text : before;
  }, added);
}

/** The text without a step. What it wrote is written by nothing then: the findings say who reads it. */
export function removeStep(text: string, step: number): string {
  return edited(text, (tree) => editConfigValue(tree, `ensemble_scheduling.step[${step}]`, undefined));
}

/** Every name that the ensemble gives a tensor. */
export function tensorNames({ input, output, ensembleScheduling }: ModelConfig): ReadonlySet<string> {
  return new Set([
    ...input.map(({ name }) => name),
    ...output.map(({ name }) => name),
    ...(ensembleScheduling?.step ?? []).flatMap(({ inputMap, outputMap }) => [
      ...Object.values(inputMap),
      ...Object.values(outputMap),
    ]),
  ]);
}

/** Tensors that a step writes. */
export function writtenTensors({ ensembleScheduling }: ModelConfig): ReadonlySet<string> {
  return new Set((ensembleScheduling?.step ?? []).flatMap(({ outputMap }) => Object.values(outputMap)));
}

/** The text with a tensor under another name: in inputs and outputs, in the maps of all steps, in warm-up samples. */
export function renameTensor(text: string, from: string, to: string): string {
  const { config } = parseModelConfig(text);
  return edited(text, (tree) => [
    ...renamed(config.input, 'input', from).flatMap((path) => editConfigValue(tree, path, to)),
    ...renamed(config.output, 'output', from).flatMap((path) => editConfigValue(tree, path, to)),
    ...mappedPaths(config, from).flatMap((path) => editConfigValue(tree, path, to)),
    ...config.modelWarmup.flatMap(({ inputs }, at) =>
      Object.hasOwn(inputs, from)
        ? renameConfigEntry(tree, `model_warmup[${at}].inputs[${JSON.stringify(from)}]`, to)
        : [],
    ),
  ]);
}

function renamed(
  tensors: readonly { readonly name: string }[],
  field: string,
  from: string,
): readonly string[] {
  return tensors.flatMap(({ name }, at) => (name === from ? [`${field}[${at}].name`] : []));
}

function mappedPaths({ ensembleScheduling }: ModelConfig, tensor: string): readonly string[] {
  return (ensembleScheduling?.step ?? []).flatMap(({ inputMap, outputMap }, step) =>
    [['input_map', inputMap] as const, ['output_map', outputMap] as const].flatMap(([field, map]) =>
      Object.entries(map)
        .filter(([, name]) => name === tensor)
        .map(([port]) => `ensemble_scheduling.step[${step}].${field}[${JSON.stringify(port)}]`),
    ),
  );
}

function edited(text: string, edits: (tree: TextTree) => readonly TextEdit[]): string {
  return applyTextEdits(text, [...edits(parseText(text))]);
}
