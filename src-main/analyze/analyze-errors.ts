// What goes wrong while configurations are tried.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const analyzeCatalogue = defineErrors('analyze', {
  badCheckpoint: {
    code: 'INVALID_ARG',
    text: 'the checkpoint {file} cannot be read: {reason}',
    cause: 'The file was cut off, or another program wrote it.',
    remedy: 'Remove it, or give another folder for checkpoints.',
  },
  otherGpus: {
    code: 'INVALID_ARG',
    text: 'the checkpoint was made with the GPUs [{before}], and there are [{now}]',
    cause: 'Numbers of different GPUs cannot be compared.',
    remedy: 'Give another folder for checkpoints.',
  },
  outputTaken: {
    code: 'ALREADY_EXISTS',
    text: "the output model repository '{folder}' is not empty; --override-output-model-repository lets variants in it be replaced",
    cause: 'Variants would be written over what is there.',
    remedy: 'Give the option, or another folder.',
  },
  outputIsSource: {
    code: 'INVALID_ARG',
    text: "the output model repository '{folder}' is the model repository itself",
    cause: 'Variants would be served beside the models that they were made of.',
    remedy: 'Give another folder.',
  },
  unknownModel: {
    code: 'NOT_FOUND',
    text: "there is no model '{model}' in '{folder}'",
    cause: 'A model that is to be profiled is not in the repository.',
    remedy: 'Correct the name, or the repository.',
  },
  unknownVariant: {
    code: 'NOT_FOUND',
    text: "there is no configuration '{name}' in the checkpoint",
    cause: 'The configuration was never measured, or was in another checkpoint.',
    remedy: 'Take a name of the tables of a profile, or give the folder of its checkpoint.',
  },
  badConfig: {
    code: 'INVALID_ARG',
    text: "the configuration of '{model}' cannot be read: {reason}",
    cause: 'Variants are made of the configuration of a model.',
    remedy: 'Correct it; conch check says where.',
  },
  ensembleSearch: {
    code: 'UNSUPPORTED',
    text: "'{model}' is an ensemble, whose steps are not searched here; --run-config-search-disable measures it as it is",
    cause: 'What can be varied are the models that an ensemble is made of.',
    remedy: 'Profile those models, or measure the ensemble as it is.',
  },
  serverEnded: {
    code: 'UNAVAILABLE',
    text: 'the server for the trials ended ({detail}){said}',
    cause: 'The process that loads the variants broke down, or was told options that it does not take.',
    remedy: 'Look at its last lines; give --triton-output-path for all of them.',
  },
  serverSlow: {
    code: 'UNAVAILABLE',
    text: 'the server at {address} was not ready within {seconds} s',
    cause: 'Nothing answers at its address, or it is not ready.',
    remedy: 'Start it, or correct the address.',
  },
  refused: {
    code: 'UNAVAILABLE',
    text: '{reason}',
    cause: 'The server for the trials refuses what it was asked; the words are its own.',
    remedy: 'Do what the message says.',
  },
  noMeasurements: {
    code: 'UNAVAILABLE',
    text: 'the first {count} measurements failed, the last with: {reason}',
    cause: 'Nothing of the model can be measured, so a search would measure nothing either.',
    remedy: 'Measure it with conch perf, and correct what that says.',
  },
  busy: {
    code: 'UNAVAILABLE',
    text: 'another measurement goes on',
    cause: 'Two measurements at a time would measure each other.',
    remedy: 'Wait for it, or stop it.',
  },
  nothingKept: {
    code: 'NOT_FOUND',
    text: 'there is no search to go on with',
    cause: 'None was started, or what was measured of it has been deleted.',
    remedy: 'Start one.',
  },
  unstable: {
    code: 'UNAVAILABLE',
    text: 'no stable measurement after {count} tries',
    cause: 'The windows of a measurement did not agree, however long they were.',
    remedy:
      'Leave the machine alone meanwhile, or give a larger stability-percentage in perf_analyzer_flags.',
  },
  measuredNothing: {
    code: 'UNAVAILABLE',
    text: 'no request was answered: {reason}',
    cause: 'Every request of a measurement failed, or none was sent.',
    remedy: 'Send one with conch infer, and correct what that says.',
  },
  timedOut: {
    code: 'UNAVAILABLE',
    text: 'the measurement took more than {seconds} s',
    cause: 'The model is slow, or hangs.',
    remedy: 'Give a larger --perf-analyzer-timeout.',
  },
});

export const analyzeErrors = analyzeCatalogue.errors;
