// The gRPC library, which only clients need: it is loaded by the first of them, not with the server.

import { createRequire } from 'node:module';

import type * as grpc from '@grpc/grpc-js';

type Library = typeof grpc;

let library: Library | undefined;

/** Loads @grpc/grpc-js at the first call, which takes tens of milliseconds; later ones give back the same. */
export function grpcLibrary(): Library {
  library ??= createRequire(import.meta.url)('@grpc/grpc-js') as Library;
  return library;
}
