// Typed objects as a YAML file with a comment in front. The same object gives the same bytes. Texts that readers of older
// YAML take for something else ("on", "22:22") are quoted.

import { stringify } from 'yaml';

import type { HandoverFile } from '../../src-shared/contract/handover-calls.ts';

/** What the file holds: plain values, without dates, classes or cycles. */
export type YamlValue =
  | string
  | number
  | boolean
  | readonly YamlValue[]
  | { readonly [key: string]: YamlValue | undefined };

/** `comment` by lines, without marks. Properties that are undefined are left out. */
export function yamlFile(path: string, comment: readonly string[], value: YamlValue): HandoverFile {
  const head = comment.map((line) => `# ${line}`.trimEnd()).join('\n');
  const body = stringify(value, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
  return { path, text: `${head}\n${body.replace(/^%YAML.*\n---\n/, '')}` };
}
