// Which backend a file of Python source is a model of, told by its name and text. Nothing of it is run.

import path from 'node:path';

import { readTextFile } from '../../base/regular-file.ts';

const PYTHON_CLASS = /\bTritonPythonModel\b/;
const DALI_MARK = /@autoserialize\b/;

/** File name in a version folder of the model that the source is; undefined = it is no model. */
export async function sourceArtefact(location: string): Promise<'model.py' | 'dali.py' | undefined> {
  if (path.extname(location).toLowerCase() !== '.py') return undefined;
  const text = await readTextFile(location).catch(() => '');
  if (PYTHON_CLASS.test(text)) return 'model.py';
  return DALI_MARK.test(text) ? 'dali.py' : undefined;
}
