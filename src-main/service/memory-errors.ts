// What goes wrong with shared memory: regions that cannot be registered, and places in them that requests name.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

const ASK_STATUS =
  'Ask for the status of shared memory, which lists all regions, and register what is missing.';

export const memoryCatalogue = defineErrors('memory', {
  disabled: {
    code: 'UNSUPPORTED',
    text: "Client shared memory is disabled. Start the server with '--allow-client-shm=true' to enable.",
    cause: 'This server does not let clients register memory.',
    remedy: 'Start it with --allow-client-shm=true, or send tensors in the request.',
  },
  noPlatform: {
    code: 'UNSUPPORTED',
    text: 'Shared memory feature is currently not supported on Windows',
    cause: 'This system has no shared memory that is a file.',
    remedy: 'Send tensors in the request.',
  },
  taken: {
    code: 'ALREADY_EXISTS',
    text: "shared memory region '{name}' already in manager",
    cause: 'A region of that name is registered, or was and is still in use by a request.',
    remedy: 'Unregister it first, or take another name.',
  },
  unknownSystem: {
    code: 'NOT_FOUND',
    text: "Unable to find system shared memory region: '{name}'",
    cause: 'No region of that name is registered.',
    remedy: ASK_STATUS,
  },
  unknownCuda: {
    code: 'NOT_FOUND',
    text: "Unable to find cuda shared memory region: '{name}'",
    cause: 'No region of that name is registered.',
    remedy: ASK_STATUS,
  },
  otherKind: {
    code: 'NOT_FOUND',
    text: "The region named '{name}' is registered as {found} shared memory, not {kind} shared memory",
    cause: 'The call is for the other kind of shared memory.',
    remedy: 'Use the calls of the kind that the region was registered with.',
  },
  unknown: {
    code: 'NOT_FOUND',
    text: "Unable to find shared memory region: '{name}'",
    cause: 'A tensor lies in a region that is not registered.',
    remedy: ASK_STATUS,
  },
  withoutKey: {
    code: 'INVALID_ARG',
    text: "cannot register shared memory region '{name}' - invalid shm key '{key}'",
    cause: 'The key of the region is empty.',
    remedy: 'Give the name that the region was made with, such as /input_data.',
  },
  reservedKey: {
    code: 'INVALID_ARG',
    text: "cannot register shared memory region '{name}' with key '{key}' as the key contains the reserved prefix '{reserved}'",
    cause: 'The key begins as the memory of Python models does.',
    remedy: 'Take another key.',
  },
  cannotOpen: {
    code: 'INTERNAL',
    text: "Unable to open shared memory region: '{key}'",
    cause: 'The system has no shared memory of that key, or it belongs to another user.',
    remedy: 'Make the region first, and check that the server may read and write it.',
  },
  tooManyFiles: {
    code: 'UNAVAILABLE',
    text: "Unable to open shared memory region: '{key}', {limit} others are open, which is half of the descriptors of this server",
    cause:
      'Regions lie in so many objects of shared memory that connections and models would find no descriptors.',
    remedy:
      'Unregister what is not used any more, or put several regions into one object at different offsets.',
  },
  cannotMeasure: {
    code: 'INTERNAL',
    text: "Invalid shared memory region: '{key}'",
    cause: 'The system does not tell the size of the region.',
    remedy: 'Make the region again.',
  },
  tooLarge: {
    code: 'INVALID_ARG',
    text: "failed to register shared memory region '{name}': invalid args",
    cause: 'offset and byte_size reach beyond the end of the memory.',
    remedy: 'Make the region as large as it is registered.',
  },
  unaligned: {
    code: 'INVALID_ARG',
    text: "failed to register shared memory region '{name}': unable to process address spaceInvalid argument",
    cause: 'Memory is mapped in pages, and at least one byte of it.',
    remedy: 'Register the region from its start, and give offsets in the requests.',
  },
  withoutGpu: {
    code: 'INVALID_ARG',
    text: "failed to register CUDA shared memory region: '{name}', GPUs not supported",
    cause: 'This server cannot open handles of GPU memory.',
    remedy: 'Use system shared memory, or send tensors in the request.',
  },
  offset: {
    code: 'INVALID_ARG',
    text: "Invalid offset for shared memory region: '{name}'",
    cause: 'A tensor is said to begin behind the end of its region.',
    remedy: 'Correct shared_memory_offset.',
  },
  extent: {
    code: 'INVALID_ARG',
    text: "Invalid offset + byte size for shared memory region: '{name}'",
    cause: 'A tensor is said to end behind the end of its region.',
    remedy: 'Correct shared_memory_byte_size, or register a larger region.',
  },
  outputTooSmall: {
    code: 'INTERNAL',
    text: 'shared memory size specified with the request ({given} bytes) should be at least {needed} bytes to hold the results',
    cause: 'An output is larger than the place that the request gives it.',
    remedy: 'Give the output as many bytes as its shape needs.',
  },
  shortened: {
    code: 'INTERNAL',
    text: "shared memory region '{name}' is shorter than it was registered",
    cause: 'Its owner made the memory smaller, or removed it, after it was registered.',
    remedy: 'Unregister the region and register it again.',
  },
});

export const memoryErrors = memoryCatalogue.errors;
