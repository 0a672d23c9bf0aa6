import { expect, test } from 'vitest';

import { billOfMaterials } from './bill-of-materials.ts';
import type { LockedPackage } from './lock-file.ts';
import { lockedPackages, resolveFrom } from './lock-file.ts';
import { packageFaults } from './policy.ts';

const lock = {
  packages: {
    '': { name: 'app' },
    'node_modules/a': {
      version: '1.0.0',
      license: 'MIT',
      resolved: 'https://registry.example/a-1.0.0.tgz',
      integrity: `sha512-${Buffer.from('digest').toString('base64')}`,
      dependencies: { '@s/b': '^2.0.0' },
    },
    'node_modules/a/node_modules/@s/b': { version: '2.0.0', license: '(MIT OR GPL-3.0-only)' },
    'node_modules/@s/b': { version: '1.0.0', license: 'ISC' },
    'node_modules/linked': { link: true },
  },
};
const packages = lockedPackages(lock);

function one(change: Partial<LockedPackage>): LockedPackage {
  const [first] = packages;
  if (first === undefined) throw new Error('no package');
  return { ...first, ...change };
}

const faultsOf = (change: Partial<LockedPackage>, isShipped = true): readonly string[] =>
  packageFaults([one(change)], () => isShipped, {
    advisories: [
      { id: 'X-1', name: 'weak', vulnerable: '>=1.0.0 <1.2.0', severity: 'high', title: 'it breaks' },
      { id: 'X-2', name: 'kept', vulnerable: '*', severity: 'low', title: 'no', accepted: 'not reached' },
    ],
  });

test('reads packages of the lock file, without the project and its links', () => {
  expect(packages.map(({ name, version }) => `${name} ${version}`)).toEqual([
    'a 1.0.0',
    '@s/b 2.0.0',
    '@s/b 1.0.0',
  ]);
  const places = new Set(packages.map(({ place }) => place));
  expect(resolveFrom('node_modules/a', '@s/b', places)).toBe('node_modules/a/node_modules/@s/b');
  expect(resolveFrom('', '@s/b', places)).toBe('node_modules/@s/b');
  expect(resolveFrom('node_modules/a/node_modules/@s/b', 'none', places)).toBeUndefined();
});

test.each([
  ['MIT', true, true],
  ['(MIT OR GPL-3.0-only)', true, true],
  ['(MIT AND Zlib)', true, true],
  ['MIT AND GPL-3.0-only', true, false],
  ['GPL-3.0-only', true, false],
  ['MPL-2.0', true, false],
  ['MPL-2.0', false, true],
  [undefined, false, false],
])('a licence %s, shipped: %s', (license, isShipped, isFine) => {
  expect(faultsOf({ license }, isShipped)).toHaveLength(isFine ? 0 : 1);
});

test('refuses a script at installation that is not named', () => {
  expect(faultsOf({ hasInstallScript: true })).toEqual([
    'a 1.0.0 runs a script when it is installed; name it in INSTALL_SCRIPTS, or do without it',
  ]);
  expect(faultsOf({ name: 'onnxruntime-node', hasInstallScript: true })).toEqual([]);
});

test('names known weaknesses of the version that is locked', () => {
  expect(faultsOf({ name: 'weak', version: '1.1.9' })).toEqual([
    'weak 1.1.9 has a known weakness (high, X-1: it breaks); versions >=1.0.0 <1.2.0 have it',
  ]);
  expect(faultsOf({ name: 'weak', version: '1.2.0' })).toEqual([]);
  expect(faultsOf({ name: 'kept' })).toEqual([]);
});

test('the bill of materials says what each part is and what it needs', () => {
  const product = { name: 'app', version: '3.0.0', license: 'Apache-2.0', needs: ['a', '@s/b'] };
  const bill = JSON.parse(billOfMaterials(product, packages)) as {
    readonly components: readonly object[];
    readonly dependencies: readonly object[];
  };
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
  expect(bill.components[0]).toEqual({
    'bom-ref': 'pkg:npm/a@1.0.0',
    type: 'library',
    name: 'a',
    version: '1.0.0',
    scope: 'required',
    hashes: [{ alg: 'SHA-512', content: Buffer.from('digest').toString('hex') }],
    licenses: [{ license: { id: 'MIT' } }],
    purl: 'pkg:npm/a@1.0.0',
    externalReferences: [{ type: 'distribution', url: 'https://registry.example/a-1.0.0.tgz' }],
  });
  expect(bill.components[1]).toMatchObject({
    group: '@s',
    name: 'b',
    licenses: [{ expression: '(MIT OR GPL-3.0-only)' }],
  });
  expect(bill.dependencies).toEqual([
    { ref: 'app@3.0.0', dependsOn: ['pkg:npm/%40s/b@1.0.0', 'pkg:npm/a@1.0.0'] },
    { ref: 'pkg:npm/a@1.0.0', dependsOn: ['pkg:npm/%40s/b@2.0.0'] },
    { ref: 'pkg:npm/%40s/b@2.0.0', dependsOn: [] },
    { ref: 'pkg:npm/%40s/b@1.0.0', dependsOn: [] },
  ]);
});
