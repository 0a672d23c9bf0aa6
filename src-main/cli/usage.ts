// The usage text, made from the table of options: groups in a fixed order, one entry per option.

import type { OptionDefinition } from '../options/option-definition.ts';
import { OPTION_GROUPS, wholeHelp } from '../options/option-definition.ts';

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

function entry(option: OptionDefinition): string {
  const { name, argument } = option;
  const head = argument === undefined ? `  --${name}` : `  --${name} <${argument}>`;
  return [head, ...wrap(wholeHelp(option)).map((line) => `\t${line}`)].join('\n');
}

/** Text for `serve --help` and for every usage error; another program has another `head`. */
export function usageText(
  options: readonly OptionDefinition[],
  head = 'Usage: tritonserver [options]',
): string {
  const blocks = OPTION_GROUPS.flatMap((group) => {
    const entries = options.filter((option) => option.group === group).map(entry);
    if (entries.length === 0) return [];
    return [group === '' ? entries.join('\n') : `${group}:\n${entries.join('\n')}`];
  });
  return `${head}\n${blocks.join('\n\n')}\n`;
}
