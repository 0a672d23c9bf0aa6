// What becomes of the files of a model on their way into a container, a claim or a store.

import type { Finding } from '../../../src-shared/contract/finding.ts';
import { fileFinding } from '../handover-finding.ts';
import type { ModelUnderCheck } from './model-under-check.ts';

/** H17. */
export function linkRule({ files, location }: ModelUnderCheck): readonly Finding[] {
  const links = files.filter(({ link }) => link !== undefined);
  return links.flatMap(({ file, link = '', kind }) => {
    if (kind === 'lost') {
      return [
        fileFinding('error', 'H17', file, {
          message: `the link leads to '${link}', which is not in the repository`,
          hint: 'Put the file itself in its place.',
        }),
      ];
    }
    // A folder that is mounted has what its relative links lead to as well.
    if (location.kind === 'folder' && !link.startsWith('/')) return [];
    return [
      fileFinding(location.kind === 'folder' ? 'error' : 'warning', 'H17', file, {
        message: `the link leads to '${link}', and ${location.kind === 'folder' ? 'the container has no such path' : 'stores and claims keep no links'}`,
        hint:
          location.kind === 'folder'
            ? 'Make the link relative, or put the file itself in its place.'
            : 'Upload with `conch handover upload`, which sends what links lead to.',
      }),
    ];
  });
}

/** H18. */
export function emptyVersionRule({ files, location }: ModelUnderCheck): readonly Finding[] {
  if (location.kind !== 'store') return [];
  return files
    .filter(({ kind, path }) => kind === 'folder' && /^\d+$/.test(path))
    .map(({ file }) =>
      fileFinding('warning', 'H18', file, {
        message: 'an empty version folder vanishes in a store, and the version with it',
        hint: 'Upload with `conch handover upload`, which sends a marker for it.',
      }),
    );
}
