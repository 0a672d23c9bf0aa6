// Finds and reads the golden model configurations. Each case is a model folder or a small repository of them;
// `expected*` files hold one acceptable answer each.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fixture } from '../../src-main/testing/fixtures.ts';
import type { ModelDescription } from '../../src-shared/config/model-description.ts';
import { describeOnnx } from '../../src-main/onnx/describe-onnx.ts';
import { readOnnx } from '../../src-main/onnx/onnx-reader.ts';

/** Our own, and more where CONCH_FIXTURES names a folder that has them. */
const ROOTS = [
  fixture('configurations'),
  path.join(process.env['CONCH_FIXTURES'] ?? path.resolve(import.meta.dirname, '../../../shared'), 'golden', 'config'),
];

export interface GoldenCase {
  readonly name: string;
  readonly folder: string;
  /** Contents of the `expected*` files by file name. */
  readonly expected: ReadonlyMap<string, string>;
}

/** Sorted names of the sub-folders; empty when there is no such folder. */
export function foldersIn(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .filter((name) => statSync(path.join(root, name)).isDirectory())
    .sort();
}

/** Cases of one group, such as `reject/platform`. */
export function goldenCases(group: string): GoldenCase[] {
  return ROOTS.map((root) => path.join(root, group)).flatMap((root) =>
    foldersIn(root).map((name) => {
      const folder = path.join(root, name);
      return { name, folder, expected: expectedIn(folder, name) };
    }),
  );
}

/** Expectations lie in the case folder or in the model folder of the same name inside it. */
function expectedIn(folder: string, name: string): Map<string, string> {
  const home = existsSync(path.join(folder, name)) ? [folder, path.join(folder, name)] : [folder];
  const files = home.flatMap((each) =>
    readdirSync(each)
      .filter((file) => file.startsWith('expected'))
      .map((file): [string, string] => [file, readFileSync(path.join(each, file), 'utf8')]),
  );
  return new Map(files);
}

/** Text of the config in `folder`; empty when it has none. */
export function configText(folder: string, fileName = 'config.pbtxt'): string {
  const file = path.join(folder, fileName);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** What the model file of version 1 in `folder` says; undefined when there is none. */
export async function describeModelFile(folder: string): Promise<ModelDescription | undefined> {
  const file = path.join(folder, '1', 'model.onnx');
  return existsSync(file) ? describeOnnx(await readOnnx(file)) : undefined;
}

/** First line of an expectation as the regular expression it is. */
export function messagePattern(expected: string): RegExp {
  const line = expected.split('\n')[0] ?? '';
  return new RegExp(line.replaceAll(/(?<!\\)[()]/g, '\\$&'));
}
