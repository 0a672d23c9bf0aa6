// What is wrong with a repository itself, or with what the server was told to do with it.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const repositoryCatalogue = defineErrors('repository', {
  wildcardNotAlone: {
    code: 'INVALID_ARG',
    text: "Wildcard model name '*' must be the ONLY startup model if specified at all.",
    cause: '--load-model names the wildcard beside other models.',
    remedy: "Give --load-model='*' alone, or name the models.",
  },
  unknown: {
    code: 'NOT_FOUND',
    text: "'{path}' is none of the repositories in the list",
    cause: 'The folder is none of those that the server serves.',
    remedy: 'Correct the path; the index lists the repositories.',
  },
  missing: {
    code: 'INTERNAL',
    text: 'failed to stat file {path}',
    cause: 'The folder of the repository is not there, or may not be read.',
    remedy: 'Correct --model-repository, or make the folder.',
  },
  noFolder: {
    code: 'INVALID_ARG',
    text: 'repository path is not a valid directory',
    cause: 'The path of the repository is a file.',
    remedy: 'Name the folder that has one folder for each model.',
  },
  registered: {
    code: 'ALREADY_EXISTS',
    text: "model repository '{path}' has already been registered",
    cause: 'The server serves this folder already.',
    remedy: 'Take it away first, or use the models that are loaded from it.',
  },
  givenUp: {
    code: 'UNAVAILABLE',
    text: "repository '{path}' did not answer and is not waited for any more",
    cause: 'Somebody stopped the wait in the window while the store or the mounted folder gave no answer.',
    remedy: 'See that it can be reached, then have it read again: Retry in the window.',
  },
  registeredMissing: {
    code: 'INVALID_ARG',
    text: "failed to register '{path}', repository not found",
    cause: 'The folder of the repository is not there, or is a file.',
    remedy: 'Correct the path, or make the folder.',
  },
  nameTaken: {
    code: 'ALREADY_EXISTS',
    text: "failed to register '{name}', there is a conflicting mapping for '{name}'",
    cause: 'A folder of another repository goes by this name.',
    remedy: 'Choose another name for the model.',
  },
  unregisteredMissing: {
    code: 'INVALID_ARG',
    text: "failed to unregister '{path}', repository not found",
    cause: 'The folder is none of those that the server serves.',
    remedy: 'Correct the path.',
  },
  registrationMode: {
    code: 'UNSUPPORTED',
    text: 'repository registration is not allowed if model control mode is not EXPLICIT',
    cause: 'Repositories come and go while the server runs only where models are loaded by calls.',
    remedy: 'Start the server with --model-control-mode=explicit.',
  },
  unregistrationMode: {
    code: 'UNSUPPORTED',
    text: 'repository unregistration is not allowed if model control mode is not EXPLICIT',
    cause: 'Repositories come and go while the server runs only where models are loaded by calls.',
    remedy: 'Start the server with --model-control-mode=explicit.',
  },
});

export const repositoryErrors = repositoryCatalogue.errors;
