// What is wrong with a setting that is to be changed.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const settingsCatalogue = defineErrors('settings', {
  unknown: {
    code: 'NOT_FOUND',
    text: "there is no setting '{key}'",
    cause: 'Another version of the app has, or had, a setting of this name.',
    remedy: 'Use the settings that the window shows.',
  },
  badValue: {
    code: 'INVALID_ARG',
    text: '{reason}',
    cause: 'The value is not one that the setting takes.',
    remedy: 'Give a value as the message says.',
  },
});

export const settingsErrors = settingsCatalogue.errors;
