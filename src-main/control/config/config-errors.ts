// Why a configuration is not opened or changed in the window.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const configCatalogue = defineErrors('config', {
  notOpened: {
    code: 'INVALID_ARG',
    text: '{file} is not opened: {reason}',
    cause: 'The file is no text that the window could show.',
    remedy: 'Look at the file with another program.',
  },
  notChanged: {
    code: 'INVALID_ARG',
    text: "config.pbtxt of '{model}' is not changed here: {reason}. Edit or move it with another program.",
    cause: 'The file is no text that the window could show, so it would be lost by writing over it.',
    remedy: 'Edit or move the file with another program.',
  },
  noProfile: {
    code: 'NOT_FOUND',
    text: "model '{model}' has no profile '{profile}'",
    cause: 'The file in the folder configs was removed since the window showed it.',
    remedy: 'Choose another profile.',
  },
  profileName: {
    code: 'INVALID_ARG',
    text: "'{profile}' cannot be the name of a profile: use letters, digits, '.', '_' and '-'",
    cause: 'A profile is a file in the folder configs of the model, and is named like it.',
    remedy: 'Choose another name.',
  },
});

export const configErrors = configCatalogue.errors;
