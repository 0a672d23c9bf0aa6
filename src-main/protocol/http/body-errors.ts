// What is wrong with the inputs and outputs of an inference request that came over HTTP.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const httpBodyCatalogue = defineErrors('httpBody', {
  repeatedKeyword: {
    code: 'INVALID_ARG',
    text: "Keyword '{keyword}' for nested schema also given as input tensor name",
    cause: 'The body has the keyword for nested parameters, and the model has an input of that name.',
    remedy: 'Rename the input of the model, or leave the nested parameters out.',
  },
  withoutJsonForm: {
    code: 'INVALID_ARG',
    text: 'receiving {datatype} data via JSON is not supported. Please use the binary data format for input {input}',
    cause: 'The data type of the input has no form in JSON.',
    remedy: 'Send the input as binary data.',
  },
  generateTooLarge: {
    code: 'INVALID_ARG',
    text: "request size of {total} bytes with input '{name}' of size {size} bytes exceeds the maximum allowed input size of {limit}. Use --http-max-input-size to increase the limit.",
    cause: 'The inputs of a generate request are together larger than the server takes.',
    remedy: 'Send less, or start the server with a larger --http-max-input-size.',
  },
  generateShape: {
    code: 'INVALID_ARG',
    text: "The schema can not convert input '{name}' to tensor with proper shape",
    cause: 'The number of values of a generate request does not fit the shape of the input.',
    remedy: 'Send as many values as the dimensions of the input make, or make one of them -1.',
  },
  parametersNoObject: {
    code: 'INTERNAL',
    text: 'failed to get request params.: attempt to get members for non-object',
    cause: 'parameters of the request is no JSON object.',
    remedy: 'Send parameters as {"name": value}.',
  },
  reservedParameter: {
    code: 'INVALID_ARG',
    text: "parameter keys starting with 'triton_' are reserved for Triton usage and should not be specified.",
    cause: 'A parameter of the request has a name that is kept for the server.',
    remedy: 'Rename the parameter.',
  },
  parameterType: {
    code: 'INVALID_ARG',
    text: "parameter '{key}' has invalid type. It should be either 'int', 'bool', or 'string'.",
    cause: 'A parameter is a list, an object or null.',
    remedy: 'Send it as a number, a text, or true or false.',
  },
  reservedHeader: {
    code: 'INVALID_ARG',
    text: "Header '{name}' is reserved for Triton usage and cannot be forwarded.",
    cause: '--http-header-forward-pattern matches a header whose name is kept for the server.',
    remedy: 'Rename the header, or make the pattern narrower.',
  },
  unusedBytes: {
    code: 'INVALID_ARG',
    text: "unexpected additional input data for model '{model}'",
    cause: 'The body has more binary data than the inputs together announce.',
    remedy: 'Correct binary_data_size of the inputs, or send what they announce.',
  },
  repeatedTensor: {
    code: 'INVALID_ARG',
    text: "{prefix}{kind} '{name}' already exists in request",
    cause: 'The request has two inputs or two outputs of one name.',
    remedy: 'Send each of them once.',
  },
  oneSource: {
    code: 'INVALID_ARG',
    text: "Input must set only one of the following fields: 'data', 'binary_data_size' in 'parameters', 'shared_memory_region' in 'parameters'. But {found}",
    cause: 'An input says in several places where its data are, or nowhere.',
    remedy: "Give each input 'data', or 'binary_data_size', or 'shared_memory_region'.",
  },
  missingBytes: {
    code: 'INVALID_ARG',
    text: "unexpected size for input '{name}', expecting {missing} additional bytes for model '{model}'",
    cause: 'The body ends before the binary data that the inputs announce.',
    remedy: 'Correct binary_data_size of the inputs, or send the rest.',
  },
  dimensionTooLarge: {
    code: 'INVALID_ARG',
    text: "invalid shape for input '{name}': shape {shape} contains one or more invalid dimensions",
    cause: 'A dimension of the input is larger than any tensor can have.',
    remedy: 'Send the shape that the data have.',
  },
  tooManyElements: {
    code: 'INVALID_ARG',
    text: "invalid shape for input '{name}': shape {shape} causes total element count to exceed maximum size of {limit}",
    cause: 'The dimensions of the input multiply to more elements than can be counted.',
    remedy: 'Send the shape that the data have.',
  },
  unknownType: {
    code: 'INVALID_ARG',
    text: 'invalid datatype for input {name}',
    cause: 'The data type of the input is none of the protocol.',
    remedy: 'Ask for the metadata of the model, which names its inputs and outputs.',
  },
  sizeOverflow: {
    code: 'INVALID_ARG',
    text: "byte size overflow for input '{name}': element count ({count}) * data type size ({size}) exceeds maximum allowed size ({limit})",
    cause: 'The shape of the input makes more bytes than can be counted.',
    remedy: 'Send the shape that the data have.',
  },
  inputTooLarge: {
    code: 'INVALID_ARG',
    text: "JSON input '{name}' has a byte_size ({size} bytes) that exceeds the maximum allowed value of {limit} bytes. Use --http-max-input-size to increase the limit.",
    cause: 'The values of one input take more bytes than the server accepts.',
    remedy: 'Send smaller batches, or start the server with a larger --http-max-input-size.',
  },
  regionAndClasses: {
    code: 'INVALID_ARG',
    text: "Output can't set both 'shared_memory_region' and 'classification'",
    cause: 'An output is asked for as classes and in shared memory, which holds plain tensors only.',
    remedy: 'Leave one of them out.',
  },
  regionAndBinary: {
    code: 'INVALID_ARG',
    text: "Output can't set both 'shared_memory_region' and 'binary_data'",
    cause: 'An output is asked for in the answer and in shared memory.',
    remedy: 'Leave one of them out.',
  },
  classification: {
    code: 'INTERNAL',
    text: "Unable to set 'classification': {reason}",
    cause: 'The number of classes is not a whole number.',
    remedy: 'Send how many of the best classes are wanted: 1 or more.',
  },
  outputWithoutJsonForm: {
    code: 'INVALID_ARG',
    text: 'sending {datatype} data via JSON is not supported. Please use the binary data format for output',
    cause: 'The data type of an output has no form in JSON.',
    remedy: "Ask for the output with 'binary_data': true.",
  },
  outputShape: {
    code: 'INTERNAL',
    text: "Failed to write 'data' field: output tensor shape does not match size of output for '{output}'",
    cause: 'A model gave fewer or more bytes than the shape that it gave with them.',
    remedy: 'Mend the model: its output and the shape of it must agree.',
  },
  parameterWithoutJsonForm: {
    code: 'UNSUPPORTED',
    text: 'parameter values of this type can not be sent via JSON',
    cause: 'A parameter of the answer has a type that JSON does not have.',
    remedy: 'Mend the model, or ask over gRPC.',
  },
  unknownRegion: {
    code: 'NOT_FOUND',
    text: "Unable to find shared memory region: '{region}'",
    cause: 'No region of this name is registered.',
    remedy: 'Register the region first, or correct the name.',
  },
  regionOverflow: {
    code: 'INVALID_ARG',
    text: "Integer overflow detected: byte_size ({size}) + offset ({offset}) exceeds maximum value ({limit}) for region '{region}'",
    cause: 'Offset and size add up to more than can be counted.',
    remedy: 'Send the offset and the size that the tensor has in the region.',
  },
  notFlat: {
    code: 'INVALID_ARG',
    text: 'no plain list of numbers',
    cause: 'The data of an input are something else than numbers.',
    remedy: 'Send data as a list of numbers, nested or not.',
  },
});

export const httpBodyErrors = httpBodyCatalogue.errors;
