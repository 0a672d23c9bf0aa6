// Whether a dropped model has the same inputs and outputs as one that is there: then it is a new version of it.

import { readdir } from 'node:fs/promises';
import path from 'node:path';

import type { ModelDescription } from '../../../src-shared/config/model-description.ts';
import { inspectAnyFile } from '../../onnx/onnx-inspection.ts';
import type { FolderFacts } from '../catalog/folder-facts.ts';

/** Names, datatypes and shapes count, in any order. False when either file cannot be read. */
export async function hasSameInterface(
  dropped: { readonly path: string; readonly kind: string },
  existing: FolderFacts,
): Promise<boolean> {
  const own = await newestModelFile(existing.path);
  const other = dropped.kind === 'onnx' ? dropped.path : await newestModelFile(dropped.path);
  if (own === undefined || other === undefined) return false;
  const [a, b] = await Promise.all([inspectAnyFile(own), inspectAnyFile(other)]);
  return (
    a.problem === undefined &&
    b.problem === undefined &&
    signature(a.description) === signature(b.description)
  );
}

/** The .onnx file of the highest version, or of the folder itself when it is a version folder. */
async function newestModelFile(folder: string): Promise<string | undefined> {
  const names = await readdir(folder);
  const versions = names.filter((name) => /^[1-9]\d*$/.test(name)).sort((a, b) => Number(a) - Number(b));
  const newest = versions.at(-1);
  const inside = newest === undefined ? folder : path.join(folder, newest);
  const file = (await readdir(inside)).find((name) => name.endsWith('.onnx'));
  return file === undefined ? undefined : path.join(inside, file);
}

function signature({ inputs, outputs }: ModelDescription): string {
  const tensors = (list: ModelDescription['inputs']): string =>
    list
      .map(({ name, datatype, shape }) => `${name}:${datatype ?? ''}:${shape.join(',')}`)
      .sort()
      .join(';');
  return `${tensors(inputs)}|${tensors(outputs)}`;
}
