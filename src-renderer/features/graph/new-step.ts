// What a new step is likely to be connected to: the form begins with it, and every guess can be changed there. Pure.

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import type { DagPort, EnsembleDag } from './ensemble-dag.ts';
import { ensembleDag } from './ensemble-dag.ts';
import { addStep, tensorNames, writtenTensors } from './ensemble-steps.ts';
import { NO_SOURCE, sourceValue } from './ensemble-sources.ts';

/** Inputs and outputs of a model, as a step of this ensemble would have them; none of a model that is not known. */
export interface StepPorts {
  readonly inputs: readonly DagPort[];
  readonly outputs: readonly DagPort[];
}

/** Values of the source list by input, and names of tensors by output ("" = not used). */
export interface StepGuess {
  readonly inputs: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, string>>;
}

/** `modelOf` as for the drawing. */
export function portsOf(
  text: string,
  model: string,
  modelOf: (name: string) => ModelConfig | undefined,
): StepPorts {
  const step = { model, version: -1, inputs: {}, outputs: {} };
  const { config } = parseModelConfig(addStep(text, step));
  const added = ensembleDag(config, [], modelOf).nodes.findLast(({ kind }) => kind === 'step');
  if (added?.kind !== 'step' || added.isMissing) return { inputs: [], outputs: [] };
  return added;
}

/**
 * An input is fed by the only tensor of its name, or else of its type and shape, what nobody reads yet first. An output
 * becomes an output of the ensemble that nothing writes, by name or by type and shape, or else a new tensor.
 */
export function guessStep(dag: EnsembleDag, config: ModelConfig, model: string, ports: StepPorts): StepGuess {
  return {
    inputs: Object.fromEntries(ports.inputs.map((port) => [port.name, guessSource(dag, port)])),
    outputs: guessOutputs(dag, config, model, ports.outputs),
  };
}

interface Candidate {
  readonly choice: string;
  readonly name: string;
  readonly value: string | undefined;
  readonly isRead: boolean;
}

function guessSource(dag: EnsembleDag, { name, value }: DagPort): string {
  const all = candidates(dag);
  const named = all.filter((one) => one.name === name && (value === undefined || one.value === value));
  const typed = value === undefined ? [] : all.filter((one) => one.value === value);
  const unread = typed.filter(({ isRead }) => !isRead);
  const found = [named, unread, typed].find(({ length }) => length === 1)?.[0];
  return found?.choice ?? NO_SOURCE;
}

function candidates({ nodes, edges }: EnsembleDag): readonly Candidate[] {
  return nodes.flatMap((node): readonly Candidate[] => {
    if (node.kind === 'input') {
      const { tensor, value } = node;
      const isRead = edges.some(({ from }) => from.node === node.id);
      return [{ choice: sourceValue({ kind: 'input', tensor }), name: tensor, value, isRead }];
    }
    if (node.kind !== 'step') return [];
    return node.outputs.map(({ name, tensor, value }) => ({
      choice: sourceValue({ kind: 'step', step: node.index, port: name }),
      name: tensor ?? name,
      value,
      isRead: edges.some(({ from }) => from.node === node.id && from.port === name),
    }));
  });
}

function guessOutputs(
  dag: EnsembleDag,
  config: ModelConfig,
  model: string,
  ports: readonly DagPort[],
): Readonly<Record<string, string>> {
  const written = writtenTensors(config);
  const taken = new Set(tensorNames(config));
  let open = dag.nodes.flatMap((node) => (node.kind === 'output' && !written.has(node.tensor) ? [node] : []));
  const guesses: Record<string, string> = {};
  for (const { name, value } of ports) {
    const fitting = open.filter((output) => output.tensor === name || output.value === value);
    const found = fitting.find(({ tensor }) => tensor === name) ?? fitting[0];
    guesses[name] = found?.tensor ?? freshName(taken, `${model}_${name}`);
    taken.add(guesses[name]);
    open = open.filter((output) => output !== found);
  }
  return guesses;
}

function freshName(taken: ReadonlySet<string>, base: string): string {
  let name = base;
  for (let count = 2; taken.has(name); count += 1) name = `${base}_${count}`;
  return name;
}
