// Why two model files are not compared.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const probeCatalogue = defineErrors('probe', {
  notCompared: {
    code: 'INVALID_ARG',
    text: '{path} cannot be compared: {reason}',
    cause: 'The file is no model whose inputs and outputs can be read.',
    remedy: 'Mend what the message ends with, or choose another version.',
  },
});

export const probeErrors = probeCatalogue.errors;
