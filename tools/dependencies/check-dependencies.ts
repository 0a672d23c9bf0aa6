// Checks the packages of the lock file against tools/dependencies/policy.ts: licences, install scripts, and the dated
// list of known weaknesses, which lies beside it, so that no network is needed. Part of `npm run lint`. `--update` asks
// the registry what is known today and writes the list anew.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { licencesOf } from '../../src-main/control/app/licences.ts';
import { lockedPackages, readLock, root } from './lock-file.ts';
import type { Advisory, AdvisoryList } from './policy.ts';
import { packageFaults } from './policy.ts';

const LIST = path.join(import.meta.dirname, 'advisories.json');
const MAX_AGE_DAYS = 90;
const DAY_MS = 86_400_000;

/** What `npm audit --json` says of one package; a text in `via` names another package that passes a weakness on. */
interface AuditEntry {
  readonly via: readonly (
    | string
    | {
        readonly name: string;
        readonly url: string;
        readonly title: string;
        readonly severity: string;
        readonly range: string;
      }
  )[];
}

function askRegistry(): readonly Advisory[] {
  const { stdout } = spawnSync('npm', ['audit', '--json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const answer = JSON.parse(stdout) as {
    readonly message?: string;
    readonly vulnerabilities?: Record<string, AuditEntry>;
  };
  if (answer.vulnerabilities === undefined) {
    throw new Error(`the registry does not say what is known: ${answer.message ?? 'no answer'}`);
  }
  return Object.values(answer.vulnerabilities)
    .flatMap(({ via }) => via)
    .filter((each) => typeof each === 'object')
    .map(({ name, url, title, severity, range }) => ({
      id: url.split('/').at(-1) ?? url,
      name,
      vulnerable: range,
      severity: severity as Advisory['severity'],
      title,
    }));
}

/** Those that were accepted with a reason stay so. */
function merged(before: AdvisoryList, found: readonly Advisory[]): AdvisoryList {
  const known = new Map(before.advisories.map((advisory) => [`${advisory.id} ${advisory.name}`, advisory]));
  for (const advisory of found) {
    const key = `${advisory.id} ${advisory.name}`;
    known.set(key, { ...known.get(key), ...advisory });
  }
  const dated = new Date().toISOString().slice(0, 10);
  return { dated, source: 'npm audit', advisories: [...known.values()] };
}

let list = JSON.parse(readFileSync(LIST, 'utf8')) as AdvisoryList;
if (process.argv.includes('--update')) {
  list = merged(list, askRegistry());
  writeFileSync(LIST, `${JSON.stringify(list, undefined, 2)}\n`);
}
const lock = readLock();
const packages = lockedPackages(lock);
const shipped = new Set(licencesOf(lock).map(({ name, version }) => `${name} ${version}`));
const faults = packageFaults(packages, ({ name, version }) => shipped.has(`${name} ${version}`), list);
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
const ageDays = Math.floor((Date.now() - Date.parse(list.dated)) / DAY_MS);
const age = ageDays > MAX_AGE_DAYS ? `; it is ${ageDays} days old: run npm run advisories` : '';
process.stdout.write(
  `dependencies: ${packages.length} packages, ${shipped.size} of them shipped, weaknesses as known on ${list.dated}${age}\n`,
);
