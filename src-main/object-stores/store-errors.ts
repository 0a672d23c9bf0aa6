// What is wrong with a repository in an object store: credentials, buckets, objects. The words are the reference's.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

const READABLE = 'Look at the credentials, the address and the path, and whether the store answers.';
const LOCAL_FOLDER = 'Make the folder, or let the user of the server write to it.';

export const storeCatalogue = defineErrors('store', {
  s3Client: {
    code: 'INTERNAL',
    text: "Unable to create S3 filesystem client. Check account credentials. Exception: '{name}' Message: '{reason}'",
    cause: 'The bucket does not answer: it does not exist, the address is wrong, or the credentials are.',
    remedy: READABLE,
  },
  s3NoBucket: {
    code: 'INVALID_ARG',
    text: "Invalid bucket name: '{path}'",
    cause: 'The path of the repository has nothing, or only slashes, where the name of its bucket should be.',
    remedy: 'Write s3://BUCKET/PATH, or s3://HOST:PORT/BUCKET/PATH.',
  },
  s3Object: {
    code: 'INTERNAL',
    text: 'Failed to get object at {path} due to exception: {name}, error message: {reason}',
    cause: 'An object could not be read, or its reading broke off.',
    remedy: READABLE,
  },
  s3List: {
    code: 'INTERNAL',
    text: 'Could not list contents of directory at {path} due to exception: {name}, error message: {reason}',
    cause: 'The store refused to list the objects, or broke off while it did.',
    remedy: READABLE,
  },
  s3Prefix: {
    code: 'INTERNAL',
    text: 'Failed to list objects with prefix {path} due to exception: {name}, error message: {reason}',
    cause: 'The store refused to say whether there is anything at the path.',
    remedy: READABLE,
  },
  gcsBucket: {
    code: 'INTERNAL',
    text: 'Could not get MetaData for bucket with name {bucket} : {reason}',
    cause: 'The bucket does not exist, or these credentials may not see it.',
    remedy: READABLE,
  },
  gcsList: {
    code: 'INTERNAL',
    text: 'Could not list contents of directory at {path} : {reason}',
    cause: 'The store refused to list the objects, or broke off while it did.',
    remedy: READABLE,
  },
  gcsObject: {
    code: 'INTERNAL',
    text: 'Failed to get object at {path} : {reason}',
    cause: 'An object could not be read, or its reading broke off.',
    remedy: READABLE,
  },
  azurePath: {
    code: 'INTERNAL',
    text: 'Invalid azure storage path: {path}',
    cause: 'The path of the repository has no account or no container.',
    remedy: 'Write as://ACCOUNT/CONTAINER/PATH.',
  },
  azureFolder: {
    code: 'INTERNAL',
    text: 'Failed to check if directory at {path}:{reason}',
    cause: 'The container does not exist, or these credentials may not see it.',
    remedy: READABLE,
  },
  azureList: {
    code: 'INTERNAL',
    text: 'Failed to get contents of directory {path}:{reason}',
    cause: 'The store refused to list the objects, or broke off while it did.',
    remedy: READABLE,
  },
  azureObject: {
    code: 'INTERNAL',
    text: 'Failed to download file at {path}:{reason}',
    cause: 'An object could not be read, or its reading broke off.',
    remedy: READABLE,
  },
  write: {
    code: 'INTERNAL',
    text: 'Failed to write object at {path}: {reason}',
    cause: 'The store refused to write or to remove an object, or broke off while it did.',
    remedy:
      'Look whether these credentials may write there, and whether the store answers; then upload again.',
  },
  noMatch: {
    code: 'NOT_FOUND',
    text: 'Cannot match credential for path  {path}',
    cause: 'The file of TRITON_CLOUD_CREDENTIAL_PATH has no name that the path begins with.',
    remedy: 'Add the beginning of the path, or the name "" for all others, to the credential file.',
  },
  credentialFile: {
    code: 'INTERNAL',
    text: "Failed to read the credential file '{file}': {reason}",
    cause: 'The file of TRITON_CLOUD_CREDENTIAL_PATH is missing, may not be read, or is no JSON object.',
    remedy: 'Correct the variable or the file.',
  },
  noFile: {
    code: 'INTERNAL',
    text: 'File does not exist at {path}',
    cause: 'The object was listed a moment ago and is gone, or never was there.',
    remedy: 'Look whether somebody is changing the repository.',
  },
  nothingThere: {
    code: 'INTERNAL',
    text: 'directory or file does not exist at {path}',
    cause: 'No object has the path of the model.',
    remedy: 'Look whether somebody took the model out of the repository.',
  },
  emptyName: {
    code: 'INTERNAL',
    text: 'Cannot handle item with empty name at {path}',
    cause: 'The key of an object has two slashes in a row below the repository.',
    remedy: 'Rename the object.',
  },
  unusableName: {
    code: 'INTERNAL',
    text: "Cannot handle item with name '{name}' at {path}",
    cause: 'The key of an object has a part that can be no name of a file here.',
    remedy: 'Rename the object.',
  },
  textTooLarge: {
    code: 'INVALID_ARG',
    text: "'{path}' has {size} bytes, more than the {limit} that are read",
    cause: 'A configuration or another text of a model is far longer than such texts are.',
    remedy: 'Look whether the object is what its name says.',
  },
  noTempFolder: {
    code: 'INTERNAL',
    text: 'Failed to create local temp folder: {path}, errno:{reason}',
    cause: 'The folder that copies of models go to is missing or cannot be written.',
    remedy: LOCAL_FOLDER,
  },
  noLocalFolder: {
    code: 'INTERNAL',
    text: 'Failed to create local folder: {path}, errno:{reason}',
    cause: 'The disk that copies of models go to is full or cannot be written.',
    remedy: LOCAL_FOLDER,
  },
  notWritten: {
    code: 'INTERNAL',
    text: 'Failed to write the copy of {path}: {reason}',
    cause: 'The disk that copies of models go to is full or cannot be written.',
    remedy: 'Make room, or name another folder (TRITON_AWS_MOUNT_DIRECTORY and its kin).',
  },
});

export const storeErrors = storeCatalogue.errors;

/** Faults of a path, a key or this machine: other credentials would not help. */
const NOT_OF_THE_STORE: ReadonlySet<unknown> = new Set(
  (
    [
      's3NoBucket',
      'azurePath',
      'nothingThere',
      'emptyName',
      'unusableName',
      'textTooLarge',
      'noTempFolder',
      'noLocalFolder',
      'notWritten',
    ] as const
  ).map((name) => `store/${name}`),
);

/** Whether what was thrown may be cured by reading the credentials again. */
export function isStoreFault(thrown: unknown): boolean {
  const { details } = thrown as { readonly details?: Readonly<Record<string, unknown>> };
  return !NOT_OF_THE_STORE.has(details?.['errorId']);
}
