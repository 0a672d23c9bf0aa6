// A model's graph as one flat list of operators with scopes, for drawing: scopes come from operator names, from functions
// of the file, which are written out where they are called, and from bodies of control flow. Pure; no weights.

import type { GraphOperator, GraphValue, OnnxGraphData } from '../../src-shared/contract/graph-calls.ts';
import type { OnnxFunction, OnnxGraph, OnnxModel, OnnxNode, OnnxValue } from './onnx-model.ts';
import { elementTypeName } from './onnx-types.ts';
import { onnxErrors } from './onnx-errors.ts';

/** More than any published model has; keeps what is sent and kept bounded. */
const MAX_GRAPH_OPERATORS = 200_000;

/** A function that calls functions is written out to this depth; deeper calls stay single operators. */
const MAX_CALL_DEPTH = 8;

/** UNSUPPORTED above MAX_GRAPH_OPERATORS. */
export function graphData(model: OnnxModel): OnnxGraphData {
  const writer = new GraphFlattener(model.functions);
  writer.addGraph(model.graph, TOP);
  return {
    operators: writer.operators,
    inputs: model.graph.inputs.map(graphValue),
    outputs: model.graph.outputs.map(graphValue),
    initializers: writer.initializers,
    values: writer.values,
    scopeNotes: writer.scopeNotes,
  };
}

/** Where operators are written to: their scope, and what their tensor names stand for there. */
interface Place {
  readonly scope: string;
  readonly rename: (tensor: string) => string;
  readonly depth: number;
}

const TOP: Place = { scope: '', rename: (tensor) => tensor, depth: 0 };

class GraphFlattener {
  readonly operators: GraphOperator[] = [];
  readonly initializers: OnnxGraphData['initializers'][number][] = [];
  readonly values: GraphValue[] = [];
  readonly scopeNotes: Record<string, string> = {};
  readonly #functions: ReadonlyMap<string, OnnxFunction>;

  constructor(functions: readonly OnnxFunction[]) {
    this.#functions = new Map(functions.map((entry) => [`${entry.domain}.${entry.name}`, entry]));
  }

  addGraph(graph: OnnxGraph, place: Place): void {
    for (const tensor of graph.initializers) {
      this.initializers.push({
        name: place.rename(tensor.name),
        type: elementTypeName(tensor.elementType),
        shape: shapeText(tensor.dims),
        byteSize: tensor.byteSize,
      });
    }
    for (const value of graph.values) {
      this.values.push({ ...graphValue(value), name: place.rename(value.name) });
    }
    for (const node of graph.nodes) this.#addNode(node, place);
  }

  #addNode(node: OnnxNode, place: Place): void {
    const called = this.#functions.get(`${node.domain}.${node.opType}`);
    if (called !== undefined && place.depth < MAX_CALL_DEPTH) {
      this.#addCall(node, called, place);
      return;
    }
    const index = this.operators.length;
    if (index >= MAX_GRAPH_OPERATORS) {
      throw onnxErrors.graphTooLarge({ limit: MAX_GRAPH_OPERATORS });
    }
    const own = scopeOf(node.name);
    this.operators.push({
      name: node.name,
      opType: node.opType,
      domain: node.domain,
      scope: joinScopes(place.scope, own),
      inputs: node.inputs.map((tensor) => (tensor === '' ? '' : place.rename(tensor))),
      outputs: node.outputs.map((tensor) => (tensor === '' ? '' : place.rename(tensor))),
      attributes: node.attributes.map(({ name, summary, tensors }) => ({
        name,
        value: summary,
        isTensor: tensors.length > 0,
      })),
    });
    const inside = joinScopes(place.scope, own, lastPart(node.name) || `${node.opType}_${index}`);
    const results = node.attributes.flatMap(({ name, graphs }) =>
      graphs.flatMap((body) => this.#addBody(body, node.opType, joinScopes(inside, name), place)),
    );
    // What a body computes goes into its operator, so that the body does not hang loose beside it.
    const operator = this.operators[index];
    if (results.length > 0 && operator !== undefined) {
      this.operators[index] = { ...operator, inputs: [...operator.inputs, ...results] };
    }
  }

  /** Returns the names of the body's results. Names of outer tensors, those of `place`, are visible in it. */
  #addBody(body: OnnxGraph, opType: string, scope: string, place: Place): string[] {
    this.scopeNotes[scope] = `body of ${opType}`;
    const inside = new Set([
      ...body.inputs.map(({ name }) => name),
      ...body.initializers.map(({ name }) => name),
      ...body.nodes.flatMap(({ outputs }) => outputs),
    ]);
    const rename = (tensor: string): string =>
      inside.has(tensor) ? `${scope}/${tensor}` : place.rename(tensor);
    this.addGraph(body, { scope, rename, depth: place.depth });
    return body.outputs.map(({ name }) => rename(name));
  }

  #addCall(node: OnnxNode, called: OnnxFunction, place: Place): void {
    const own = lastPart(node.name) || `${node.opType}_${this.operators.length}`;
    const scope = joinScopes(place.scope, scopeOf(node.name), own);
    this.scopeNotes[scope] = `function ${called.name}`;
    const outside = new Map<string, string>();
    called.inputs.forEach((formal, at) => outside.set(formal, node.inputs[at] ?? ''));
    called.outputs.forEach((formal, at) => outside.set(formal, node.outputs[at] ?? ''));
    const rename = (tensor: string): string => {
      const actual = outside.get(tensor);
      if (actual === undefined) return `${scope}/${tensor}`;
      return actual === '' ? '' : place.rename(actual);
    };
    const inner: Place = { scope, rename, depth: place.depth + 1 };
    for (const step of called.nodes) this.#addNode(step, inner);
  }
}

function graphValue({ name, type }: OnnxValue): GraphValue {
  return {
    name,
    type: typeName(type),
    shape:
      type.dims === undefined ? undefined : shapeText(type.dims.map(({ symbol, size }) => symbol ?? size)),
  };
}

function shapeText(dims: readonly (string | number)[]): string {
  return `[${dims.map((dim) => (dim === -1 ? '?' : dim)).join(',')}]`;
}

function parts(name: string): string[] {
  return name.split('/').filter((part) => part !== '');
}

/** Scope in an operator's name: "/encoder/layer.0/MatMul" lies in "encoder/layer.0". */
function scopeOf(name: string): string {
  return parts(name).slice(0, -1).join('/');
}

function lastPart(name: string): string {
  return parts(name).at(-1) ?? '';
}

function joinScopes(...scopes: readonly string[]): string {
  return scopes.filter((scope) => scope !== '').join('/');
}

function typeName({ kind, elementType }: OnnxValue['type']): string | undefined {
  if (kind !== 'tensor') return kind === 'none' ? undefined : kind;
  return elementType === 0 ? undefined : elementTypeName(elementType);
}
