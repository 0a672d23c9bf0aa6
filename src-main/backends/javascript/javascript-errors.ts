// What is wrong with a model written in JavaScript, or with what it gave.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const javascriptCatalogue = defineErrors('javascript', {
  imageNotDecoded: {
    code: 'INVALID_ARG',
    text: 'cannot decode image of {size} bytes: {reason}',
    cause: 'The bytes are no picture of a known format, or the picture is broken.',
    remedy: 'Send a PNG, JPEG, WebP, GIF, BMP or TIFF file, whole.',
  },
  imageScaling: {
    code: 'INVALID_ARG',
    text: 'an UINT8 image tensor cannot be scaled: use FP32, or scaling NONE without mean and std',
    cause: 'The model asks for whole bytes and for scaled values at once.',
    remedy: 'Ask imageTensor for FP32, or for scaling NONE without mean and std.',
  },
  imageSize: {
    code: 'INVALID_ARG',
    text: 'image size must be positive whole numbers, got {width} x {height}',
    cause: 'The model asks imageTensor for a size that no picture has.',
    remedy: 'Give width and height as positive whole numbers.',
  },
  withoutFile: {
    code: 'INVALID_ARG',
    text: "model '{model}': found none of {names} in {folder}",
    cause: 'The version folder has no module that the model could be.',
    remedy: 'Put one of the files that the message names there, or name yours as default_model_filename.',
  },
  parameterNoNumber: {
    code: 'INVALID_ARG',
    text: "model '{model}': parameter '{key}' must be a number >= 0, got '{given}'",
    cause: 'A parameter of the configuration that is a time or a count is something else.',
    remedy: 'Write a number from 0 on.',
  },
  notSingle: {
    code: 'INTERNAL',
    text: "model '{model}' gave {count} responses: infer() is for exactly one, use inferStream()",
    cause: 'infer() asked a model that answered not at all, or several times.',
    remedy: 'Use inferStream().',
  },
  callCancelled: {
    code: 'CANCELLED',
    text: 'the call to another model was cancelled',
    cause: 'The request during which the model asked another one was cancelled.',
    remedy: 'Nothing: the client no longer waits.',
  },
  notLoaded: {
    code: 'INVALID_ARG',
    text: 'cannot load {file}: {reason}',
    cause: 'The module of the model has a fault, or imports what is not there.',
    remedy: 'Mend the code of the model; the log of the server has the whole trace.',
  },
  withoutExecute: {
    code: 'INVALID_ARG',
    text: "{file} exports no function 'execute'; it exports {exports}",
    cause: 'The module exports no execute, neither by itself nor in its default export.',
    remedy: 'Export a function or a class with execute.',
  },
  requestCancelled: {
    code: 'CANCELLED',
    text: 'the request was cancelled',
    cause: 'The client cancelled its request, or went away.',
    remedy: 'Nothing: the client no longer waits.',
  },
  resultNoArray: {
    code: 'INTERNAL',
    text: 'execute() must return an array of {count} responses, got {got}',
    cause: 'execute() gave something else than a list.',
    remedy: 'Return one response for each request, in their order, as an array.',
  },
  resultCount: {
    code: 'INTERNAL',
    text: 'execute() must return one response per request: got {got} for {count} requests',
    cause: 'execute() gave more or fewer responses than it got requests.',
    remedy: 'Return one response for each request, in their order.',
  },
  sentAfterEnd: {
    code: 'INTERNAL',
    text: 'response sent after the request was ended',
    cause: 'The model sent a response after it had said that there are no more.',
    remedy: 'Send the final response last.',
  },
  unknownOutput: {
    code: 'INTERNAL',
    text: "unexpected inference output '{name}' for model '{model}'",
    cause: 'The model gave an output that its configuration does not have.',
    remedy: 'Add the output to the configuration, or leave it out of the response.',
  },
  responseParameter: {
    code: 'INTERNAL',
    text: "response parameter '{key}' must be a text, number or boolean, got {got}",
    cause: 'The model gave a parameter that has no form in a response.',
    remedy: 'Give it as a text, a number, or true or false.',
  },
  threadEnded: {
    code: 'INTERNAL',
    text: "model '{model}' version {version}: the thread of instance '{instance}' ended ({reason})",
    cause:
      'The code of the model ended its thread: it exited, threw outside of execute(), or ran out of memory.',
    remedy:
      'Send the request again: the next one starts it anew. The log says what it printed before it ended.',
  },
  noTexts: {
    code: 'INTERNAL',
    text: "tensor '{name}' is {datatype}, only BYTES has texts()",
    cause: 'The model asks for the texts of a tensor of numbers.',
    remedy: 'Use data.',
  },
  elementCount: {
    code: 'INTERNAL',
    text: '{label} has {got} elements, but its shape {shape} needs {needed}',
    cause: 'The model gave a tensor whose values do not fill its shape.',
    remedy: 'Give as many values as the shape multiplies to.',
  },
  elementNoText: {
    code: 'INTERNAL',
    text: '{label} is BYTES: its elements must be strings or Uint8Array, got {got}',
    cause: 'The model gave a BYTES tensor of something else than texts and bytes.',
    remedy: 'Give strings or Uint8Array.',
  },
  arrayType: {
    code: 'INTERNAL',
    text: '{label} is {datatype}: expected {expected}, got {got}',
    cause: 'The model gave a typed array that does not fit the data type of the output.',
    remedy: 'Give the array that the message expects, or a plain array of numbers.',
  },
  elementNoNumber: {
    code: 'INTERNAL',
    text: '{label} is {datatype}: its elements must be numbers, got {got}',
    cause: 'The model gave a tensor of numbers with something else in it.',
    remedy: 'Give numbers, bigints or booleans.',
  },
  halfNumbers: {
    code: 'INTERNAL',
    text: '{label} is {datatype}: give its raw bits in a Uint16Array',
    cause: 'JavaScript has no numbers of this type, and the model gave plain ones.',
    remedy: 'Give their bits as a Uint16Array, or make the output FP32.',
  },
  failed: {
    code: 'INTERNAL',
    text: '{reason}',
    cause: 'The model gave this error for the request.',
    remedy: 'Mend what it says: the words are those of the model.',
  },
});

export const javascriptErrors = javascriptCatalogue.errors;
