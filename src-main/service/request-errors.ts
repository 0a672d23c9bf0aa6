// What is wrong with a call, whichever protocol it came by.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const requestCatalogue = defineErrors('request', {
  repositoryName: {
    code: 'UNSUPPORTED',
    text: "'repository_name' specification is not supported",
    cause: 'The call names a repository, for which the protocols have a place and no server a use.',
    remedy: 'Name no repository: the server looks into all of them.',
  },
  logFile: {
    code: 'UNSUPPORTED',
    text: 'log file location can not be updated through network protocol',
    cause: 'A client wants to choose the file that the server writes its log to.',
    remedy: 'Give --log-file when the server starts.',
  },
  regionTooSmall: {
    code: 'INTERNAL',
    text: "shared memory size specified with the request for output '{output}' ({given} bytes) should be at least {needed} bytes to hold the results",
    cause: 'The result is larger than the part of the region that the request gives it.',
    remedy: 'Register a larger region, or ask for the output in the answer.',
  },
});

export const requestErrors = requestCatalogue.errors;
