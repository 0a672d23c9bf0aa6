// Hides what differs between any two servers: times, process numbers, addresses, ports and folders. Nothing else.

import type { Target } from './reference-case.ts';

/** `I1122 21:39:42.932823 21999 tritonserver.cc:2598] ` becomes `I `. */
const LOG_HEAD = /^([IWEF])\d{4} [\d:.]+ \d+ [\w.-]+:\d+\] /gm;
const ADDRESS = /0x[0-9a-f]+/g;

export function hideVolatile(text: string, { folders, ports }: Pick<Target, 'folders' | 'ports'>): string {
  let shown = text.replace(LOG_HEAD, '$1 ').replace(ADDRESS, '0x#');
  folders.forEach((folder, index) => (shown = shown.replaceAll(folder, `<repository ${index}>`)));
  for (const port of ports) shown = shown.replaceAll(String(port), '<port>');
  return shown;
}

export interface LogRecord {
  readonly level: string;
  readonly text: string;
}

/** Records of the log with their level; lines without a head belong to the record before them. */
export function logRecords(text: string): readonly LogRecord[] {
  const records: { level: string; text: string }[] = [];
  for (const line of text.split('\n')) {
    const head = /^([IWEF])(?:\d{4} [\d:.]+ \d+ [\w.-]+:\d+\])? (.*)$/.exec(line);
    const last = records.at(-1);
    if (head !== null && /^[IWEF]\d{4} /.test(line))
      records.push({ level: head[1] ?? '', text: head[2] ?? '' });
    else if (last !== undefined) last.text += `\n${line}`;
  }
  return records.map(({ level, text: shown }) => ({ level, text: unquoted(shown.trimEnd()) }));
}

/** Records are written as JSON texts. */
function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}
