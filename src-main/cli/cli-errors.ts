// What goes wrong with commands: `conch infer`, `conch handover` and `conch gpu`.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const cliCatalogue = defineErrors('cli', {
  address: {
    code: 'INVALID_ARG',
    text: "'{address}' is not an address of the form host:port",
    cause: 'The address of the server cannot be read, or is one of HTTPS, which this command does not speak.',
    remedy: 'Write it like localhost:8000.',
  },
  noFile: {
    code: 'NOT_FOUND',
    text: "the file to send, '{file}', cannot be read: {reason}",
    cause: 'No file is at that path, or it may not be read.',
    remedy: 'Correct the path; it counts from the folder in which the command runs.',
  },
  inputCount: {
    code: 'INVALID_ARG',
    text: "'{model}' has {count} inputs; an image can be sent to a model with one",
    cause: 'A picture cannot be spread over several inputs.',
    remedy: 'Send a JSON file that holds the whole request.',
  },
  outputCount: {
    code: 'INVALID_ARG',
    text: "'{model}' has {count} outputs; classes can be asked of a model with one",
    cause: 'It is not clear which of the outputs holds the classes.',
    remedy: 'Send a JSON file that holds the whole request.',
  },
  imageShape: {
    code: 'INVALID_ARG',
    text: "input '{name}' has shape [{shape}]; a picture needs three fixed dimensions at its end",
    cause: 'The model does not say how high and wide a picture has to be.',
    remedy:
      'Give the sizes in the configuration of the model, or send a JSON file that holds the whole request.',
  },
  answered: {
    code: 'UNKNOWN',
    text: 'the server answered {status}: {reason}',
    cause: 'The server refuses the request or failed at it; the words are its own.',
    remedy: 'Do what the message says.',
  },
  noJson: {
    code: 'INTERNAL',
    text: '{address} answered {status} with something that is no JSON',
    cause: 'What listens at the address does not speak the protocol of inference servers.',
    remedy: 'Correct the address; the HTTP port of a server is mostly 8000.',
  },
  serverOptions: {
    code: 'INVALID_ARG',
    text: '{reason}',
    cause: 'A server would not start with these options; the words are those of `conch serve`.',
    remedy: 'Correct the options behind the two dashes.',
  },
  noCudaHere: {
    code: 'UNSUPPORTED',
    text: 'CUDA libraries are offered for Linux on x86-64; this is {platform} on {arch}',
    cause: 'NVIDIA publishes the libraries that ONNX Runtime needs for that system.',
    remedy: 'Nothing has to be fetched here: what the system offers for its GPU is used where it can be.',
  },
  otherRuntime: {
    code: 'UNSUPPORTED',
    text: 'the libraries known here are for ONNX Runtime {known}, not {present}',
    cause: 'The ONNX Runtime beside the program was replaced by another version.',
    remedy: 'Install the program anew.',
  },
});

export const cliErrors = cliCatalogue.errors;
