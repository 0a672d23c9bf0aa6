// What is wrong with requests that were saved, or with a file of them.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const savedCatalogue = defineErrors('saved', {
  noCommonRows: {
    code: 'INVALID_ARG',
    text: "the saved request '{name}' has no rows that belong together: input '{input}' has {rows}, the first input {first}",
    cause: 'A measurement sends rows of the saved request, and its inputs have different numbers of them.',
    remedy: 'Save a request whose inputs have the same first dimension.',
  },
  unknown: {
    code: 'NOT_FOUND',
    text: "there is no saved request '{id}' of model '{model}'",
    cause: 'The request was deleted, here or on disk.',
    remedy: 'Choose another one.',
  },
  undoForgotten: {
    code: 'NOT_FOUND',
    text: 'this deletion cannot be taken back any more',
    cause: 'The server was started again since, or forgot the deletion for newer ones.',
    remedy: 'Save the request again.',
  },
  fileGone: {
    code: 'NOT_FOUND',
    text: 'the file saved with this request is gone: choose it again',
    cause: 'The file beside the saved request was deleted.',
    remedy: 'Choose the file again, and save the request.',
  },
  exportLacksFile: {
    code: 'INVALID_ARG',
    text: "the export names file '{file}' but does not hold it",
    cause: 'The exported file was cut short, or changed by hand.',
    remedy: 'Export the requests again.',
  },
  noJson: {
    code: 'INVALID_ARG',
    text: 'the file is no JSON: {reason}',
    cause: 'The chosen file is not what an export writes.',
    remedy: 'Choose a file that was exported here.',
  },
  noExport: {
    code: 'INVALID_ARG',
    text: 'the file is no export of saved requests: {where}: {reason}',
    cause: 'The chosen file is JSON of another kind.',
    remedy: 'Choose a file that was exported here.',
  },
});

export const savedErrors = savedCatalogue.errors;
