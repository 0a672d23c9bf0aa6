// What this installation cannot do, now or at all.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const installationCatalogue = defineErrors('installation', {
  measuring: {
    code: 'UNAVAILABLE',
    text: 'a performance run is going on: stop it first',
    cause: 'The run writes among the data that are to be deleted.',
    remedy: 'Stop the run, then delete the data.',
  },
  noPackageList: {
    code: 'UNAVAILABLE',
    text: 'the list of packages is not part of this installation',
    cause: 'The file package-lock.json is missing beside the program.',
    remedy: 'Install the app again.',
  },
  noProtoFiles: {
    code: 'UNAVAILABLE',
    text: 'the .proto files are not part of this installation',
    cause: 'The folder with the protocol files is missing beside the program.',
    remedy: 'Install the app again.',
  },
});

export const installationErrors = installationCatalogue.errors;
