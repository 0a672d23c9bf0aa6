// What goes wrong before a repository can be checked.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const checkCatalogue = defineErrors('check', {
  missing: {
    code: 'INVALID_ARG',
    text: "'{folder}' does not exist",
    cause: 'Nothing is at the path that is to be checked.',
    remedy: 'Correct the path.',
  },
  noFolder: {
    code: 'INVALID_ARG',
    text: "'{folder}' is not a folder",
    cause: 'A file is at the path that is to be checked.',
    remedy: 'Name the folder of a model, or a repository.',
  },
});

export const checkErrors = checkCatalogue.errors;
