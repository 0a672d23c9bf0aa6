// What goes wrong when this program is a client: of its own server from the playground, of any server from the command
// line and the load generator.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const clientCatalogue = defineErrors('client', {
  datatype: {
    code: 'INVALID_ARG',
    text: "input '{name}' has unknown datatype '{datatype}'",
    cause: 'The tensor is to be sent as JSON, and its datatype is none that has elements.',
    remedy: 'Name one of those of config.pbtxt without TYPE_ in front; strings are BYTES.',
  },
  noJsonForm: {
    code: 'UNSUPPORTED',
    text: "input '{name}': {datatype} cannot be sent as JSON; use the binary encoding",
    cause: 'JSON has no numbers of this datatype.',
    remedy: 'Choose the binary encoding, or gRPC.',
  },
  byteSize: {
    code: 'INVALID_ARG',
    text: "input '{name}' has {bytes} bytes, which do not make {count} elements of {datatype}",
    cause: 'The bytes of the tensor do not fill its shape.',
    remedy: 'Correct the bytes or the shape.',
  },
  httpUnreachable: {
    code: 'UNAVAILABLE',
    text: 'cannot reach the HTTP server at {host}:{port}: {reason}',
    cause: 'Nothing answers at the address, or something between does not let the connection through.',
    remedy: 'Correct the address, or start the server there.',
  },
  grpcUnreachable: {
    code: 'UNAVAILABLE',
    text: 'cannot reach the gRPC server: {reason}',
    cause: 'Nothing answers at the address, or something between does not let the connection through.',
    remedy: 'Correct the address, or start the server there; its gRPC port is mostly 8001.',
  },
  noObject: {
    code: 'INTERNAL',
    text: 'the answer of the server is no JSON object',
    cause: 'What answers an inference does not speak the protocol of inference servers.',
    remedy: 'Correct the address; the HTTP port of a server is mostly 8000.',
  },
});

export const clientErrors = clientCatalogue.errors;
