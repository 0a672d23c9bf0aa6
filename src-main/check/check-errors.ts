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
  noModelFile: {
    code: 'NOT_FOUND',
    text: "found no model file in '{folder}', looked for {names}",
    cause: 'The backend of the model loads a file of one of these names, and the newest version has none.',
    remedy: 'Put the file there, or name the one that is there with default_model_filename.',
  },
});

export const checkErrors = checkCatalogue.errors;
