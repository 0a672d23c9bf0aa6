// The bill of materials of a release, in CycloneDX 1.6: every package that users get, where it came from, its digest,
// its licence, and what needs what. Made of the lock file, so that it is the same for the same release.

import type { LockedPackage } from './lock-file.ts';
import { resolveFrom } from './lock-file.ts';

/** What the bill is of. */
export interface Product {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Names of what it needs itself. */
  readonly needs: readonly string[];
}

/** As JSON, without a trailing line end. `shipped`: the packages that are part of the release. */
export function billOfMaterials(product: Product, shipped: readonly LockedPackage[]): string {
  const places = new Set(shipped.map(({ place }) => place));
  const referenceAt = new Map(shipped.map((one) => [one.place, reference(one)]));
  const own = `${product.name}@${product.version}`;
  const needed = (place: string, names: readonly string[]): readonly string[] => {
    const found = names
      .map((name) => resolveFrom(place, name, places))
      .flatMap((at) => referenceAt.get(at ?? '') ?? []);
    return [...new Set(found)].sort();
  };
  const dependencies = new Map<string, Set<string>>([[own, new Set(needed('', product.needs))]]);
  for (const one of shipped) {
    const known = dependencies.get(reference(one)) ?? new Set();
    for (const name of needed(one.place, one.needs)) known.add(name);
    dependencies.set(reference(one), known);
  }
  const components = [...new Map(shipped.map((one) => [reference(one), component(one)])).values()];
  return JSON.stringify(
    {
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: {
        component: {
          'bom-ref': own,
          type: 'application',
          name: product.name,
          version: product.version,
          licenses: licensesOf(product.license),
        },
      },
      components,
      dependencies: [...dependencies].map(([ref, needs]) => ({ ref, dependsOn: [...needs].sort() })),
    },
    undefined,
    2,
  );
}

/** The package's address in package-url form, which is also its reference inside the bill. */
function reference({ name, version }: LockedPackage): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function component(one: LockedPackage): object {
  const [group, name] = one.name.startsWith('@') ? one.name.split('/') : [undefined, one.name];
  return {
    'bom-ref': reference(one),
    type: 'library',
    ...(group === undefined ? {} : { group }),
    name,
    version: one.version,
    scope: 'required',
    ...(one.integrity === undefined ? {} : { hashes: [digest(one.integrity)] }),
    ...(one.license === undefined ? {} : { licenses: licensesOf(one.license) }),
    purl: reference(one),
    ...(one.resolved === undefined
      ? {}
      : { externalReferences: [{ type: 'distribution', url: one.resolved }] }),
  };
}

/** `sha512-<base64>` in the format's words. */
function digest(integrity: string): { readonly alg: string; readonly content: string } {
  const [algorithm = '', base64 = ''] = integrity.split('-', 2);
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(base64, 'base64').toString('hex'),
  };
}

function licensesOf(expression: string): readonly object[] {
  return / (OR|AND|WITH) /.test(expression) ? [{ expression }] : [{ license: { id: expression } }];
}
