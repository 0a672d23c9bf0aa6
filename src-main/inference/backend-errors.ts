// Why no backend was found for a model, and what a backend may not do with a request.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const backendCatalogue = defineErrors('backend', {
  unnamed: {
    code: 'INVALID_ARG',
    text: "must specify 'backend' for '{model}'",
    cause: 'The configuration names no backend, and none can be guessed from the files.',
    remedy: 'Write backend: "onnxruntime", or the one that the model is for.',
  },
  runtimeMissing: {
    code: 'INVALID_ARG',
    text: "unable to find Python backend based backend library '{runtime}' for model '{model}', searched: '{path}'",
    cause: 'runtime names a Python backend that is not in the folder of backends.',
    remedy: 'Correct runtime, or leave it out.',
  },
  runtimeLeadsOut: {
    code: 'INVALID_ARG',
    text: "backend library name '{runtime}' escapes backend directory '{folder}', for model '{model}', check model config runtime field",
    cause: 'runtime is a path that leads out of the folder of backends.',
    remedy: 'Write the name of a file, or leave it out.',
  },
  runtimeUnknown: {
    code: 'INVALID_ARG',
    text: "unable to find backend library '{runtime}' for model '{model}', searched: {searched}",
    cause: 'runtime names a library that is nowhere.',
    remedy: 'Correct runtime, or leave it out.',
  },
  nativeLibrary: {
    code: 'UNSUPPORTED',
    text: "model '{model}' comes with the native backend library '{file}'. Triton would load it; this server cannot load native code",
    cause: 'A model comes with native code of its own.',
    remedy: 'Take the library out, and let one of the backends here run the model.',
  },
  reschedule: {
    code: 'INVALID_ARG',
    text: 'Request is released with TRITONSERVER_REQUEST_RELEASE_RESCHEDULE, while the model is not configured to handle such a flag.',
    cause: 'The code of a model put a request back that may run only once.',
    remedy: 'Use generative sequences, whose requests may come again.',
  },
  leadsOut: {
    code: 'INVALID_ARG',
    text: "{what} of model '{model}' leads out of '{folder}', by its spelling or by a link; a configuration names files of its own model only",
    cause: 'A file that the configuration names lies outside of the folder of the model.',
    remedy: 'Put the file into the folder of the model.',
  },
  sentAfterFinal: {
    code: 'INTERNAL',
    text: '{prefix}response sent after the final flag of the request',
    cause: 'A model sent a response after it had said that there are no more.',
    remedy: 'Send the final response last.',
  },
  notSingle: {
    code: 'INTERNAL',
    text: 'expected a single response, got {count}',
    cause: 'A model that is not decoupled answered not at all, or several times.',
    remedy: 'Make its model_transaction_policy decoupled, or answer once.',
  },
  unknown: {
    code: 'INVALID_ARG',
    text: "unable to find backend library for backend '{name}', try specifying runtime on the model configuration.{needs}",
    cause: 'The configuration names a backend that is not here.',
    remedy:
      'Correct its name, or put the backend into the folder of backends; docs/backends.md lists those that are built in.',
  },
});

export const backendErrors = backendCatalogue.errors;
