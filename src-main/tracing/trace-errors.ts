// What is wrong with a change of the trace settings.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const traceCatalogue = defineErrors('trace', {
  noNumber: {
    code: 'INVALID_ARG',
    text: "Unable to parse '{key}', got: {value}",
    cause: 'The value of the setting does not begin with a number.',
    remedy: 'Send a whole number.',
  },
  outOfRange: {
    code: 'INVALID_ARG',
    text: "Unable to parse '{key}', value is out of range {range}, got: {value}",
    cause: 'The number is too large or too small for the setting.',
    remedy: 'Send a number of 31 bits at most; trace_count may be -1, which is no limit.',
  },
  countTooSmall: {
    code: 'INVALID_ARG',
    text: "Unable to parse '{key}'. Expecting value >= -1, got:{value}",
    cause: 'The number of traces is below -1.',
    remedy: 'Send -1 for no limit, or a number of traces.',
  },
  offWithOthers: {
    code: 'INVALID_ARG',
    text: "Expect only one trace level 'OFF' is specified",
    cause: 'trace_level has OFF beside other levels.',
    remedy: 'Send OFF alone, or the levels without it.',
  },
  file: {
    code: 'UNSUPPORTED',
    text: 'trace file location can not be updated through network protocol',
    cause: 'A client wants to choose the file that the server writes traces to.',
    remedy: 'Give --trace-config=triton,file=FILE when the server starts.',
  },
  invalid: {
    code: 'INVALID_ARG',
    text: 'Attempting to set invalid trace setting :{reason}',
    cause: 'With this change nothing could be traced any more, though a level is set.',
    remedy: 'Send trace_level OFF to end tracing, or a rate and a count above 0.',
  },
  unknownModel: {
    code: 'INVALID_ARG',
    text: 'Request for unknown model : {name}',
    cause: 'The settings of a model are asked for or changed that the server does not have.',
    remedy: 'Correct the name; the index of the repository lists all models.',
  },
});

export const traceErrors = traceCatalogue.errors;
