// What a client is told by a server that starts or ends, and by one that does not take the call in its mode.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const serverCatalogue = defineErrors('server', {
  notReady: {
    code: 'UNAVAILABLE',
    text: 'Server not ready',
    cause: 'The server still starts, its start failed, or it has ended.',
    remedy: 'Ask /v2/health/ready until it says yes; the log says why a start failed.',
  },
  statisticsOfNone: {
    code: 'INVALID_ARG',
    text: "requested model '{name}' is not available",
    cause:
      'The statistics of a model are asked for that is not loaded, or of a name that two repositories have.',
    remedy: 'Correct the name, or load the model first.',
  },
  statisticsOfNoVersion: {
    code: 'INVALID_ARG',
    text: "requested model version is not available for model '{name}'",
    cause: 'The statistics of a version are asked for that is not loaded.',
    remedy: 'Ask for the statistics of the model without a version, which lists all of them.',
  },
  modeForbidsControl: {
    code: 'UNAVAILABLE',
    text: 'explicit model load / unload is not allowed if polling is enabled',
    cause:
      'Loads and unloads by clients are for --model-control-mode=explicit, and the server was started in another mode.',
    remedy:
      'Start the server with --model-control-mode=explicit, or change the repository and let it be polled.',
  },
  portFailed: {
    code: 'UNAVAILABLE',
    text: 'failed to start {service} service: Unavailable - {reason}',
    cause: 'A port of the server cannot be opened; mostly another program has it.',
    remedy: 'End the other program, or choose another port by --http-port and its kin.',
  },
  endpointFailed: {
    code: 'INVALID_ARG',
    text: 'failed to start {service} service: Invalid argument - {reason}',
    cause: 'An endpoint lacks something that it needs before it can open its port.',
    remedy: 'Do what the reason says, or leave the endpoint out.',
  },
  modelsFailed: {
    code: 'INTERNAL',
    text: 'failed to load all models',
    cause: 'A model that is loaded at the start could not be, and --exit-on-error asks for all of them.',
    remedy: 'Look into the log, which says of each model what is wrong with it.',
  },
  exiting: {
    code: 'UNAVAILABLE',
    text: 'Server exiting',
    cause: 'The server is ending.',
    remedy: 'Send the call to another server, or again once this one has started.',
  },
});

export const serverErrors = serverCatalogue.errors;
