// What the project asks of the packages that it is made with: a licence from a list, no script at installation unless
// it is named here with its reason, and no known weakness.

import semver from 'semver';

import type { LockedPackage } from './lock-file.ts';

/** Licences that let the app be passed on under its own. */
const LICENCES: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/** These are only used to build and to test: nothing of them is passed on. */
const BUILD_LICENCES: ReadonlySet<string> = new Set([...LICENCES, 'CC-BY-4.0', 'MPL-2.0', 'WTFPL']);

/** Packages that may run a script when they are installed, and what it does. */
const INSTALL_SCRIPTS: Readonly<Record<string, string>> = {
  'electron-winstaller': 'picks the 7-Zip program of the machine, for Windows installers',
  node: 'puts the Node program of the tests in place',
  koffi: 'builds its native half where there is no built one; not let to',
  'onnxruntime-node': 'puts the CUDA provider in place where a machine asks for it',
  protobufjs: 'compares its version with that which the project asks for; changes nothing',
};

/** One known weakness. */
export interface Advisory {
  readonly id: string;
  readonly name: string;
  /** Versions that have the weakness, as a range of npm. */
  readonly vulnerable: string;
  readonly severity: 'low' | 'moderate' | 'high' | 'critical';
  readonly title: string;
  /** Why it does not concern this project; absent = it does. */
  readonly accepted?: string;
}

/** The list as it was when it was fetched. */
export interface AdvisoryList {
  /** Day on which the list was complete, YYYY-MM-DD. */
  readonly dated: string;
  readonly source: string;
  readonly advisories: readonly Advisory[];
}

/** One sentence for each package that breaks a rule. `isShipped` = it is part of what users get. */
export function packageFaults(
  packages: readonly LockedPackage[],
  isShipped: (one: LockedPackage) => boolean,
  { advisories }: Pick<AdvisoryList, 'advisories'>,
): readonly string[] {
  return packages.flatMap((one) => [
    ...licenceFault(one, isShipped(one)),
    ...scriptFault(one),
    ...advisories.filter((advisory) => concerns(advisory, one)).map((advisory) => weakness(advisory, one)),
  ]);
}

function licenceFault({ name, version, license }: LockedPackage, isShipped: boolean): readonly string[] {
  if (license === undefined) return [`${name} ${version} names no licence`];
  const allowed = isShipped ? LICENCES : BUILD_LICENCES;
  if (allows(license, allowed)) return [];
  return [`${name} ${version} is under ${license}, which is not in the list of tools/dependencies/policy.ts`];
}

/** `(A OR B) AND C`, read from the inside out: each choice needs one licence of the list, each pair both. */
function allows(expression: string, allowed: ReadonlySet<string>): boolean {
  const inner = /\(([^()]*)\)/.exec(expression);
  if (inner !== null) {
    const verdict = allows(inner[1] ?? '', allowed) ? 'yes' : 'no';
    return allows(expression.replace(inner[0], verdict), allowed);
  }
  const isGood = (licence: string): boolean => licence === 'yes' || allowed.has(licence);
  return expression
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((part) => isGood(part.trim())));
}

function scriptFault({ name, version, hasInstallScript }: LockedPackage): readonly string[] {
  if (!hasInstallScript || name in INSTALL_SCRIPTS) return [];
  return [
    `${name} ${version} runs a script when it is installed; name it in INSTALL_SCRIPTS, or do without it`,
  ];
}

function concerns({ name, vulnerable, accepted }: Advisory, one: LockedPackage): boolean {
  return accepted === undefined && name === one.name && semver.satisfies(one.version, vulnerable);
}

function weakness({ id, title, severity, vulnerable }: Advisory, { name, version }: LockedPackage): string {
  return `${name} ${version} has a known weakness (${severity}, ${id}: ${title}); versions ${vulnerable} have it`;
}
