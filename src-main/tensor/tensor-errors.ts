// What is wrong with tensor data: with the JSON that holds it, and with what classes are asked of.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const tensorCatalogue = defineErrors('tensor', {
  notJson: {
    code: 'INTERNAL',
    text: 'failed to parse the request JSON buffer: {reason} at {offset}',
    cause: 'The text is no JSON; the number counts its bytes up to the fault.',
    remedy: 'Correct the text there, or give Inference-Header-Content-Length when bytes follow it.',
  },
  data: {
    code: 'INTERNAL',
    text: "Unable to parse 'data': {reason}",
    cause:
      'An element is not of the JSON type that the datatype of the tensor takes, or the shape has fewer of them.',
    remedy: 'Send the elements that shape and datatype say: numbers, true and false, or texts.',
  },
  bytes: {
    code: 'INTERNAL',
    text: 'Unable to parse JSON bytes array: {reason}',
    cause: 'An element of a BYTES tensor is no text.',
    remedy: 'Send every element between quotes.',
  },
  tooFew: {
    code: 'INTERNAL',
    text: "Failed to parse 'data' field: shape does not match true shape",
    cause: 'There are fewer elements than the shape of the tensor says.',
    remedy: 'Send as many elements as the product of the dimensions.',
  },
  tooDeep: {
    code: 'INVALID_ARG',
    text: '{prefix}JSON nesting depth exceeds maximum allowed limit ({limit})',
    cause: 'The arrays of the data lie in each other deeper than any tensor needs.',
    remedy: 'Nest them as deep as the shape has dimensions, or send one flat array.',
  },
  noForm: {
    code: 'INVALID_ARG',
    text: 'no JSON form for datatype {datatype}',
    cause: 'The protocol has no way to write such elements as JSON.',
    remedy: 'Send and ask for the tensor as binary data.',
  },
  noClasses: {
    code: 'INVALID_ARG',
    text: "class result not available for output due to unsupported type '{datatype}'",
    cause: 'Classes are asked of an output whose elements have no order here.',
    remedy: 'Ask for the output without classification.',
  },
  tooLargeForClasses: {
    code: 'INVALID_ARG',
    text: 'classification output tensor too large',
    cause: 'An output has more than a million elements in each row, which nobody would call classes.',
    remedy: 'Ask for the output without classification.',
  },
});

export const tensorErrors = tensorCatalogue.errors;
