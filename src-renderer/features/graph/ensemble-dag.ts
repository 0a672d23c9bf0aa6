// An ensemble's text as a graph: steps with the tensors of their models, the lines between them, and what is wrong with
// each. Drawn from the text being edited, before anything is loaded. Pure.

import { parsePath } from '../../../src-shared/config/config-path.ts';
import type {
  EnsembleStep,
  ModelConfig,
  ModelInput,
  ModelOutput,
} from '../../../src-shared/config/model-config.ts';
import type { ConfigIssueView } from '../../../src-shared/contract/config-calls.ts';

/** One input or output of a step's model, and the tensor that it is mapped to. */
export interface DagPort {
  readonly name: string;
  /** Ensemble tensor it is mapped to; undefined = it is not. */
  readonly tensor: string | undefined;
  /** "FP32 [32,32,3]"; undefined when the model is not known. */
  readonly value: string | undefined;
  readonly isOptional: boolean;
  readonly issues: readonly ConfigIssueView[];
}

interface DagBase {
  readonly id: string;
  readonly issues: readonly ConfigIssueView[];
}

/** A tensor that stands by itself in the drawing. */
export interface DagTensor extends DagBase {
  /** "loose" = read by a step, but written by none. */
  readonly kind: 'input' | 'output' | 'loose';
  readonly tensor: string;
  readonly value: string | undefined;
}

/** One step, with every input and output of its model. */
export interface DagStep extends DagBase {
  readonly kind: 'step';
  readonly index: number;
  readonly model: string;
  readonly version: number;
  /** No repository has a model of this name. */
  readonly isMissing: boolean;
  readonly inputs: readonly DagPort[];
  readonly outputs: readonly DagPort[];
}

/** What lines lead from and to. */
export type DagNode = DagTensor | DagStep;

/** A place that a line starts or ends at. `port` is "" for inputs, outputs and loose tensors. */
export interface DagEnd {
  readonly node: string;
  readonly port: string;
}

/** A tensor on its way from the place that writes it to one that reads it. */
export interface DagEdge extends DagBase {
  readonly from: DagEnd;
  readonly to: DagEnd;
  readonly tensor: string;
  /** Of the writing side. */
  readonly value: string | undefined;
}

/** A whole ensemble, as its text has it. */
export interface EnsembleDag {
  readonly nodes: readonly DagNode[];
  readonly edges: readonly DagEdge[];
  /** Findings about the ensemble that belong to no step and no line. */
  readonly issues: readonly ConfigIssueView[];
}

const stepId = (index: number): string => `step:${index}`;
const inputId = (tensor: string): string => `in:${tensor}`;
const outputId = (tensor: string): string => `out:${tensor}`;
const looseId = (tensor: string): string => `loose:${tensor}`;

/** `modelOf` gives the effective configuration of a composing model, undefined when there is no such model. */
export function ensembleDag(
  config: ModelConfig,
  issues: readonly ConfigIssueView[],
  modelOf: (name: string) => ModelConfig | undefined,
): EnsembleDag {
  const marks = new Marks(issues, config);
  const steps = (config.ensembleScheduling?.step ?? []).map((step, index) =>
    stepNode(step, index, modelOf(step.modelName), marks),
  );
  const inputs = config.input.map((tensor, index) =>
    tensorNode('input', tensor, marks.of(`input[${index}]`)),
  );
  const outputs = config.output.map((tensor, index) =>
    tensorNode('output', tensor, marks.of(`output[${index}]`)),
  );
  const writers = new Map<
    string,
    { readonly end: DagEnd; readonly value: string | undefined; readonly port: DagPort | undefined }
  >();
  for (const { id, tensor, value } of inputs)
    writers.set(tensor, { end: { node: id, port: '' }, value, port: undefined });
  for (const step of steps) {
    for (const port of step.outputs) {
      if (port.tensor === undefined) continue;
      writers.set(port.tensor, { end: { node: step.id, port: port.name }, value: port.value, port });
    }
  }
  const loose = new Map<string, DagTensor>();
  const edges: DagEdge[] = [];
  const join = (tensor: string, to: DagEnd, own: readonly ConfigIssueView[], value?: string): void => {
    const writer = writers.get(tensor);
    if (writer === undefined && !loose.has(tensor)) {
      loose.set(tensor, { id: looseId(tensor), kind: 'loose', tensor, value: undefined, issues: [] });
    }
    const from = writer?.end ?? { node: looseId(tensor), port: '' };
    edges.push({
      id: `${to.node}/${to.port}`,
      from,
      to,
      tensor,
      value: writer?.value ?? value,
      issues: [...own, ...(writer?.port?.issues ?? [])],
    });
  };
  for (const step of steps) {
    for (const port of step.inputs) {
      if (port.tensor !== undefined)
        join(port.tensor, { node: step.id, port: port.name }, port.issues, port.value);
    }
  }
  for (const { id, tensor, issues: own, value } of outputs) {
    if (writers.has(tensor)) join(tensor, { node: id, port: '' }, own, value);
  }
  return { nodes: [...inputs, ...loose.values(), ...steps, ...outputs], edges, issues: marks.general() };
}

function tensorNode(
  kind: 'input' | 'output',
  tensor: ModelInput | ModelOutput,
  issues: readonly ConfigIssueView[],
): DagTensor {
  const id = kind === 'input' ? inputId(tensor.name) : outputId(tensor.name);
  return { id, kind, tensor: tensor.name, value: valueText(tensor), issues };
}

function stepNode(step: EnsembleStep, index: number, model: ModelConfig | undefined, marks: Marks): DagStep {
  const path = `ensemble_scheduling.step[${index}]`;
  return {
    id: stepId(index),
    kind: 'step',
    index,
    model: step.modelName,
    version: step.modelVersion,
    isMissing: model === undefined,
    inputs: ports(model?.input ?? [], step.inputMap, (key) =>
      marks.of(`${path}.input_map[${JSON.stringify(key)}]`),
    ),
    outputs: ports(model?.output ?? [], step.outputMap, (key) =>
      marks.of(`${path}.output_map[${JSON.stringify(key)}]`),
    ),
    issues: marks.of(path),
  };
}

/** Tensors of the model in its order, then keys of the map that it does not have. */
function ports(
  known: readonly (ModelInput | ModelOutput)[],
  map: Readonly<Record<string, string>>,
  issuesOf: (key: string) => readonly ConfigIssueView[],
): readonly DagPort[] {
  const names = new Set(known.map(({ name }) => name));
  const port = (name: string, tensor: ModelInput | ModelOutput | undefined): DagPort => ({
    name,
    tensor: Object.hasOwn(map, name) ? map[name] : undefined,
    value: tensor === undefined ? undefined : valueText(tensor),
    isOptional: tensor !== undefined && 'optional' in tensor && tensor.optional,
    issues: issuesOf(name),
  });
  return [
    ...known.map((tensor) => port(tensor.name, tensor)),
    ...Object.keys(map)
      .filter((name) => !names.has(name))
      .map((name) => port(name, undefined)),
  ];
}

function valueText({ dataType, dims }: ModelInput | ModelOutput): string {
  return `${dataType.replace(/^TYPE_/, '')} [${dims.join(',')}]`;
}

/** What of the drawing has a finding about the field at `path`: a line before a step. */
export function idAtPath({ nodes, edges }: EnsembleDag, path: string): string | undefined {
  const isAbout = (issues: readonly ConfigIssueView[]): boolean =>
    issues.some((issue) => issue.path === path);
  const edge = edges.find(({ issues }) => isAbout(issues));
  if (edge !== undefined) return `edge:${edge.id}`;
  return nodes.find(
    (node) =>
      isAbout(node.issues) ||
      (node.kind === 'step' && [...node.inputs, ...node.outputs].some(({ issues }) => isAbout(issues))),
  )?.id;
}

/** Findings by the place they are about; what no place takes is about the whole. */
class Marks {
  readonly #byPlace = new Map<string, ConfigIssueView[]>();
  readonly #general: ConfigIssueView[] = [];

  constructor(issues: readonly ConfigIssueView[], config: ModelConfig) {
    for (const issue of issues) {
      if (issue.severity === 'info') continue;
      const place = placeOf(issue.path, config);
      if (place === undefined) this.#general.push(issue);
      else this.#byPlace.set(place, [...(this.#byPlace.get(place) ?? []), issue]);
    }
  }

  of(place: string): readonly ConfigIssueView[] {
    return this.#byPlace.get(place) ?? [];
  }

  general(): readonly ConfigIssueView[] {
    return this.#general;
  }
}

/** `ensemble_scheduling.step[1].input_map["X"]`, `ensemble_scheduling.step[1]`, `input[0]` or `output[0]`. */
function placeOf(path: string, config: ModelConfig): string | undefined {
  const [first, second, third] = parsePath(path);
  if ((first?.name === 'input' || first?.name === 'output') && first.index !== undefined) {
    return `${first.name}[${first.index}]`;
  }
  if (first?.name !== 'ensemble_scheduling' || second?.name !== 'step' || second.index === undefined)
    return undefined;
  const step = config.ensembleScheduling?.step[second.index];
  if (step === undefined) return undefined;
  const base = `ensemble_scheduling.step[${second.index}]`;
  const isMap = third?.name === 'input_map' || third?.name === 'output_map';
  return isMap && third.key !== undefined ? `${base}.${third.name}[${JSON.stringify(third.key)}]` : base;
}
