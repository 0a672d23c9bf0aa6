// What is wrong with a path, a name or a file that the window hands over.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const filesCatalogue = defineErrors('files', {
  notAbsolute: {
    code: 'INVALID_ARG',
    text: "'{path}' is no absolute path",
    cause: 'The window named a path that depends on where the server was started.',
    remedy: 'Give the whole path, from the root of the disk.',
  },
  inCloud: {
    code: 'INVALID_ARG',
    text: "'{path}' is no folder of this machine",
    cause: 'The path begins as those of object stores do (s3://, gs://, as://), and this takes a local one.',
    remedy: 'Add the path as a repository, or choose a local folder.',
  },
  inStore: {
    code: 'INVALID_ARG',
    text: "'{path}' is in an object store, which is only read here: copy the model to a local repository first",
    cause: 'The server never writes to object stores.',
    remedy: 'Copy the model to a local repository and change it there.',
  },
  missing: {
    code: 'INVALID_ARG',
    text: "'{path}' does not exist or cannot be read",
    cause: 'Nothing is at the path, or the user of the server may not read it.',
    remedy: 'Correct the path, or let the user of the server read it.',
  },
  noSpace: {
    code: 'UNAVAILABLE',
    text: "the disk of '{path}' is too full: {needed} are needed, {free} are free",
    cause: 'What was to be copied is larger than what is left on the disk of the repository.',
    remedy: 'Make room there, or choose a repository on another disk.',
  },
  outside: {
    code: 'INVALID_ARG',
    text: "'{path}' lies outside the folders this page may use: {roots}",
    cause: 'The page in a browser may only name what lies in the folders that the server was started with.',
    remedy: 'Choose a path inside one of them, or start the server with another --ui-root.',
  },
  unknownRepository: {
    code: 'NOT_FOUND',
    text: "'{root}' is none of the repositories in use",
    cause: 'The repository was removed since the window showed it.',
    remedy: 'Add the repository again, or choose another one.',
  },
  modelName: {
    code: 'INVALID_ARG',
    text: "'{name}' cannot be a model name: use letters, digits, '_', '-' and '.', beginning with a letter or digit",
    cause: 'The name of a model is that of its folder, and this one cannot be one everywhere.',
    remedy: 'Choose another name.',
  },
  versionNumber: {
    code: 'INVALID_ARG',
    text: "'{version}' is no version: use a whole number above 0",
    cause: 'The name of a version folder is a number.',
    remedy: 'Give a whole number above 0.',
  },
  exists: {
    code: 'ALREADY_EXISTS',
    text: "'{path}' already exists",
    cause: 'Something else has the name that the new folder was to have.',
    remedy: 'Choose another name, or move what is there.',
  },
  linkLeadsOut: {
    code: 'INVALID_ARG',
    text: "'{path}' is a link that leads out of the folder",
    cause: 'A folder is only copied with what lies in it.',
    remedy: 'Put a copy of the file in the place of the link.',
  },
  binForgotten: {
    code: 'NOT_FOUND',
    text: 'this can no longer be undone here; look into the bin',
    cause: 'The server was started again since, or forgot the deletion for newer ones.',
    remedy: 'Restore it from the bin of the system.',
  },
  binPlaceTaken: {
    code: 'ALREADY_EXISTS',
    text: "'{path}' exists again; what is in the bin stays there",
    cause: 'Something new has the name of what is to be restored.',
    remedy: 'Rename what is there, then undo again.',
  },
  blobTooLarge: {
    code: 'INVALID_ARG',
    text: 'the file is larger than {limit} bytes, the most that can be sent from here',
    cause: 'The server keeps what the window hands over in memory, up to that size.',
    remedy: 'Send a smaller file, or send it with a client of your own.',
  },
  blobGone: {
    code: 'NOT_FOUND',
    text: 'the data is no longer kept here',
    cause: 'Newer data took its place in memory, or the server was started again.',
    remedy: 'Load the file, or send the request, again.',
  },
});

export const filesErrors = filesCatalogue.errors;
