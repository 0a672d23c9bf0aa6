// Why a model cannot be loaded: where it lies, what a load call brings, what its configuration asks for.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

const READ_REASON = 'Mend what the message ends with.';

export const loadCatalogue = defineErrors('load', {
  failed: {
    code: 'INVALID_ARG',
    text: "load failed for model '{key}': {reason}\n",
    cause: 'At least one version of the model could not be loaded; each says why.',
    remedy: READ_REASON,
  },
  stopped: {
    code: 'UNAVAILABLE',
    text: 'loading was stopped in the window',
    cause: 'Somebody ended the load with the button that stops it.',
    remedy: 'Load the model again.',
  },
  notPolled: {
    code: 'INTERNAL',
    text: "failed to load '{name}', failed to poll from model repository",
    cause: 'The folder or the configuration of the model could not be read.',
    remedy: 'Look into the log, which says what is wrong with it.',
  },
  withoutVersion: {
    code: 'INTERNAL',
    text: "failed to load '{name}', no version is available",
    cause: 'The model has no version folder that its version policy chooses.',
    remedy: 'Put the model file into a folder named 1, or change version_policy.',
  },
  notFound: {
    code: 'INTERNAL',
    text: "failed to poll model '{name}': model not found in any model repository.",
    cause: 'No repository has a folder of this name.',
    remedy: 'Correct the name, or add the folder to a repository.',
  },
  notUnique: {
    code: 'INVALID_ARG',
    text: 'model appears in two or more repositories',
    cause: 'Two repositories have a folder of this name.',
    remedy: 'Rename one of them, or start the server with --model-namespacing=true.',
  },
  otherFolder: {
    code: 'INVALID_ARG',
    text: "unexpected directory name '{folder}' for model '{name}', directory name must equal model name",
    cause: 'The name in the configuration is not that of the folder.',
    remedy: 'Rename one of them, or leave name out of the configuration.',
  },
  withoutConfig: {
    code: 'NOT_FOUND',
    text: "model configuration is not provided for model '{name}'",
    cause: 'The model has no config.pbtxt, and its backend cannot make one of the model file.',
    remedy: 'Write a config.pbtxt.',
  },
  strictWithoutConfig: {
    code: 'INTERNAL',
    text: 'failed to open text file for read {file}: No such file or directory',
    cause: 'The model has no config.pbtxt, and --disable-auto-complete-config asks for one.',
    remedy: 'Write a config.pbtxt, or let the server complete configurations.',
  },
  emptyPolicy: {
    code: 'INVALID_ARG',
    text: "at least one version must be available under the version policy of model '{name}'",
    cause: 'The version policy chooses none of the versions that are there.',
    remedy: 'Add a version folder, or change version_policy.',
  },
  filesWithoutConfig: {
    code: 'INVALID_ARG',
    text: "Load parameter 'config' must be specified for model file override",
    cause: 'The load call brings files of a model but no configuration.',
    remedy: "Send the configuration as the parameter 'config'.",
  },
  configTooLong: {
    code: 'INVALID_ARG',
    text: 'Invalid config override: it has {seen} characters, expected at most {limit}',
    cause: 'The configuration of the load call is longer than any that is read.',
    remedy: 'Leave out what is not needed.',
  },
  configOverride: {
    code: 'INVALID_ARG',
    text: 'Invalid config override: {reason}',
    cause: 'The configuration of the load call cannot be read.',
    remedy: READ_REASON,
  },
  fileTooDeep: {
    code: 'INVALID_ARG',
    text: "file parameter '{file}...' lies more than {limit} folders deep",
    cause: 'The load call would make folders in folders without end.',
    remedy: 'Send files as they lie in a model folder, such as file:1/model.onnx.',
  },
  fileLeadsOut: {
    code: 'INVALID_ARG',
    text: "Invalid file parameter '{file}' with normalized path '{normalized}' must stay within model directory.",
    cause: "The path of a file leads out of the model's folder.",
    remedy: 'Send files as they lie in a model folder, such as file:1/model.onnx.',
  },
  fileIsCode: {
    code: 'INVALID_ARG',
    text: "file parameter '{file}' holds code that would run when the model is loaded; start the server with '--allow-code-override=true' to allow it",
    cause: 'A load call brings code, which this server does not take from its clients.',
    remedy: 'Put the model into the repository, or start the server with --allow-code-override=true.',
  },
  fileNotWritten: {
    code: 'INVALID_ARG',
    text: "file parameter '{file}' cannot be written: {reason}",
    cause: 'The file collides with another one of the call, or the disk does not take it.',
    remedy: READ_REASON,
  },
  codeCameAlong: {
    code: 'INVALID_ARG',
    text: "backend '{backend}' runs code of the model, and the files of '{name}' came with the load call; start the server with '--allow-code-override=true' to allow it",
    cause: 'A load call brings a model that is code, which this server does not take from its clients.',
    remedy: 'Put the model into the repository, or start the server with --allow-code-override=true.',
  },
  labelsOutside: {
    code: 'UNSUPPORTED',
    text: "label file path '{file}' for output '{output}' in model '{model}' is outside model directory",
    cause: "label_filename leads out of the model's folder.",
    remedy: "Put the file into the model's folder and name it from there.",
  },
  notRead: {
    code: 'INTERNAL',
    text: 'the configuration could not be read: {reason}',
    cause: 'Reading a very long configuration took more memory than it may.',
    remedy: 'Leave out what is not needed.',
  },
  untrusted: {
    code: 'INVALID_ARG',
    text: "model '{model}' {why}: its backend '{backend}' would run code that came with it. Trust the folder in the window, if you know where it comes from",
    cause: 'The backend of the model runs code, and the folder that the model lies in is not trusted.',
    remedy: 'Trust the folder in the window, if you know where it comes from.',
  },
  readerEnded: {
    code: 'INTERNAL',
    text: 'the reader of the configuration ended without an answer',
    cause: 'The thread that reads very long configurations ended, mostly for want of memory.',
    remedy: 'Leave out what is not needed.',
  },
  folderNotRead: {
    code: 'INTERNAL',
    text: '{reason}',
    cause: 'The folder of the model or one of its versions cannot be read.',
    remedy: 'Look who may read it, and whether the disk is there.',
  },
  startFailed: {
    code: 'INVALID_ARG',
    text: '{reasons}',
    cause:
      'Some of the models could not be loaded when the server started, or when the repository was polled.',
    remedy: 'Mend what is said of each.',
  },
});

export const loadErrors = loadCatalogue.errors;
