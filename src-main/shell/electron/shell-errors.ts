// What the desktop app refuses its window.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const shellCatalogue = defineErrors('shell', {
  address: {
    code: 'INVALID_ARG',
    text: "only http and https addresses can be opened, not '{url}'",
    cause: 'Other addresses may start programs.',
    remedy: 'Open the address by hand if you trust it.',
  },
  missing: {
    code: 'NOT_FOUND',
    text: "'{path}' is no longer there",
    cause: 'The file or folder was removed since the window showed it.',
    remedy: 'Look at the repository again.',
  },
  call: {
    code: 'NOT_FOUND',
    text: "the app has no call '{name}'",
    cause: 'The page is of another version than the app.',
    remedy: 'End the app and start it again; install it anew if that does not help.',
  },
  arguments: {
    code: 'INVALID_ARG',
    text: "call '{name}' of the app: {reason}",
    cause: 'The page is of another version than the app.',
    remedy: 'End the app and start it again; install it anew if that does not help.',
  },
  foreign: {
    code: 'INVALID_ARG',
    text: 'only the window of this app may call',
    cause: 'A page that is not the own one tried to use the app.',
    remedy: 'Report it: no such page can be opened in the app.',
  },
  fileName: {
    code: 'INVALID_ARG',
    text: "'{name}' is not the name of a file",
    cause: 'What is dragged out of the window has a name that is a path.',
    remedy: 'Save it by its button instead.',
  },
});

export const shellErrors = shellCatalogue.errors;
