// Header fields to a header block (RFC 7541) that needs no dynamic table, so the same bytes serve every connection.

import { STATIC_TABLE } from './static-table.ts';

const staticIndex = new Map<string, number>();
STATIC_TABLE.forEach(([name, value], index) => {
  if (!staticIndex.has(name)) staticIndex.set(name, index + 1);
  staticIndex.set(`${name}: ${value}`, index + 1);
});

/** `fields`: name, value, name, value ... one char per byte. */
export function encodeHeaderBlock(fields: readonly string[]): Buffer {
  const bytes: number[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const name = fields[index] ?? '';
    const value = fields[index + 1] ?? '';
    const whole = value === '' ? undefined : staticIndex.get(`${name}: ${value}`);
    if (whole !== undefined) {
      writeInteger(bytes, 0x80, 7, whole);
      continue;
    }
    const named = staticIndex.get(name) ?? 0;
    writeInteger(bytes, 0, 4, named);
    if (named === 0) writeText(bytes, name);
    writeText(bytes, value);
  }
  return Buffer.from(bytes);
}

function writeInteger(bytes: number[], pattern: number, prefixBits: number, value: number): void {
  const mask = (1 << prefixBits) - 1;
  if (value < mask) {
    bytes.push(pattern | value);
    return;
  }
  bytes.push(pattern | mask);
  let rest = value - mask;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  bytes.push(rest);
}

function writeText(bytes: number[], text: string): void {
  writeInteger(bytes, 0, 7, text.length);
  for (let index = 0; index < text.length; index += 1) bytes.push(text.charCodeAt(index) & 0xff);
}
