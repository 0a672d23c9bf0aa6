// What is larger than it may be, or no file to read.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const limitCatalogue = defineErrors('limit', {
  tooMany: {
    code: 'INVALID_ARG',
    text: '{found}, which exceeds the maximum of {limit}',
    cause: 'A request has more parts than the server looks at in one piece; Triton has no such limit.',
    remedy: 'Send several requests, each with fewer parts.',
  },
  dimensions: {
    code: 'INVALID_ARG',
    text: "shape of input '{name}' has more than {limit} dimensions",
    cause: 'The shape of a tensor is a list longer than any tensor needs.',
    remedy: 'Send the shape that the metadata of the model says.',
  },
  unreadable: {
    code: 'INTERNAL',
    text: 'failed to open text file for read {file}: {reason}',
    cause: 'The system does not let the server read the file.',
    remedy: 'Mend what the message ends with.',
  },
  noRegularFile: {
    code: 'INVALID_ARG',
    text: "'{file}' is {kind}, expected a regular file",
    cause: 'Reading a pipe, a socket or a device could take for ever.',
    remedy: 'Put a file there.',
  },
  fileTooLarge: {
    code: 'INVALID_ARG',
    text: "'{file}' has {size} bytes, expected at most {limit}",
    cause: 'The file is larger than any of its kind should be.',
    remedy: 'Put a smaller file there.',
  },
});

export const limitErrors = limitCatalogue.errors;
