// Requests, responses and calls of hosted code as messages of a model's thread, and back.

import { errorFromWire, errorToWire } from '../../../src-shared/errors.ts';
import type { HostedCall } from '../hosted/hosted-calls.ts';
import type { HostedResponse, HostedTensor, KeyedRequest } from '../hosted/hosted-code.ts';
import type { InferenceResponse } from '../../inference/inference-response.ts';
import { copyBytes } from '../../inference/tensor-bytes.ts';
import { packedBytes, TensorPacker } from './packed-tensors.ts';
import type {
  CallMessage,
  PackedTensor,
  RequestMessage,
  ResponseMessage,
  ToWorker,
} from './worker-messages.ts';

type WithTransfer<T> = readonly [message: T, transfer: readonly ArrayBuffer[]];

/** A batch as one message to the thread of the model, with the buffers that go over to it. */
export function executeMessage(
  execution: number,
  keyed: readonly KeyedRequest[],
): WithTransfer<Extract<ToWorker, { kind: 'execute' }>> {
  const packer = new TensorPacker();
  const requests = keyed.map((each) => requestMessage(each, packer));
  const data = packer.pack();
  return [{ kind: 'execute', execution, requests, data }, [data]];
}

/** A response out of the thread; its output bytes are views of the buffer that came with the message. */
export function hostedResponse(message: ResponseMessage): HostedResponse {
  return {
    outputs: tensors(message.data, message.outputs),
    parameters: new Map(Object.entries(message.parameters)),
    error: message.error && errorFromWire(message.error),
  };
}

/**
 * A call of the model to another model; its input bytes are views of the buffer that came with the message.
 */
export function hostedCall(message: CallMessage): HostedCall {
  return {
    ...message,
    parameters: new Map(Object.entries(message.parameters)),
    inputs: tensors(message.data, message.inputs),
  };
}

/** One answer to a call of the model to another model; `undefined` is the final flag alone. */
export function callResponseMessage(
  call: number,
  response: InferenceResponse | undefined,
  isFinal: boolean,
): WithTransfer<Extract<ToWorker, { kind: 'callResponse' }>> {
  if (response === undefined) return [{ kind: 'callResponse', call, response: undefined, isFinal }, []];
  const packer = new TensorPacker();
  const outputs = response.outputs.map(({ name, datatype, shape, bytes }) =>
    packer.add({
      name,
      datatype,
      shape,
      byteSize: bytes.byteLength,
      write: (target) => target.set(bytes),
    }),
  );
  const data = packer.pack();
  const { modelName, modelVersion } = response;
  const parameters = Object.fromEntries(response.parameters);
  const error = response.error && errorToWire(response.error);
  return [
    {
      kind: 'callResponse',
      call,
      isFinal,
      response: { modelName, modelVersion, parameters, outputs, data, error },
    },
    [data],
  ];
}

function tensors(data: ArrayBuffer, packed: readonly PackedTensor[]): HostedTensor[] {
  return packed.map((tensor) => ({
    name: tensor.name,
    datatype: tensor.datatype,
    shape: tensor.shape,
    bytes: packedBytes(data, tensor),
  }));
}

function requestMessage({ key, request }: KeyedRequest, packer: TensorPacker): RequestMessage {
  const inputs = [...request.inputs, ...request.overrideInputs].map(
    ({ name, datatype, shapeWithBatch, bytes }) =>
      packer.add({
        name,
        datatype,
        shape: shapeWithBatch,
        byteSize: bytes.byteSize,
        write: (target) => void copyBytes(bytes, target, 0),
      }),
  );
  return {
    key,
    id: request.id,
    correlationId: request.correlationId,
    flags: request.flags,
    priority: request.priority,
    timeoutUs: request.timeoutUs,
    parameters: Object.fromEntries(request.parameters),
    batchSize: request.batchSize,
    inputs,
    wantedOutputs: [...request.requestedOutputs, ...request.stateOutputs],
    requestedOutputs: request.requestedOutputs,
  };
}
