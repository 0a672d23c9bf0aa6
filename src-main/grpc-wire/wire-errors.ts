// What cannot be written as a message of gRPC.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const grpcWireCatalogue = defineErrors('grpcWire', {
  responseTooLarge: {
    code: 'INVALID_ARG',
    text: "Response has byte size {size} which exceeds gRPC's byte size limit {limit}.",
    cause: 'The outputs of one answer are together larger than any message of gRPC.',
    remedy: 'Send smaller batches, or ask for the outputs in shared memory.',
  },
});

export const grpcWireErrors = grpcWireCatalogue.errors;
