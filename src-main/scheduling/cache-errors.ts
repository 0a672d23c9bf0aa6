// What is wrong with the response cache: its options, and answers that it cannot keep.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

const SIZE = 'Give the size in bytes, such as --cache-config=local,size=1048576.';

export const cacheCatalogue = defineErrors('cache', {
  unknownKind: {
    code: 'NOT_FOUND',
    text: "unable to find cache '{name}', expected 'local': no other cache is built in",
    cause: '--cache-config names a cache that this server does not have.',
    remedy: 'Use local.',
  },
  withoutSize: {
    code: 'INVALID_ARG',
    text: "Failed to initialize LocalCache: config didn't contain a valid 'size' field.",
    cause: 'The local cache is not told how large it may be.',
    remedy: SIZE,
  },
  sizeNotNumber: {
    code: 'INTERNAL',
    text: "Failed to initialize LocalCache: 'size' must be a number of bytes, got '{text}'",
    cause: 'The size of the cache is no number.',
    remedy: SIZE,
  },
  sizeZero: {
    code: 'INVALID_ARG',
    text: "Failed to initialize LocalCache: 'size' must be larger than 0, got '{text}'",
    cause: 'The size of the cache is 0.',
    remedy: 'Give a size, or leave out --cache-config to have no cache.',
  },
  sizeTooSmall: {
    code: 'INTERNAL',
    text: "Failed to initialize LocalCache: 'size' must be at least {limit} bytes, got '{text}'",
    cause: 'The cache has no room for what keeps it in order.',
    remedy: SIZE,
  },
  sizeOutOfRange: {
    code: 'INTERNAL',
    text: "Failed to initialize LocalCache: 'size' is out of range, got '{text}'",
    cause: 'The size of the cache is larger than any memory.',
    remedy: SIZE,
  },
  repeatedKey: {
    code: 'ALREADY_EXISTS',
    text: "key '{key}' already exists",
    cause: 'Another request with the same inputs was answered and kept in the meantime.',
    remedy: 'Nothing: the answer is in the cache.',
  },
  emptyOutput: {
    code: 'INTERNAL',
    text: 'Response buffer from output was nullptr',
    cause: 'An output without elements cannot be kept.',
    remedy: 'Nothing: the client got its answer; it is computed again next time.',
  },
  nothingToEvict: {
    code: 'INTERNAL',
    text: 'Cache is empty, nothing to evict.',
    cause: 'One answer does not fit into the cache, even when nothing else is in it.',
    remedy: 'Raise the size of the cache, or switch response_cache off for this model.',
  },
  tooLarge: {
    code: 'INTERNAL',
    text: 'Requested byte_size: {seen} is greater than total cache size: {limit}',
    cause: 'One answer is larger than the whole cache.',
    remedy: 'Raise the size of the cache, or switch response_cache off for this model.',
  },
});

export const cacheErrors = cacheCatalogue.errors;
