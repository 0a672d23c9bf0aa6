// What is wrong with the repository agents of a configuration, the checksum agent included.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const agentCatalogue = defineErrors('agent', {
  unknown: {
    code: 'INVALID_ARG',
    text: "unable to find 'libtritonrepoagent_{name}.so' for repo agent '{name}', searched: {path}",
    cause: 'The configuration names a repository agent that there is not.',
    remedy: 'Remove the agent; checksum is the one that is built in.',
  },
  checksumKey: {
    code: 'INVALID_ARG',
    text: 'failed to parse key: {key}',
    cause: 'A parameter of the checksum agent is not of the form it needs.',
    remedy: 'Write MD5:path as the key, and the hash as the value.',
  },
  checksumAlgorithm: {
    code: 'UNSUPPORTED',
    text: 'Unsupported checksum algorithm: {name}',
    cause: 'The checksum agent knows one algorithm.',
    remedy: 'Use MD5.',
  },
  checksumLeadsOut: {
    code: 'INVALID_ARG',
    text: "checksum of file '{file}' of model '{model}': it leads out of the model's folder",
    cause: 'The checksum agent is to read a file outside of the folder of the model.',
    remedy: 'Name files from the folder of the model on.',
  },
  checksumMismatch: {
    code: 'INVALID_ARG',
    text: 'Mismatched MD5 hash for file {file}, expect: {expected}, got: {got}',
    cause: 'A file of the model is not the one that the configuration was written for.',
    remedy: 'Copy the file again, or correct the hash if you changed it.',
  },
});

export const agentErrors = agentCatalogue.errors;
