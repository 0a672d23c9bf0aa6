// Why a data file of a warm-up sample is not written.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const warmupFileCatalogue = defineErrors('warmupFile', {
  readOnly: {
    code: 'INVALID_ARG',
    text: '{reason}',
    cause: 'The user of the server may not write into the folder of the model.',
    remedy: 'Let the user of the server write there.',
  },
  fileName: {
    code: 'INVALID_ARG',
    text: "'{name}' cannot be the name of a data file: use letters, digits, '.', '_' and '-'",
    cause: 'A data file lies in the folder warmup of the model and has a plain name.',
    remedy: 'Choose another name.',
  },
  fileTaken: {
    code: 'ALREADY_EXISTS',
    text: '{file} exists already; choose another name',
    cause: 'The folder warmup has a file of that name, which another sample may use.',
    remedy: 'Choose another name.',
  },
  unknownType: {
    code: 'INVALID_ARG',
    text: "input '{input}' has the unknown type {type}",
    cause: 'A warm-up sample cannot name the type of this tensor.',
    remedy: 'Leave the input out, or give it another type.',
  },
});

export const warmupFileErrors = warmupFileCatalogue.errors;
