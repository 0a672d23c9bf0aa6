// Weights that an ONNX file keeps in other files. Their names stand in the file, so they are confined to its folder: by
// the same rule that ONNX Runtime applies, which takes links only when they stay there.

import { realpath } from 'node:fs/promises';
import path from 'node:path';

import { confinedPath } from '../base/confined-path.ts';
import { requireRegularFile } from '../base/regular-file.ts';
import type { OnnxGraph, OnnxModel, OnnxTensorInfo } from './onnx-model.ts';

/** Weights of a graph and of the graphs inside its nodes. */
export function* weightsOf(graph: OnnxGraph): Generator<OnnxTensorInfo> {
  yield* graph.initializers;
  for (const node of graph.nodes) {
    for (const attribute of node.attributes) {
      for (const inner of attribute.graphs) yield* weightsOf(inner);
    }
  }
}

/** Names of the files beside the model that hold weights, each once, as the model writes them. */
export function externalLocations(model: OnnxModel): readonly string[] {
  const names = new Set<string>();
  for (const { external } of weightsOf(model.graph)) if (external !== undefined) names.add(external.location);
  return [...names];
}

/**
 * Absolute path of a file of weights; undefined when its name leads out of the folder of the model file. The folder of
 * the file that a linked model file stands for counts too.
 */
export async function externalDataFile(modelFile: string, location: string): Promise<string | undefined> {
  if (path.isAbsolute(location)) return undefined;
  const folder = path.dirname(modelFile);
  const real = await realpath(modelFile).then(path.dirname, () => folder);
  return await confinedPath(location, { base: folder, within: [folder], alsoResolved: [real] });
}

/**
 * Throws INVALID_ARG when a file of weights is a named pipe or a device, which the runtime would wait for. Missing
 * files and names that lead elsewhere are left to the runtime, which refuses them in its own words.
 */
export async function requireRegularWeights(modelFile: string, model: OnnxModel): Promise<void> {
  for (const location of externalLocations(model)) {
    const file = await externalDataFile(modelFile, location);
    if (file === undefined) continue;
    await requireRegularFile(file).catch((thrown: unknown) => {
      if ((thrown as NodeJS.ErrnoException).code === 'INVALID_ARG') throw thrown;
    });
  }
}
