// The graph of a file with everything the view asks of it: who writes and reads a tensor, what is known of it, and which
// operators only compute constants. Built once per file. Pure.

import type {
  GraphInitializer,
  GraphOperator,
  GraphValue,
  OnnxGraphData,
} from '../../../src-shared/contract/graph-calls.ts';

/** A graph that can be asked. Operators are named by their index in the file, tensors by their names. */
export interface GraphIndex {
  readonly data: OnnxGraphData;
  /** Inputs that requests fill in: weights that old files list as inputs are left out. */
  readonly inputs: readonly GraphValue[];
  /** Tensor -> operator that writes it. */
  readonly producers: ReadonlyMap<string, number>;
  /** Tensor -> operators that read it, each once. */
  readonly consumers: ReadonlyMap<string, readonly number[]>;
  readonly initializers: ReadonlyMap<string, GraphInitializer>;
  /** Operators that no input of the graph reaches. */
  readonly constants: ReadonlySet<number>;
  /** Type and shape of a tensor, as far as the file gives them. */
  readonly valueOf: (tensor: string) => GraphValue | undefined;
}

/** Builds the index in one pass over the operators. */
export function indexGraph(data: OnnxGraphData): GraphIndex {
  const producers = new Map<string, number>();
  const consumers = new Map<string, number[]>();
  data.operators.forEach(({ inputs, outputs }, at) => {
    for (const tensor of outputs) if (tensor !== '') producers.set(tensor, at);
    for (const tensor of new Set(inputs)) {
      if (tensor === '') continue;
      const readers = consumers.get(tensor);
      if (readers === undefined) consumers.set(tensor, [at]);
      else readers.push(at);
    }
  });
  const initializers = new Map(data.initializers.map((tensor) => [tensor.name, tensor]));
  const inputs = data.inputs.filter(({ name }) => !initializers.has(name));
  const values = new Map<string, GraphValue>();
  for (const list of [data.values, data.inputs, data.outputs, data.initializers]) {
    for (const value of list) values.set(value.name, value);
  }
  return {
    data,
    inputs,
    producers,
    consumers,
    initializers,
    constants: constantOperators(data.operators, producers, new Set(initializers.keys())),
    valueOf: (tensor) => values.get(tensor),
  };
}

/** Without inputs, but not the same on each run. */
const RANDOM = /^(Random|Bernoulli|Multinomial)/;

/** File order is an order of execution, so one pass is enough. */
function constantOperators(
  operators: readonly GraphOperator[],
  producers: ReadonlyMap<string, number>,
  initializers: ReadonlySet<string>,
): ReadonlySet<number> {
  const constants = new Set<number>();
  operators.forEach(({ inputs, opType }, at) => {
    const isFixed = inputs.every((tensor) => {
      if (tensor === '' || initializers.has(tensor)) return true;
      const producer = producers.get(tensor);
      return producer !== undefined && constants.has(producer);
    });
    if (isFixed && !RANDOM.test(opType)) constants.add(at);
  });
  return constants;
}

/** Operators that write what `at` reads, in the order of its inputs, each once. */
export function predecessors({ data, producers }: GraphIndex, at: number): readonly number[] {
  const found = (data.operators[at]?.inputs ?? []).map((tensor) => producers.get(tensor));
  return [...new Set(found.filter((producer) => producer !== undefined))];
}

/** Operators that read what `at` writes, each once. */
export function successors({ data, consumers }: GraphIndex, at: number): readonly number[] {
  return [...new Set((data.operators[at]?.outputs ?? []).flatMap((tensor) => consumers.get(tensor) ?? []))];
}

/** What an operator is called in lists: its name, else what it writes. */
export function operatorName({ name, outputs }: GraphOperator): string {
  const full = name === '' ? (outputs.find((tensor) => tensor !== '') ?? '') : name;
  return full.split('/').findLast((part) => part !== '') ?? full;
}

/** "float[N,4]", or nothing where the file says nothing of the tensor: what a row, a search or a node shows. */
export function typeText({ type = '', shape = '' }: Partial<GraphValue> = {}): string {
  return `${type}${shape}`;
}
