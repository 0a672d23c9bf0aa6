// The file of TRITON_CLOUD_CREDENTIAL_PATH: for each store, credentials by the beginning of the paths they are for. Its
// content is secret: no error quotes any of it.

import { readFile } from 'node:fs/promises';

import { systemText } from '../base/read-error.ts';
import { storeErrors } from './store-errors.ts';
import type { StoreKind } from './store-path.ts';

/** Name -> what the file has under it, unread. */
export type CredentialFile = Readonly<Record<StoreKind, Readonly<Record<string, unknown>>>>;

/** A store that is absent has no names. INTERNAL for a file that is missing or no JSON object. */
export async function readCredentialFile(file: string): Promise<CredentialFile> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (thrown) {
    throw storeErrors.credentialFile({ file, reason: systemText(thrown) }, { cause: thrown });
  }
  const content = parsed(text);
  if (!isRecord(content)) throw storeErrors.credentialFile({ file, reason: 'it is no JSON object' });
  const of = (kind: StoreKind): Readonly<Record<string, unknown>> => {
    const entries = content[kind];
    return isRecord(entries) ? entries : {};
  };
  return { s3: of('s3'), gs: of('gs'), as: of('as') };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own words quote the text.
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
