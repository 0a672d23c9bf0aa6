// Text of docs/options.md: every option of `conch serve`, from the table that the command line itself is read with.

import { OPTION_GROUPS } from '../src-main/options/option-definition.ts';
import type { OptionDefinition, OptionGroup } from '../src-main/options/option-definition.ts';

const HEAD = `# Options of the server

Every option of \`conch serve\`, as \`conch serve --help\` prints them too. They are those of \`tritonserver\`, by the same
names and with the same values; the group "Conch" is what only this server has. This page is written by
\`npm run docs\` from \`src-main/options/table\`.

An option is given as \`--name=value\` or \`--name value\`, and its name may be cut short as long as one option alone begins
so. Booleans are \`true\`, \`on\`, \`1\` or \`false\`, \`off\`, \`0\` in any case. Where an option has a setting, the setting counts
while the command line is silent, and the window marks it where an option was given instead.
`;

const TITLES: Partial<Record<OptionGroup, string>> = {
  '': 'Help',
  GRPC: 'gRPC',
  Sagemaker: 'SageMaker',
  Vertex: 'Vertex AI',
  DEPRECATED: 'Deprecated',
};

/** Markdown of the page. */
export function optionsPage(options: readonly OptionDefinition[]): string {
  const sections = OPTION_GROUPS.map((group) => {
    const rows = options.filter((option) => option.group === group).map(row);
    const title = TITLES[group] ?? group;
    return [
      `## ${title}`,
      '',
      '| Option | Default | What it does | Setting |',
      '| --- | --- | --- | --- |',
      ...rows,
      '',
    ].join('\n');
  });
  return [HEAD, ...sections].join('\n');
}

function row({ name, argument, help, standard, noEffect, settings = [] }: OptionDefinition): string {
  const form = argument === undefined ? `--${name}` : `--${name} <${argument}>`;
  const effect = noEffect === undefined ? '' : ` **No effect here:** ${noEffect}`;
  const shown = settings.map(({ definition: { group, section, title } }) =>
    [group, section, title].filter((part) => part !== undefined).join(' / '),
  );
  const cells = [`\`${form}\``, standard === undefined ? '' : `\`${standard}\``, `${help}${effect}`];
  return `| ${[...cells, shown.join('; ')].map(cell).join(' | ')} |`;
}

/** A bar would end the cell, and what stands in angle brackets would count as a tag. */
function cell(text: string): string {
  const parts = text.split('`');
  return parts
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll('<', '\\<')))
    .join('`')
    .replaceAll('|', '\\|');
}
