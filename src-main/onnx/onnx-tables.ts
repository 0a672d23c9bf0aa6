// Field tables of graphs, nodes, functions and the model itself: which field goes where. What is absent here is skipped.

import type {
  OnnxAttribute,
  OnnxFunction,
  OnnxGraph,
  OnnxModel,
  OnnxNode,
  OnnxOpset,
  OnnxTensorInfo,
  OnnxValue,
} from './onnx-model.ts';
import { elementTypeName } from './onnx-types.ts';
import {
  ENTRY,
  TENSOR,
  VALUE,
  asVarint,
  finishTensor,
  newEntry,
  newTensor,
  newValue,
} from './value-tables.ts';
import type { Draft } from './value-tables.ts';
import { nested, packed, text } from './wire-cursor.ts';
import type { MessageTable, WireCursor } from './wire-cursor.ts';

type Lists<T> = { [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

const asFloat = (cursor: WireCursor): number => cursor.float32();

// --- attributes and nodes --------------------------------------------------------------------------------------------

interface AttributeDraft {
  name: string;
  values: (number | string)[];
  isList: boolean;
  graphs: OnnxGraph[];
  tensors: OnnxTensorInfo[];
}

const newAttribute = (): AttributeDraft => ({
  name: '',
  values: [],
  isList: false,
  graphs: [],
  tensors: [],
});

const addItem = (into: AttributeDraft, value: number | string): void => {
  into.isList = true;
  into.values.push(value);
};

const tensorSummary = (tensor: OnnxTensorInfo): string =>
  `tensor ${elementTypeName(tensor.elementType)} [${tensor.dims.join(', ')}]`;

const oneTensor = (add: (into: AttributeDraft, summary: string) => unknown) =>
  nested(
    newTensor,
    () => TENSOR,
    (into: AttributeDraft, tensor) => {
      const finished = finishTensor(tensor);
      into.tensors.push(finished);
      add(into, tensorSummary(finished));
    },
  );

const oneGraph = () =>
  nested(
    newGraph,
    () => GRAPH,
    (into: AttributeDraft, graph) => {
      into.graphs.push(graph);
      into.values.push(`graph of ${graph.nodes.length} nodes`);
    },
  );

const ATTRIBUTE: MessageTable<AttributeDraft> = {
  1: { name: 'name', block: text((into, value) => (into.name = value)) },
  2: { name: 'f', scalar: (into, value) => into.values.push(value) },
  3: { name: 'i', scalar: (into, value) => into.values.push(value) },
  4: { name: 's', block: text((into, value) => into.values.push(value), 256) },
  5: { name: 't', block: oneTensor((into, summary) => into.values.push(summary)) },
  6: { name: 'g', block: oneGraph() },
  7: { name: 'floats', block: packed(asFloat, addItem), scalar: addItem },
  8: { name: 'ints', block: packed(asVarint, addItem), scalar: addItem },
  9: { name: 'strings', block: text(addItem, 256) },
  10: { name: 'tensors', block: oneTensor(addItem) },
  11: { name: 'graphs', block: oneGraph() },
  21: { name: 'ref_attr_name', block: text((into, value) => into.values.push(`of function: ${value}`)) },
  22: { name: 'sparse_tensor', block: (into) => void into.values.push('sparse tensor') },
};

const SHOWN_ITEMS = 16;

function finishAttribute(draft: AttributeDraft): OnnxAttribute {
  const shown = draft.values.slice(0, SHOWN_ITEMS).join(', ');
  const rest = draft.values.length > SHOWN_ITEMS ? `, ... ${draft.values.length} in all` : '';
  const { name, isList, graphs, tensors } = draft;
  return { name, summary: isList ? `[${shown}${rest}]` : shown, graphs, tensors };
}

const NODE: MessageTable<Lists<Draft<OnnxNode>>> = {
  1: { name: 'input', block: text((into, value) => into.inputs.push(value)) },
  2: { name: 'output', block: text((into, value) => into.outputs.push(value)) },
  3: { name: 'name', block: text((into, value) => (into.name = value)) },
  4: { name: 'op_type', block: text((into, value) => (into.opType = value)) },
  5: {
    name: 'attribute',
    block: nested(
      newAttribute,
      () => ATTRIBUTE,
      (into, attribute) => into.attributes.push(finishAttribute(attribute)),
    ),
  },
  7: { name: 'domain', block: text((into, value) => (into.domain = value)) },
};

const newNode = (): Lists<Draft<OnnxNode>> => ({
  name: '',
  opType: '',
  domain: '',
  inputs: [],
  outputs: [],
  attributes: [],
});

// --- graph, functions, model -----------------------------------------------------------------------------------------

type GraphDraft = Lists<Draft<OnnxGraph>>;

function newGraph(): GraphDraft {
  return { name: '', inputs: [], outputs: [], values: [], initializers: [], nodes: [] };
}

const values = (list: (into: GraphDraft) => OnnxValue[]) =>
  nested(
    newValue,
    () => VALUE,
    (into: GraphDraft, value) => void list(into).push(value),
  );

const GRAPH: MessageTable<GraphDraft> = {
  1: {
    name: 'node',
    block: nested(
      newNode,
      () => NODE,
      (into, node) => into.nodes.push(node),
    ),
  },
  2: { name: 'name', block: text((into, value) => (into.name = value)) },
  5: {
    name: 'initializer',
    block: nested(
      newTensor,
      () => TENSOR,
      (into, tensor) => into.initializers.push(finishTensor(tensor)),
    ),
  },
  11: { name: 'input', block: values((into) => into.inputs) },
  12: { name: 'output', block: values((into) => into.outputs) },
  13: { name: 'value_info', block: values((into) => into.values) },
};

const OPSET: MessageTable<Draft<OnnxOpset>> = {
  1: { name: 'domain', block: text((into, value) => (into.domain = value)) },
  2: { name: 'version', scalar: (into, value) => (into.version = value) },
};

const FUNCTION: MessageTable<Lists<Draft<OnnxFunction>>> = {
  1: { name: 'name', block: text((into, value) => (into.name = value)) },
  4: { name: 'input', block: text((into, value) => into.inputs.push(value)) },
  5: { name: 'output', block: text((into, value) => into.outputs.push(value)) },
  7: {
    name: 'node',
    block: nested(
      newNode,
      () => NODE,
      (into, node) => into.nodes.push(node),
    ),
  },
  10: { name: 'domain', block: text((into, value) => (into.domain = value)) },
};

interface ModelDraft extends Lists<Draft<Omit<OnnxModel, 'metadata' | 'graph' | 'fileByteSize'>>> {
  metadata: Record<string, string>;
  graph: OnnxGraph | undefined;
}

/** What a file means that says nothing. */
export function newModel(): ModelDraft {
  return {
    irVersion: 0,
    producerName: '',
    producerVersion: '',
    domain: '',
    modelVersion: 0,
    opsets: [],
    metadata: {},
    graph: undefined,
    functions: [],
  };
}

/** Fields of ModelProto, by field number. */
export const MODEL: MessageTable<ModelDraft> = {
  1: { name: 'ir_version', scalar: (into, value) => (into.irVersion = value) },
  2: { name: 'producer_name', block: text((into, value) => (into.producerName = value)) },
  3: { name: 'producer_version', block: text((into, value) => (into.producerVersion = value)) },
  4: { name: 'domain', block: text((into, value) => (into.domain = value)) },
  5: { name: 'model_version', scalar: (into, value) => (into.modelVersion = value) },
  7: {
    name: 'graph',
    block: nested(
      newGraph,
      () => GRAPH,
      (into, graph) => (into.graph = graph),
    ),
  },
  8: {
    name: 'opset_import',
    block: nested(
      (): Draft<OnnxOpset> => ({ domain: '', version: 0 }),
      () => OPSET,
      (into, opset) => into.opsets.push(opset),
    ),
  },
  14: {
    name: 'metadata_props',
    block: nested(
      newEntry,
      () => ENTRY,
      (into, entry) => (into.metadata[entry.key] = entry.value),
    ),
  },
  25: {
    name: 'functions',
    block: nested(
      (): Lists<Draft<OnnxFunction>> => ({ name: '', domain: '', inputs: [], outputs: [], nodes: [] }),
      () => FUNCTION,
      (into, entry) => into.functions.push(entry),
    ),
  },
};
