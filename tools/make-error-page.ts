// `npm run error-page`: writes docs/errors.md from the catalogues of errors. `-- --check` compares instead.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { status } from '@grpc/grpc-js';

import { STATUS_MAP } from '../src-main/service/status-map.ts';
import type { ListedCatalogue } from './errors/catalogues.ts';
import { CATALOGUES } from './errors/catalogues.ts';

const pageFile = path.resolve(import.meta.dirname, '../docs/errors.md');

const HEAD = `# Errors

What a message means and what to do about it. Names in braces stand for values. Texts that clients of Triton know are
kept to the letter, blanks included. Where a message is \`{reason}\` alone, the words are those of the runtime, the system or
the model. Clients of the server see the errors of the first parts, the window those that follow, and whoever uses the
command line those of the last. This page is written by
\`npm run error-page\` from the places that define these errors. What is wrong in a configuration is listed in
[model-configuration.md](model-configuration.md).

Every error has one of eight codes:

| Code | HTTP | gRPC |
| --- | --- | --- |
${Object.entries(STATUS_MAP)
  .map(([code, { http, grpc }]) => `| ${code} | ${http} | ${status[grpc]} |`)
  .join('\n')}
`;

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** As code; with two marks around it where the text has the mark itself. */
function verbatim(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

function section(title: string, { room, entries }: ListedCatalogue): string {
  const rows = Object.entries(entries).map(
    ([name, { code, text, cause, remedy }]) =>
      `| \`${room}/${name}\` | ${code} | ${verbatim(cell(text.trim()))} | ${cell(cause)} | ${cell(remedy)} |`,
  );
  const head = '| Error | Code | Message | What has happened | What to do |\n| --- | --- | --- | --- | --- |';
  return `## ${title}\n\n${head}\n${rows.join('\n')}\n`;
}

const sections = CATALOGUES.map(([title, catalogue]) => section(title, catalogue));
const options = (await resolveConfig(pageFile)) ?? {};
const page = await format([HEAD, ...sections].join('\n'), { ...options, filepath: pageFile });

if (!process.argv.includes('--check')) {
  writeFileSync(pageFile, page);
} else if (readFileSync(pageFile, 'utf8') !== page) {
  console.error('docs/errors.md is old; run `npm run error-page`');
  process.exitCode = 1;
}
