// The body of a load request: an overriding configuration and files. Pure, so that large bodies (files in base64) can
// be read in a worker.

import { checkPartCount } from '../../base/request-limits.ts';
import { JsonObject, parseJson } from '../../tensor/json-document.ts';
import { httpErrors } from './http-errors.ts';
import { asMembers, asString } from './json-members.ts';

/** The body of a load call. */
export interface ParsedLoad {
  readonly configJson: string | undefined;
  /** "<version>/<file name>" -> content. */
  readonly files: Map<string, Uint8Array>;
}

const FILE_PREFIX = 'file:';

/** An empty body is a load without overrides. Throws INTERNAL for what is no JSON or of the wrong type. */
export function parseLoad(json: Buffer): ParsedLoad {
  const files = new Map<string, Uint8Array>();
  let configJson: string | undefined;
  const root = json.length === 0 ? undefined : parseJson(json);
  const found = root instanceof JsonObject ? root.get('parameters') : undefined;
  const parameters = found === undefined ? new JsonObject() : asMembers(found);
  checkPartCount('parameters', parameters.keys.length);
  for (const [key, value] of parameters.members()) {
    const text = asString(value, '');
    if (key === 'config') configJson = text;
    else if (key.startsWith(FILE_PREFIX)) {
      // Characters outside the alphabet are skipped, as in the reference.
      files.set(key.slice(FILE_PREFIX.length), new Uint8Array(Buffer.from(text, 'base64')));
    } else throw httpErrors.loadParameter();
  }
  return { configJson, files };
}
