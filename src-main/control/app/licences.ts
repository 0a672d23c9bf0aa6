// Every package that is part of the app with its licence, read from the lock file: what runs from node_modules, and what
// the build puts into the page, with all that these need.

import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { LicenceView } from '../../../src-shared/contract/app-calls.ts';
import { installationErrors } from '../files/installation-errors.ts';

/** Packages of the page; the build bundles them, so that the lock file calls them development dependencies. */
const BUNDLED = [
  '@base-ui/react',
  '@dagrejs/dagre',
  '@tanstack/react-virtual',
  '@xyflow/react',
  'cmdk',
  'lucide-react',
  'monaco-editor',
  'react',
  'react-dom',
  'react-resizable-panels',
  'recharts',
  'sonner',
  'tailwindcss',
  'zustand',
  'electron',
];

interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The packages of this app, by name; reads the lock file that it was built with. */
export async function licences(): Promise<readonly LicenceView[]> {
  return licencesOf(
    JSON.parse(await lockText()) as { readonly packages: Readonly<Record<string, LockEntry>> },
  );
}

/** The same from a lock file that was read already; each package and version once. */
export function licencesOf(lock: {
  readonly packages: Readonly<Record<string, LockEntry>>;
}): readonly LicenceView[] {
  const bundled = closureOf(BUNDLED, lock.packages);
  const found = new Map<string, LicenceView>();
  for (const [place, { version = '', license, dev, link }] of Object.entries(lock.packages)) {
    const name = place.split('node_modules/').at(-1) ?? '';
    if (name === '' || link === true || (dev === true && !bundled.has(name))) continue;
    found.set(`${name} ${version}`, { name, version, licence: license ?? 'see package' });
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Electron brings its own licences; its packages are needed for installing it only. */
function closureOf(
  names: readonly string[],
  packages: Readonly<Record<string, LockEntry>>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    if (name === 'electron') return;
    for (const next of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {})) visit(next);
  };
  names.forEach(visit);
  return found;
}

async function lockText(): Promise<string> {
  for (const up of ['..', '../..', '../../..']) {
    const file = path.resolve(import.meta.dirname, up, 'package-lock.json');
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text !== '') return text;
  }
  throw installationErrors.noPackageList();
}
