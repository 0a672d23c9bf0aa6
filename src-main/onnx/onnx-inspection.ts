// Facts about one .onnx file for people: what goes in and out, which operators, how many parameters, which files belong
// to it. Reads structure only; the configuration that would suit it is derived elsewhere.

import { stat } from 'node:fs/promises';
import path from 'node:path';

import type { OnnxInspection } from '../../src-shared/contract/config-calls.ts';
import { toServerError } from '../../src-shared/errors.ts';
import { suggestedName } from '../base/suggested-name.ts';
import { describeOnnx } from './describe-onnx.ts';
import { externalDataFile, externalLocations, weightsOf } from './external-data.ts';
import type { OnnxGraph, OnnxModel, OnnxNode } from './onnx-model.ts';
import type { ReadOnnxOptions } from './onnx-reader.ts';
import { readOnnx } from './onnx-reader.ts';

/** What a file says of itself, before anything is made of it. */
export type OnnxFacts = Omit<OnnxInspection, 'suggestedConfig'>;

/** Nodes of a graph and of the graphs inside its nodes. */
function* nodesOf(graph: OnnxGraph): Generator<OnnxNode> {
  for (const node of graph.nodes) {
    yield node;
    for (const attribute of node.attributes) {
      for (const inner of attribute.graphs) yield* nodesOf(inner);
    }
  }
}

function countOperators(model: OnnxModel): OnnxFacts['operators'] {
  const counts = new Map<string, number>();
  for (const { domain, opType } of nodesOf(model.graph)) {
    const type = domain === '' ? opType : `${domain}.${opType}`;
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return [...counts]
    .map(([type, count]) => ({ type, count }))
    .sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1));
}

/** Files beside the model that hold weights, each once, with its size: as far as the model reads it where it is missing. */
async function findExternalData(file: string, model: OnnxModel): Promise<OnnxFacts['externalData']> {
  return Promise.all(
    externalLocations(model).map(async (name) => {
      const data = await externalDataFile(file, name);
      const facts = data === undefined ? undefined : await stat(data).catch(() => undefined);
      return { name, byteSize: facts?.size ?? readByteSize(model, name), isFound: facts?.isFile() === true };
    }),
  );
}

function readByteSize(model: OnnxModel, name: string): number {
  const ends = [...weightsOf(model.graph)].map(({ external, byteSize }) =>
    external?.location === name ? external.byteOffset + (external.byteSize ?? byteSize) : 0,
  );
  return ends.reduce((most, end) => Math.max(most, end), 0);
}

function problemOf(facts: Pick<OnnxFacts, 'description' | 'externalData'>): string | undefined {
  const missing = facts.externalData.find(({ isFound }) => !isFound);
  if (missing !== undefined) return `its weights are in '${missing.name}', which is not beside it`;
  const odd = [...facts.description.inputs, ...facts.description.outputs].find(
    ({ kind }) => kind !== 'tensor',
  );
  if (odd !== undefined) return `'${odd.name}' is a ${odd.kind}, and only tensors can be served`;
  return undefined;
}

/** Rejects like readOnnx when the file cannot be read as ONNX. */
export async function inspectOnnx(file: string, options: ReadOnnxOptions = {}): Promise<OnnxFacts> {
  const model = await readOnnx(file, options);
  const description = describeOnnx(model);
  const externalData = await findExternalData(file, model);
  const operators = countOperators(model);
  const elements = [...weightsOf(model.graph)].map(({ dims }) => dims.reduce((all, dim) => all * dim, 1));
  return {
    path: path.resolve(file),
    byteSize: model.fileByteSize,
    irVersion: model.irVersion,
    opsets: model.opsets,
    producer:
      [model.producerName, model.producerVersion].filter((part) => part !== '').join(' ') || undefined,
    operators,
    operatorCount: operators.reduce((sum, { count }) => sum + count, 0),
    parameterCount: elements.reduce((sum, count) => sum + count, 0),
    externalData,
    metadata: model.metadata,
    description,
    suggestedName: suggestedName(file),
    problem: problemOf({ description, externalData }),
  };
}

/** The same for a file that may be no ONNX at all: then only `problem` says something. */
export async function inspectAnyFile(file: string, options: ReadOnnxOptions = {}): Promise<OnnxFacts> {
  try {
    return await inspectOnnx(file, options);
  } catch (thrown) {
    options.signal?.throwIfAborted();
    return {
      path: path.resolve(file),
      byteSize: (await stat(file).catch(() => undefined))?.size ?? 0,
      irVersion: 0,
      opsets: [],
      producer: undefined,
      operators: [],
      operatorCount: 0,
      parameterCount: 0,
      externalData: [],
      metadata: {},
      description: { inputs: [], outputs: [] },
      suggestedName: suggestedName(file),
      problem: toServerError(thrown).message,
    };
  }
}
