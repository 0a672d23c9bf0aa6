// What the window asks of a model that is not there, not loaded, or not as it was.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const catalogCatalogue = defineErrors('catalog', {
  noModel: {
    code: 'NOT_FOUND',
    text: "there is no model '{model}' in the repositories",
    cause: 'The folder of the model was removed or renamed since the window showed it.',
    remedy: 'Rescan the repositories and choose another model.',
  },
  noVersions: {
    code: 'NOT_FOUND',
    text: "model '{model}' has no version folder",
    cause: 'A model is a folder with one folder for each version in it, and this one has none.',
    remedy: 'Put the model file into a folder named 1.',
  },
  noVersion: {
    code: 'NOT_FOUND',
    text: "model '{model}' has no version {version}",
    cause: 'The folder of the version was removed since the window showed it.',
    remedy: 'Choose another version.',
  },
  notLoaded: {
    code: 'UNAVAILABLE',
    text: "model '{model}' is not loaded: load it first",
    cause: 'Only a model that is loaded can be asked for this.',
    remedy: 'Load the model, then try again.',
  },
  tooLarge: {
    code: 'INVALID_ARG',
    text: "{file} of '{model}' would be larger than {limit} bytes",
    cause: 'The window edits texts up to that size.',
    remedy: 'Edit the file with another program.',
  },
  changedOnDisk: {
    code: 'ALREADY_EXISTS',
    text: "{file} of '{model}' changed on disk since it was read",
    cause: 'Another program wrote the file while it was open in the window.',
    remedy: 'Read the file again, or choose which of the two texts to keep.',
  },
});

export const catalogErrors = catalogCatalogue.errors;
