// Writes what a release says of its parts: out/THIRD-PARTY.txt, packed with the app, with the text of each package's
// licence, and dist/conch-<version>.cdx.json, the bill of materials that is published beside it. Part of
// `npm run package`.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { licencesOf } from '../../src-main/control/app/licences.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import type { LockedPackage } from './lock-file.ts';
import { lockedPackages, readLock, root } from './lock-file.ts';

const RULE = '-'.repeat(80);

/** The texts that the package brings; empty where it brings none. */
function licenceTexts(place: string): string {
  const folder = path.join(root, place);
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    // A package for another kind of machine: it is not installed here, and not packed either.
    return '';
  }
  return names
    .filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
    .map((name) => readFileSync(path.join(folder, name), 'utf8').trim())
    .join('\n\n');
}

function notices(shipped: readonly LockedPackage[]): string {
  const parts = shipped.map(({ name, version, license = 'see package', place }) =>
    [RULE, `${name} ${version} (${license})`, RULE, licenceTexts(place)].join('\n'),
  );
  return `Parts of Conch that others made, and their licences.\n\n${parts.join('\n\n')}\n`;
}

const lock = readLock();
const isShipped = new Set(licencesOf(lock).map(({ name, version }) => `${name} ${version}`));
const shipped = lockedPackages(lock).filter(({ name, version }) => isShipped.has(`${name} ${version}`));
const { name, version, license, dependencies } = JSON.parse(
  readFileSync(path.join(root, 'package.json'), 'utf8'),
) as {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
};
const bill = billOfMaterials({ name, version, license, needs: Object.keys(dependencies) }, shipped);
const files = new Map([
  [path.join(root, 'out/THIRD-PARTY.txt'), notices(shipped)],
  [path.join(root, `dist/${name}-${version}.cdx.json`), `${bill}\n`],
]);
for (const [file, text] of files) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  process.stdout.write(`${path.relative(root, file)}: ${shipped.length} packages\n`);
}
