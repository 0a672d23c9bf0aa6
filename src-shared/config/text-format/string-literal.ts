// String literals of the text format: raw token text to value, value to quoted text.
// Octal and \x escapes are bytes of UTF-8; the decoded value must be valid UTF-8 as string fields demand.

const SIMPLE_ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '\\': 92,
  "'": 39,
  '"': 34,
  '?': 63,
};

const ESCAPE = /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]?))/g;

const utf8 = new TextEncoder();

interface DecodedString {
  readonly value: string;
  readonly problem: string | undefined;
}

/** Value of one literal, quotes included in `raw`; the closing quote may be missing. */
export function decodeStringLiteral(raw: string): DecodedString {
  const quote = raw.charAt(0);
  const isClosed = raw.length > 1 && raw.endsWith(quote);
  const body = raw.slice(1, isClosed ? -1 : undefined);
  if (!body.includes('\\')) return { value: body, problem: undefined };
  return decodeEscapes(body);
}

function decodeEscapes(body: string): DecodedString {
  const parts: Uint8Array[] = [];
  let problem: string | undefined;
  let last = 0;
  for (const match of body.matchAll(ESCAPE)) {
    parts.push(utf8.encode(body.slice(last, match.index)));
    last = match.index + match[0].length;
    const bytes = escapeBytes(match);
    if (bytes === undefined) problem ??= 'Invalid escape sequence in string literal.';
    else parts.push(bytes);
  }
  parts.push(utf8.encode(body.slice(last)));
  const bytes = concatenate(parts);
  try {
    return { value: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), problem };
  } catch {
    return { value: new TextDecoder().decode(bytes), problem: problem ?? 'String is not valid UTF-8.' };
  }
}

function escapeBytes(match: RegExpExecArray): Uint8Array | undefined {
  const [, octal, hex, short, long, other] = match;
  if (octal !== undefined) return Uint8Array.of(Number.parseInt(octal, 8) & 255);
  if (hex !== undefined) return Uint8Array.of(Number.parseInt(hex, 16));
  const codePointText = short ?? long;
  if (codePointText !== undefined) {
    const codePoint = Number.parseInt(codePointText, 16);
    return codePoint > 0x10ffff ? undefined : utf8.encode(String.fromCodePoint(codePoint));
  }
  const simple = SIMPLE_ESCAPES[other ?? ''];
  return simple === undefined ? undefined : Uint8Array.of(simple);
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

const PRINTED_ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '"': '\\"',
  '\\': '\\\\',
};

/** Text without a character that has to be escaped. */
const PLAIN = /^[^\p{Cc}"\\]*$/u;

/** `value` as a double-quoted literal; readable Unicode stays as it is. */
export function encodeStringLiteral(value: string): string {
  if (PLAIN.test(value)) return `"${value}"`;
  let text = '"';
  for (const character of value) {
    const code = character.codePointAt(0) ?? 0;
    const escaped = PRINTED_ESCAPES[character];
    if (escaped !== undefined) text += escaped;
    else if (code < 32 || code === 127) text += `\\${code.toString(8).padStart(3, '0')}`;
    else text += character;
  }
  return `${text}"`;
}
