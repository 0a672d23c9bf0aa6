// What is said when a disk takes nothing more.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const writeCatalogue = defineErrors('write', {
  full: {
    code: 'UNAVAILABLE',
    text: "'{file}' could not be written: no space is left on the disk of {folder}",
    cause: 'The disk is full, or its user has used up what is allowed.',
    remedy: 'Make room on that disk, then try again.',
  },
  fullSomewhere: {
    code: 'UNAVAILABLE',
    text: 'A file could not be written: no space is left on the disk',
    cause: 'A disk that the server writes to is full, or its user has used up what is allowed.',
    remedy:
      'Make room on the disks of the repositories, of the user data and of temporary files, then try again.',
  },
});

export const writeErrors = writeCatalogue.errors;
