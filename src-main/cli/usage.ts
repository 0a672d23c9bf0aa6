// The usage text, made from the flag table: groups in a fixed order, one entry per option.

import type { Flag } from '../options/option-definition.ts';
import { FLAG_GROUPS } from '../options/option-definition.ts';

const WRAP_COLUMN = 60;

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > WRAP_COLUMN) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

function entry(flag: Flag): string {
  const head = flag.argument === undefined ? `  --${flag.name}` : `  --${flag.name} <${flag.argument}>`;
  const text =
    flag.noEffect === undefined ? flag.help : `${flag.help} Accepted, without effect: ${flag.noEffect}`;
  return [head, ...wrap(text).map((line) => `\t${line}`)].join('\n');
}

/** Text for `serve --help` and for every usage error. */
export function usageText(flags: readonly Flag[]): string {
  const blocks = FLAG_GROUPS.flatMap((group) => {
    const entries = flags.filter((flag) => flag.group === group).map(entry);
    if (entries.length === 0) return [];
    return [group === '' ? entries.join('\n') : `${group}:\n${entries.join('\n')}`];
  });
  return `Usage: tritonserver [options]\n${blocks.join('\n\n')}\n`;
}
