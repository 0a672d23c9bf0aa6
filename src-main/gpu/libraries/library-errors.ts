// What goes wrong when the libraries for NVIDIA's GPUs are fetched.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const gpuLibraryCatalogue = defineErrors('gpuLibrary', {
  digest: {
    code: 'UNAVAILABLE',
    text: '{file} is not what was published under that name: its digest differs',
    cause: 'The file was damaged or changed on its way. It was thrown away.',
    remedy: 'Try again; if it happens again, fetch the file by another way and give its folder with --from.',
  },
  notInFolder: {
    code: 'UNAVAILABLE',
    text: '{file} cannot be read from {folder}: {reason}',
    cause: 'The folder of --from lacks the file, or it may not be read.',
    remedy: 'Put the file there; `conch gpu install` names all that are needed.',
  },
  unreachable: {
    code: 'UNAVAILABLE',
    text: '{address} cannot be reached: {reason}',
    cause: 'The machine has no way to the host of the files.',
    remedy: 'Fetch the files on another machine and give their folder with --from.',
  },
  refused: {
    code: 'UNAVAILABLE',
    text: '{address} answers {status}',
    cause: 'The host of the files does not hand this one out now.',
    remedy: 'Try again later.',
  },
  brokeOff: {
    code: 'UNAVAILABLE',
    text: '{file} broke off after {here} of {size} bytes: {reason}; the next try goes on from there',
    cause: 'The connection ended before the whole file had come.',
    remedy: 'Try again.',
  },
});

export const gpuLibraryErrors = gpuLibraryCatalogue.errors;
