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
});

export const repositoryErrors = repositoryCatalogue.errors;
