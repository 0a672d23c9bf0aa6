// Why the graph of a model cannot be drawn.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const graphCatalogue = defineErrors('graph', {
  noModelFile: {
    code: 'NOT_FOUND',
    text: "version {version} of model '{model}' has no file '{file}'",
    cause: 'The model file is not in the folder of the version.',
    remedy: 'Put the file there, or correct default_model_filename.',
  },
  notRead: {
    code: 'INTERNAL',
    text: 'the graph could not be read: {reason}',
    cause: 'The thread that reads the file failed.',
    remedy: 'Check that the file is whole; a file that other programs read is worth a report.',
  },
  readerEnded: {
    code: 'INTERNAL',
    text: 'the reader of the graph ended without an answer',
    cause: 'The thread that reads the file ended, mostly for want of memory.',
    remedy: 'End other programs and open the graph again.',
  },
});

export const graphErrors = graphCatalogue.errors;
