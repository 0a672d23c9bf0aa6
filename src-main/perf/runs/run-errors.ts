// What goes wrong with measurements that the window starts and keeps.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const perfRunCatalogue = defineErrors('perfRun', {
  unknown: {
    code: 'NOT_FOUND',
    text: "there is no run '{run}'",
    cause: 'The measurement was deleted.',
    remedy: 'Choose another one from the history.',
  },
  changeUndone: {
    code: 'NOT_FOUND',
    text: 'this change was undone already, or is not known',
    cause: 'A configuration that a measurement found was taken back before.',
    remedy:
      'Compare the configuration of the model with what you want, and apply the run again if it differs.',
  },
  busy: {
    code: 'UNAVAILABLE',
    text: 'a run goes on; verification needs the server for itself',
    cause: 'Two measurements at a time would measure each other.',
    remedy: 'Wait for the run, or stop it.',
  },
  measuredNothing: {
    code: 'UNAVAILABLE',
    text: 'the check measured nothing',
    cause: 'The load generator ended before its first window was complete.',
    remedy: 'Repeat it; if it happens again, measure by hand and look at the errors of the run.',
  },
  endpointOff: {
    code: 'UNAVAILABLE',
    text: 'the {protocol} endpoint is off',
    cause: 'The plan sends to this server over a protocol that it does not listen to.',
    remedy: 'Turn the endpoint on in the settings of the server, or choose the other protocol.',
  },
  generatorEnded: {
    code: 'INTERNAL',
    text: 'the load generator ended unexpectedly ({detail})',
    cause: 'The process that sends the load was killed or broke down.',
    remedy: 'Repeat the run; look at the memory of the machine if it happens again.',
  },
  nothingToSweep: {
    code: 'INVALID_ARG',
    text: 'a sweep needs at least one value to try',
    cause: 'None of the things that a sweep can vary has a value.',
    remedy: 'Give values for at least one of them.',
  },
  tooManyVariants: {
    code: 'INVALID_ARG',
    text: 'the sweep has {count} combinations; at most {limit} can be measured',
    cause: 'Each value of each thing is combined with all of the others.',
    remedy: 'Give fewer values, or sweep one thing after the other.',
  },
});

export const perfRunErrors = perfRunCatalogue.errors;
