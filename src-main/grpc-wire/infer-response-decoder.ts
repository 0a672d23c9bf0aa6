// ModelInferResponse and ModelStreamInferResponse from wire bytes, for clients: output bytes are views.

import protobuf from 'protobufjs';

import type {
  GrpcInferResponse,
  GrpcParameter,
  GrpcParameterValue,
  GrpcStreamResponse,
} from './infer-message.ts';
import { endOf, readFields, readInt64s, readParameter } from './infer-request-decoder.ts';

/** Reads one message. Throws where the bytes are no such message. */
export function decodeInferResponse(bytes: Uint8Array): GrpcInferResponse {
  let modelName = '';
  let modelVersion = '';
  let id = '';
  const parameters = new Map<string, GrpcParameter>();
  const heads: { name: string; datatype: string; shape: number[] }[] = [];
  const raw: Uint8Array[] = [];
  const reader = protobuf.Reader.create(bytes);
  readFields(reader, reader.len, (field) => {
    if (field === 1) modelName = reader.string();
    else if (field === 2) modelVersion = reader.string();
    else if (field === 3) id = reader.string();
    else if (field === 4) readParameter(reader, parameters);
    else if (field === 5) heads.push(readHead(reader));
    else if (field === 6) {
      const end = endOf(reader);
      raw.push(bytes.subarray(reader.pos, end));
      reader.pos = end;
    } else return false;
    return true;
  });
  const outputs = heads.map((head, index) => ({ ...head, bytes: raw[index] ?? new Uint8Array() }));
  return { modelName, modelVersion, id, parameters: plainValues(parameters), outputs };
}

/** Reads one message of a stream; `errorMessage` is empty where it carries a response. */
export function decodeStreamResponse(bytes: Uint8Array): GrpcStreamResponse {
  let errorMessage = '';
  let response: GrpcInferResponse = {
    modelName: '',
    modelVersion: '',
    id: '',
    parameters: new Map(),
    outputs: [],
  };
  const reader = protobuf.Reader.create(bytes);
  readFields(reader, reader.len, (field) => {
    if (field === 1) {
      errorMessage = reader.string();
      return true;
    }
    if (field !== 2) return false;
    const end = endOf(reader);
    response = decodeInferResponse(bytes.subarray(reader.pos, end));
    reader.pos = end;
    return true;
  });
  return { errorMessage, response };
}

function readHead(reader: protobuf.Reader): { name: string; datatype: string; shape: number[] } {
  const head = { name: '', datatype: '', shape: [] as number[] };
  readFields(reader, endOf(reader), (field, wireType) => {
    if (field === 1) head.name = reader.string();
    else if (field === 2) head.datatype = reader.string();
    else if (field === 3) readInt64s(reader, wireType, head.shape);
    else return false;
    return true;
  });
  return head;
}

function plainValues(
  parameters: ReadonlyMap<string, GrpcParameter>,
): ReadonlyMap<string, GrpcParameterValue> {
  const values = new Map<string, GrpcParameterValue>();
  for (const [key, { value }] of parameters) if (value !== undefined) values.set(key, value);
  return values;
}
