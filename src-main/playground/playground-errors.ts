// What is wrong with values, files and pictures that are to become inputs of a request.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const playgroundCatalogue = defineErrors('playground', {
  imageShape: {
    code: 'INVALID_ARG',
    text: 'an image in {layout} order with {channels} channel(s) needs a shape that ends in [{wanted}], got [{shape}]',
    cause: 'The last three dimensions of the input are not those of a picture in this order.',
    remedy: 'Choose the other order, or give the dimensions.',
  },
  imageType: {
    code: 'INVALID_ARG',
    text: 'an image cannot be made into {datatype}',
    cause: 'Pictures become floating-point numbers, bytes, or whole numbers of 16 bits and more.',
    remedy: 'Choose another source for this input.',
  },
  imageStd: {
    code: 'INVALID_ARG',
    text: 'a std of 0 would divide by zero',
    cause: 'Each channel is divided by its std.',
    remedy: 'Give a number other than 0.',
  },
  unknownType: {
    code: 'INVALID_ARG',
    text: "unknown datatype '{datatype}'",
    cause: 'The protocol has no tensor of this type.',
    remedy: 'Use a type such as FP32 or INT64.',
  },
  badDimension: {
    code: 'INVALID_ARG',
    text: 'every dimension must be a whole number of 0 or more, got {dim}',
    cause: 'A dimension of the shape is negative or no whole number.',
    remedy: 'Correct the shape.',
  },
  tooMuch: {
    code: 'INVALID_ARG',
    text: '{count} elements of {datatype} are more than the {limit} bytes that can be made here',
    cause: 'The window makes values in memory, up to that size.',
    remedy: 'Give a smaller shape, or send it with a client of your own.',
  },
  valueCount: {
    code: 'INVALID_ARG',
    text: 'shape [{shape}] needs {count} values, got {given}',
    cause: 'The shape and the values do not belong together.',
    remedy: 'Correct the shape or the values.',
  },
  fileValueCount: {
    code: 'INVALID_ARG',
    text: 'the file holds {given} values; {count} are needed',
    cause: 'The shape and the file do not belong together.',
    remedy: 'Correct the shape, or choose another file.',
  },
  emptyRange: {
    code: 'INVALID_ARG',
    text: 'the smallest value {min} is above the largest {max}',
    cause: 'No number lies in that range.',
    remedy: 'Exchange the two.',
  },
  fileByteSize: {
    code: 'INVALID_ARG',
    text: 'the file has {given} bytes; {count} elements of {datatype} need {wanted}',
    cause: 'The file does not hold the elements of the shape one after the other.',
    remedy: 'Correct the shape, or choose another file.',
  },
  noNpy: {
    code: 'INVALID_ARG',
    text: 'the file is no .npy file',
    cause: 'It does not begin as files do that NumPy writes.',
    remedy: 'Write it with numpy.save, or choose raw bytes.',
  },
  npyHeader: {
    code: 'INVALID_ARG',
    text: 'the header of the .npy file cannot be read: {header}',
    cause: 'The file is damaged, or holds an array of objects.',
    remedy: 'Write it with numpy.save as an array of numbers.',
  },
  npyNoType: {
    code: 'INVALID_ARG',
    text: '{datatype} has no type in .npy files',
    cause: 'The values of the input are texts, and the file was taken for an array of numbers.',
    remedy: 'Use a text file with one text a line, or a JSON list of texts.',
  },
  npyType: {
    code: 'INVALID_ARG',
    text: "the .npy file holds '{given}', of which no {datatype} can be made",
    cause: 'The array has complex numbers, dates or texts.',
    remedy: 'Save an array of real numbers.',
  },
  npyValue: {
    code: 'INVALID_ARG',
    text: 'element {index} of the .npy file is {value}, which {datatype} cannot hold',
    cause:
      'The array has another type than the input, and this value is too large for it, negative, or no whole number.',
    remedy: 'Convert it with astype before it is saved, if the loss is meant.',
  },
  npyCount: {
    code: 'INVALID_ARG',
    text: 'the .npy file holds {given} elements of shape [{shape}]; {count} are needed',
    cause: 'The array has another size than the input.',
    remedy: 'Correct the shape, or choose another file.',
  },
  npyCut: {
    code: 'INVALID_ARG',
    text: 'the .npy file ends after {given} of {wanted} bytes',
    cause: 'The file was cut short.',
    remedy: 'Write or copy it again.',
  },
  textsTooLarge: {
    code: 'INVALID_ARG',
    text: 'the file has {size} bytes; texts of more than {limit} are not read, use .npy or raw bytes',
    cause: 'A large text takes long to read.',
    remedy: 'Save the values as .npy or raw bytes.',
  },
  textsNoJson: {
    code: 'INVALID_ARG',
    text: 'the values in the file are no JSON: {reason}',
    cause: 'The file is not what its ending says, or was cut short.',
    remedy: 'Mend what the message ends with.',
  },
  textsNoArray: {
    code: 'INVALID_ARG',
    text: 'the file is no array of numbers, texts or booleans, and no object with such an array as "data"',
    cause: 'The JSON in the file has another form.',
    remedy: 'Write the values as one array, nested as you like.',
  },
  endpointOff: {
    code: 'UNAVAILABLE',
    text: 'the {protocol} endpoint is not listening: start the server first',
    cause: 'The server is stopped, or was started without this protocol.',
    remedy: 'Start the server, or choose the other protocol.',
  },
});

export const playgroundErrors = playgroundCatalogue.errors;
