// Text of docs/backends.md: every backend as it describes itself to loader, editor and window.

import type { BackendDescription, BackendKey } from '../src-shared/config/backend-description.ts';

const HEAD = `# Backends

What each backend serves, which files it looks for in a version folder, and what it can be told. The editor offers the same
names and words, and \`conch check\` uses them. This page is written by \`npm run proto\` from the descriptions in
\`src-main/backends\`; how to add a backend is told in [adding-a-backend.md](adding-a-backend.md).
`;

const NOT_SERVED = `## Known, not served

Models of these backends are shown with what they need, their configurations are checked, and their folders stay as they are.
`;

/** Markdown of the page. */
export function backendsPage(backends: readonly BackendDescription[]): string {
  const served = backends.filter(({ needs }) => needs === undefined);
  const others = backends.filter(({ needs }) => needs !== undefined);
  const rows = others.map(({ title, name, needs }) => `| ${title} (\`${name}\`) | ${needs ?? ''} |`);
  return [
    HEAD,
    ...served.map(section),
    NOT_SERVED,
    '| Backend | What it needs |\n| --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function section(backend: BackendDescription): string {
  const { name, title, summary, artefacts, runsCode, parameters, settings } = backend;
  const files = artefacts.map(
    ({ name: file, form, platform }) =>
      `- \`${file}\` (${form}${platform === undefined ? '' : `, platform \`${platform}\``})`,
  );
  return [
    `## ${title}\n`,
    `\`backend: "${name}"\`. ${summary}${runsCode ? ' Loading a model runs its code: serve only what you trust.' : ''}\n`,
    files.length === 0 ? 'Needs no model file.\n' : `Files, in order of preference:\n\n${files.join('\n')}\n`,
    keyTable('Parameters of a model', parameters),
    keyTable(`Settings (\`--backend-config=${name},<key>=<value>\`)`, settings),
    instances(backend),
  ].join('\n');
}

function keyTable(title: string, keys: readonly BackendKey[]): string {
  if (keys.length === 0) return '';
  const rows = keys.map((key) => `| \`${key.name}\` | ${key.summary} |`);
  return `| ${title} | |\n| --- | --- |\n${rows.join('\n')}\n`;
}

function instances({ instances: { cpuInstanceCount = 1, preferredGroups } }: BackendDescription): string {
  const kind = preferredGroups?.[0]?.kind ?? 'KIND_AUTO';
  return `Instances where a configuration names none: \`${kind}\`, ${cpuInstanceCount} on a CPU.\n`;
}
