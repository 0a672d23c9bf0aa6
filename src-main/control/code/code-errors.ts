// Why a source file of a model is not opened or changed in the window.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const codeCatalogue = defineErrors('code', {
  notChanged: {
    code: 'INVALID_ARG',
    text: "'{file}' of '{model}' is not changed here: edit it with another program",
    cause: 'The file is no text that the window could show, so it would be lost by writing over it.',
    remedy: 'Edit or move the file with another program.',
  },
  readOnly: {
    code: 'UNAVAILABLE',
    text: "'{file}' of '{model}' cannot be written: {reason}",
    cause: 'The user of the server may not write into the folder of the file.',
    remedy: 'Let the user of the server write there, or edit the file with another program.',
  },
  noSource: {
    code: 'INVALID_ARG',
    text: "'{file}' is no source file of model '{model}': it must lie in its folder and be text, such as model.py",
    cause: 'The window edits text files inside the folder of the model, and no others.',
    remedy: 'Choose a text file inside the folder of the model.',
  },
});

export const codeErrors = codeCatalogue.errors;
