// The configuration of an ensemble that runs models one behind the other, connected as far as names, types and shapes say
// how: a first draft that the graph then changes. Pure.

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { encodeStringLiteral } from '../../../src-shared/config/text-format/string-literal.ts';

/** A model that is to be a step, with what the server understood of it. */
export interface StepModel {
  readonly name: string;
  readonly config: ModelConfig;
}

/** What was made of the steps. */
export interface EnsembleDraft {
  /** Of config.pbtxt. */
  readonly text: string;
  /** Inputs of steps that read what an earlier step writes. */
  readonly connectionCount: number;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** A tensor of the ensemble; `dims` as the ensemble's own, without its batch dimension. */
interface Tensor {
  readonly name: string;
  readonly dataType: string;
  readonly dims: readonly number[];
}

interface Written extends Tensor {
  /** The output's name in its model. */
  readonly port: string;
  isRead: boolean;
}

interface Wiring {
  readonly inputMap: Map<string, string>;
  readonly outputMap: Map<string, string>;
}

/**
 * Each input reads the newest output of an earlier step that has its type and shape, one of its own name first; what
 * finds none is an input of the ensemble, and what nobody reads is an output. The ensemble batches when all steps do,
 * up to the smallest of their sizes; else the batch dimension of those that do is one of its tensors'.
 */
export function ensembleDraft(name: string, steps: readonly StepModel[]): EnsembleDraft {
  const isBatched = steps.length > 0 && steps.every(({ config }) => config.maxBatchSize > 0);
  const maxBatchSize = isBatched ? Math.min(...steps.map(({ config }) => config.maxBatchSize)) : 0;
  const written: Written[] = [];
  const inputs: Tensor[] = [];
  const names = new Set<string>();
  const freeName = (wanted: string, model: string): string => {
    let free = names.has(wanted) ? `${model}_${wanted}` : wanted;
    for (let number = 2; names.has(free); number += 1) free = `${model}_${wanted}_${number}`;
    names.add(free);
    return free;
  };
  const wirings = steps.map(({ name: model, config }): Wiring => {
    const shown = (tensor: Tensor): Tensor => ({
      ...tensor,
      dims: !isBatched && config.maxBatchSize > 0 ? [-1, ...tensor.dims] : tensor.dims,
    });
    const inputMap = new Map<string, string>();
    for (const input of config.input) {
      const tensor = shown(input);
      const source = sourceOf(tensor, written);
      if (source !== undefined) {
        source.isRead = true;
        inputMap.set(input.name, source.name);
      } else if (!input.optional) {
        const known = inputs.find((one) => one.name === input.name && fits(one, tensor));
        const own = known ?? { ...tensor, name: freeName(input.name, model) };
        if (known === undefined) inputs.push(own);
        inputMap.set(input.name, own.name);
      }
    }
    const outputMap = new Map<string, string>();
    for (const output of config.output) {
      const tensor = { ...shown(output), name: freeName(output.name, model) };
      written.push({ ...tensor, port: output.name, isRead: false });
      outputMap.set(output.name, tensor.name);
    }
    return { inputMap, outputMap };
  });
  const outputs = written.filter(({ isRead }) => !isRead);
  const inner = new Set(written.map((tensor) => tensor.name));
  return {
    text: [
      `name: ${encodeStringLiteral(name)}`,
      'platform: "ensemble"',
      `max_batch_size: ${maxBatchSize}`,
      ...inputs.flatMap((tensor) => tensorLines('input', tensor)),
      ...outputs.flatMap((tensor) => tensorLines('output', tensor)),
      'ensemble_scheduling {',
      ...steps.flatMap(({ name: model }, index) => stepLines(model, wirings[index] as Wiring)),
      '}',
      '',
    ].join('\n'),
    connectionCount: wirings.flatMap(({ inputMap }) =>
      [...inputMap.values()].filter((tensor) => inner.has(tensor)),
    ).length,
    inputs: inputs.map((tensor) => tensor.name),
    outputs: outputs.map((tensor) => tensor.name),
  };
}

function sourceOf(input: Tensor, written: readonly Written[]): Written | undefined {
  const fitting = written.filter((one) => fits(one, input));
  return fitting.findLast(({ port }) => port === input.name) ?? fitting.findLast(({ isRead }) => !isRead);
}

function fits(one: Tensor, other: Tensor): boolean {
  return (
    one.dataType === other.dataType &&
    one.dims.length === other.dims.length &&
    one.dims.every((size, axis) => size === -1 || other.dims[axis] === -1 || size === other.dims[axis])
  );
}

function tensorLines(field: 'input' | 'output', { name, dataType, dims }: Tensor): readonly string[] {
  return [
    `${field} {`,
    `  name: ${encodeStringLiteral(name)}`,
    `  data_type: ${dataType}`,
    `  dims: [ ${dims.join(', ')} ]`,
    '}',
  ];
}

function stepLines(model: string, { inputMap, outputMap }: Wiring): readonly string[] {
  const entries = (field: string, map: ReadonlyMap<string, string>): readonly string[] =>
    [...map].flatMap(([key, value]) => [
      `    ${field} {`,
      `      key: ${encodeStringLiteral(key)}`,
      `      value: ${encodeStringLiteral(value)}`,
      '    }',
    ]);
  return [
    '  step {',
    `    model_name: ${encodeStringLiteral(model)}`,
    '    model_version: -1',
    ...entries('input_map', inputMap),
    ...entries('output_map', outputMap),
    '  }',
  ];
}
