// What is wrong with the data that a load test is to send. `place` is a stream and a step, counted from 0.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

const JSON_FORM = 'Write it like {"data": [{"INPUT0": [1, 2, 3]}]}; docs/perf.md names the other forms.';
const CONTENT_FORM = 'Write a list of values, {"content": [...], "shape": [...]} or {"b64": "..."}.';

export const perfDataCatalogue = defineErrors('perfData', {
  unreadable: {
    code: 'INVALID_ARG',
    text: "cannot read the input data '{file}': {reason}",
    cause: 'The path of --input-data is neither a file nor a folder that can be read.',
    remedy: 'Correct the path, or allow it to be read.',
  },
  savedUnread: {
    code: 'INVALID_ARG',
    text: "the saved request '{name}' was not read",
    cause: 'A plan names a saved request, and runs where no saved requests are.',
    remedy: 'Start the measurement in the window, or export the request as a file and name that.',
  },
  capturedUnread: {
    code: 'INVALID_ARG',
    text: 'the captured requests were not read',
    cause: 'A plan sends captured requests, and runs where none are captured.',
    remedy: 'Start the measurement in the window of the server that captured them.',
  },
  capturedNone: {
    code: 'NOT_FOUND',
    text: "no request to model '{model}' that can be sent again is captured",
    cause:
      'Capturing is off, no client sent anything since, or newer requests of other models took the place.',
    remedy: 'Start capturing, let clients send requests, and start the measurement then.',
  },
  capturedUnfit: {
    code: 'INVALID_ARG',
    text: "captured request {at} has no input '{name}' that model '{model}' needs: was the model changed since?",
    cause: 'The model was loaded with other inputs after the requests were captured.',
    remedy: 'Clear what was captured and capture again.',
  },
  noJson: {
    code: 'INVALID_ARG',
    text: 'the input data is no valid JSON: {reason}',
    cause: 'The text of the data cannot be read as JSON.',
    remedy: 'Mend the place that the message names.',
  },
  noObject: {
    code: 'INVALID_ARG',
    text: 'the input data is no JSON object',
    cause: 'The text of the data is JSON, but not an object with "data" in it.',
    remedy: JSON_FORM,
  },
  noArray: {
    code: 'INVALID_ARG',
    text: "the input data has no array '{name}'",
    cause: 'The named member is missing or is not an array.',
    remedy: JSON_FORM,
  },
  noSteps: {
    code: 'INVALID_ARG',
    text: "the input data has no steps: 'data' is empty",
    cause: 'There is nothing to send, or one of the streams has nothing.',
    remedy: 'Put at least one entry into each stream.',
  },
  streamNoArray: {
    code: 'INVALID_ARG',
    text: "stream {index} of '{name}' is no array of steps",
    cause: 'Some entries are arrays, so all have to be: each is one stream.',
    remedy: 'Put the entry between brackets.',
  },
  stepNoObject: {
    code: 'INVALID_ARG',
    text: "stream {index}, step {at} of '{name}' is no JSON object",
    cause: 'A step has to name its tensors.',
    remedy: 'Write {"INPUT0": [...]} in its place.',
  },
  validationStreams: {
    code: 'INVALID_ARG',
    text: "'validation_data' has {expected} streams, 'data' has {given}; both need the same structure",
    cause: 'Expected outputs belong to the step at the same place.',
    remedy: 'Give one expected answer for each step, or leave validation_data out.',
  },
  validationStep: {
    code: 'INVALID_ARG',
    text: "'validation_data' has no entry for {place}",
    cause: 'A stream of validation_data is shorter than the one of data.',
    remedy: 'Give one expected answer for each step, or leave validation_data out.',
  },
  timestamp: {
    code: 'INVALID_ARG',
    text: "{place}: 'timestamp' has to be a number of ms from the start, not {value}",
    cause: 'The time at which an entry is to be sent is not a number of at least 0.',
    remedy: 'Write milliseconds from the start of the schedule.',
  },
  unknownTensor: {
    code: 'INVALID_ARG',
    text: "The input or output '{name}' is not found in the model configuration ({place})",
    cause: 'A step names a tensor that the model does not have.',
    remedy: 'Correct the name; the configuration of the model lists its inputs and outputs.',
  },
  inputMissing: {
    code: 'INVALID_ARG',
    text: "{place}: the data for input '{name}' is missing; the model requires it",
    cause: 'A step leaves out an input that is not optional.',
    remedy: 'Give its values, or make the input optional in the configuration.',
  },
  b64NoText: {
    code: 'INVALID_ARG',
    text: "{where}: expected a list, or an object with 'b64'",
    cause: 'The content of a tensor is an object without bytes as Base64.',
    remedy: CONTENT_FORM,
  },
  contentNoList: {
    code: 'INVALID_ARG',
    text: "{where}: expected a list, or an object with 'content'",
    cause: 'The content of a tensor is neither a list of values nor bytes as Base64.',
    remedy: CONTENT_FORM,
  },
  elementCount: {
    code: 'INVALID_ARG',
    text: '{where}: shape [{shape}] needs {expected} elements, got {given}',
    cause: 'The list does not fill the shape of its tensor.',
    remedy: 'Correct the list or the shape.',
  },
  shapeNoList: {
    code: 'INVALID_ARG',
    text: "{where}: 'shape' must be a list of whole numbers",
    cause: 'The shape beside a content cannot be read.',
    remedy: 'Write it like [1, 16].',
  },
  element: {
    code: 'INVALID_ARG',
    text: '{where}: expected a number, boolean or string',
    cause: 'An element of the list is null or an object.',
    remedy: 'Give a value there.',
  },
  b64ByteSize: {
    code: 'INVALID_ARG',
    text: "{where}: shape [{shape}] of {datatype} needs {expected} bytes, 'b64' holds {given}",
    cause: 'The bytes do not fill the shape of their tensor.',
    remedy: 'Correct the bytes or the shape.',
  },
  fileMissing: {
    code: 'INVALID_ARG',
    text: "the folder '{folder}' has no file '{name}' for that input",
    cause: 'A folder of data has one file for each input, under the name of the input.',
    remedy: 'Add the file, or make the input optional in the configuration.',
  },
  lineCount: {
    code: 'INVALID_ARG',
    text: "'{file}' needs {expected} lines, got {given}",
    cause: 'A file of texts has one line for each element.',
    remedy: 'Correct the file, or give another shape with --shape.',
  },
  fileByteSize: {
    code: 'INVALID_ARG',
    text: "'{file}' has {given} bytes; [{shape}] of {datatype} needs {expected}",
    cause: 'The file does not fill the shape of its tensor.',
    remedy: 'Correct the file, or give another shape with --shape.',
  },
  shapeOpen: {
    code: 'INVALID_ARG',
    text: "input '{name}' has variable dimensions [{dims}]; give its shape with --shape {name}:{example}",
    cause: 'The model leaves sizes of the input open, so nobody can say how large a request is.',
    remedy: 'Give the shape.',
  },
  shapeUnfit: {
    code: 'INVALID_ARG',
    text: "shape [{shape}] for input '{name}' does not fit the model's [{dims}]",
    cause: 'The shape that was given has other sizes than the model allows.',
    remedy: 'Correct it where the model has a fixed size; -1 stands for any.',
  },
  datatype: {
    code: 'INVALID_ARG',
    text: 'a tensor has the datatype {datatype}, which cannot be sent',
    cause: 'The configuration gives no datatype for an input or output.',
    remedy: 'Give it a datatype in the configuration.',
  },
  noSuchStep: {
    code: 'INVALID_ARG',
    text: 'the input data has no stream {stream}, step {step}',
    cause: 'More is to be sent than the data hold.',
    remedy: 'Give more entries, or send fewer.',
  },
  batchLacksInput: {
    code: 'INVALID_ARG',
    text: "input '{name}' is missing in some steps that share a batch",
    cause: 'Several entries travel as one batch, and some of them leave an optional input out.',
    remedy: 'Give the input in all entries or in none, or measure with a batch size of 1.',
  },
  noRow: {
    code: 'INVALID_ARG',
    text: 'a request needs at least one row',
    cause: 'The batch size of the plan is 0.',
    remedy: 'Choose a batch size of at least 1.',
  },
  batchShapes: {
    code: 'INVALID_ARG',
    text: "input '{name}' has shapes [{shape}] and [{other}] in one batch; rows of a batch must have one shape",
    cause: 'Several entries travel as one batch, and their tensors have different sizes.',
    remedy: 'Give them one size, or measure with a batch size of 1.',
  },
  parameter: {
    code: 'INVALID_ARG',
    text: "request parameter value '{value}' is no whole number",
    cause: 'A parameter of type int or uint has another value.',
    remedy: 'Correct the value, or give the parameter another type.',
  },
});

export const perfDataErrors = perfDataCatalogue.errors;
