// What a header list must be to be a request (RFC 9113, section 8.1 to 8.3).

const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const WRONG_VALUE = /[\0\r\n]|^[ \t]|[ \t]$/;
const LENGTH = /^[0-9]{1,15}$/;
const OF_CONNECTIONS = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);
const PSEUDO = new Set([':method', ':scheme', ':path', ':authority']);

/** The header fields of a request, after the checks of RFC 9113. */
export interface RequestFields {
  readonly method: string;
  readonly path: string;
  readonly contentLength: number | undefined;
  /** name, value, name, value ..., pseudo fields included. */
  readonly fields: readonly string[];
}

/** The text says what is wrong. */
export function readRequestFields(fields: readonly string[]): RequestFields | string {
  const pseudo = new Map<string, string>();
  let contentLength: number | undefined;
  let isBehindPseudo = false;
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const name = fields[index] ?? '';
    const value = fields[index + 1] ?? '';
    if (name.startsWith(':')) {
      if (isBehindPseudo || !PSEUDO.has(name) || pseudo.has(name)) return `unexpected field '${name}'`;
      if (WRONG_VALUE.test(value)) return `wrong value of '${name}'`;
      pseudo.set(name, value);
      continue;
    }
    isBehindPseudo = true;
    const wrong = fieldFault(name, value);
    if (wrong !== undefined) return wrong;
    if (name !== 'content-length') continue;
    if (!LENGTH.test(value) || (contentLength !== undefined && contentLength !== Number(value))) {
      return 'wrong content-length';
    }
    contentLength = Number(value);
  }
  const method = pseudo.get(':method');
  const path = pseudo.get(':path');
  if (method === undefined || path === undefined || path === '' || !pseudo.has(':scheme')) {
    return 'no method, scheme or path';
  }
  return { method, path, contentLength, fields };
}

/** The text says what is wrong with the fields behind a body. */
export function trailersFault(fields: readonly string[]): string | undefined {
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const wrong = fieldFault(fields[index] ?? '', fields[index + 1] ?? '');
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function fieldFault(name: string, value: string): string | undefined {
  if (!NAME.test(name)) return `wrong name '${name}'`;
  if (OF_CONNECTIONS.has(name)) return `'${name}' has no meaning here`;
  if (name === 'te' && value !== 'trailers') return "wrong value of 'te'";
  return WRONG_VALUE.test(value) ? `wrong value of '${name}'` : undefined;
}
