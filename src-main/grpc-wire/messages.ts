// Codecs of all messages but the inference ones, from the compiled descriptor. Decoded messages are plain objects:
// 64-bit integers as decimal texts, enums as names, fields at their defaults when absent.

import protobuf from 'protobufjs';

import descriptor from './descriptor.generated.json' with { type: 'json' };

const root = protobuf.Root.fromJSON(descriptor);

/** A decoded message with the field names of the proto file; fields that were not sent have the proto's defaults. */
export type PlainMessage = Readonly<Record<string, unknown>>;

interface MessageCodec {
  encode(message: PlainMessage): Buffer;
  decode(bytes: Uint8Array): PlainMessage;
}

/** `path` is that of the HTTP/2 request, "/inference.GRPCInferenceService/ServerLive". */
export interface MethodDescription {
  readonly name: string;
  readonly path: string;
  readonly request: MessageCodec;
  readonly response: MessageCodec;
}

/** `typeName` with its package: "inference.ModelConfig". */
export function messageCodec(typeName: string): MessageCodec {
  const type = root.lookupType(typeName);
  return {
    encode: (message) => Buffer.from(type.encode(type.fromObject(message)).finish()),
    decode: (bytes) =>
      type.toObject(type.decode(bytes), { longs: String, enums: String, defaults: true, oneofs: true }),
  };
}

/** The methods of "inference.GRPCInferenceService" or "grpc.health.v1.Health" by name. */
export function serviceMethods(serviceName: string): ReadonlyMap<string, MethodDescription> {
  const service = root.lookupService(serviceName);
  const scope = serviceName.slice(0, serviceName.lastIndexOf('.'));
  const entries = service.methodsArray.map((method): [string, MethodDescription] => [
    method.name,
    {
      name: method.name,
      path: `/${serviceName}/${method.name}`,
      request: messageCodec(`${scope}.${method.requestType}`),
      response: messageCodec(`${scope}.${method.responseType}`),
    },
  ]);
  return new Map(entries);
}
