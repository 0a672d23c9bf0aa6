// What goes wrong with files that a page in a browser sends.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const uploadCatalogue = defineErrors('upload', {
  offset: {
    code: 'INVALID_ARG',
    text: "the header 'upload-offset' must hold a byte count",
    cause: 'A piece of a file came without the place where it belongs.',
    remedy: 'Send the number of bytes before it.',
  },
  written: {
    code: 'INVALID_ARG',
    text: "'{file}' is being written by another request",
    cause: 'Two requests send the same file.',
    remedy: 'Wait for the other one to end, then ask how much is there.',
  },
  gap: {
    code: 'INVALID_ARG',
    text: "'{file}' has {present} bytes, not {offset}",
    cause: 'A file grows at its end only, and this piece does not belong there.',
    remedy: 'Ask how much is there, and go on from that byte.',
  },
  unknown: {
    code: 'NOT_FOUND',
    text: "there is no upload '{upload}'",
    cause: 'The upload was dropped, or nobody came back for it for a day.',
    remedy: 'Begin it anew.',
  },
  path: {
    code: 'INVALID_ARG',
    text: "'{file}' is not a relative path of plain names",
    cause: 'The name of a file could lead out of the folder of its upload.',
    remedy: 'Name the file by its place in the folder that is sent.',
  },
});

export const uploadErrors = uploadCatalogue.errors;
