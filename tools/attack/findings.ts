// Inputs that did harm, kept as files so that they can be looked at and sent again.

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { root } from '../bootstrap.mjs';

const FINDINGS_FOLDER = path.join(root, '.cache', 'attack');

/** `seed`, `className` and `index` make the same input again; `fault` says what it did. */
export interface Finding {
  readonly seed: number;
  readonly className: string;
  readonly index: number;
  readonly fault: string;
  readonly input: unknown;
}

/** Bytes as base64, everything else as JSON. Returns the file. */
export async function keepFinding(finding: Finding): Promise<string> {
  await mkdir(FINDINGS_FOLDER, { recursive: true });
  const file = path.join(FINDINGS_FOLDER, `${finding.className}-${finding.seed}-${finding.index}.json`);
  await writeFile(
    file,
    JSON.stringify(finding, (_, value: unknown) => readable(value), 1),
  );
  return file;
}

function readable(value: unknown): unknown {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  const packed = value as { readonly type?: unknown; readonly data?: unknown } | null;
  if (typeof packed === 'object' && packed?.type === 'Buffer' && Array.isArray(packed.data)) {
    return { base64: Buffer.from(packed.data as number[]).toString('base64') };
  }
  return typeof value === 'bigint' ? String(value) : value;
}
