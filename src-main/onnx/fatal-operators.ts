// Operators for which the runtime ends the whole process, instead of failing the run, when a tensor has no elements:
// an exception in one of its threads that nothing catches. Found by running all operators on empty tensors.

import type { OnnxGraph, OnnxModel, OnnxNode } from './onnx-model.ts';

const FATAL = new Set(['GRU']);

/** The first such operator of a model, bodies of control flow and the file's functions included. */
export function fatalOnEmptyTensors({ graph, functions }: OnnxModel): string | undefined {
  return fatalNode(graph.nodes) ?? fatalNode(functions.flatMap(({ nodes }) => nodes));
}

function fatalNode(nodes: readonly OnnxNode[]): string | undefined {
  for (const { domain, opType, attributes } of nodes) {
    if ((domain === '' || domain === 'ai.onnx') && FATAL.has(opType)) return opType;
    const bodies = attributes.flatMap(({ graphs }): readonly OnnxGraph[] => graphs);
    const found = fatalNode(bodies.flatMap((body) => body.nodes));
    if (found !== undefined) return found;
  }
  return undefined;
}
