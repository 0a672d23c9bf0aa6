// What passes between the engine thread and the thread of a JavaScript model instance. Tensor bytes of one message lie
// in one buffer that is transferred, each tensor at a multiple of eight.

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { DataType } from '../../../src-shared/datatypes.ts';
import type { WireError } from '../../../src-shared/errors.ts';
import type { ParameterValue } from './model-api.ts';

/** What the thread gets at its start. */
export interface WorkerSetup {
  /** Absolute path of the model file. */
  readonly modelFile: string;
  readonly modelName: string;
  readonly modelVersion: string;
  readonly modelDir: string;
  readonly versionDir: string;
  readonly instanceName: string;
  readonly config: ModelConfig;
}

/** One tensor inside the message's buffer. */
export interface PackedTensor {
  readonly name: string;
  readonly datatype: DataType;
  readonly shape: readonly number[];
  readonly offset: number;
  readonly byteSize: number;
}

/** One request of a batch; its tensors are places in the data of the message. */
export interface RequestMessage {
  /** Unique within the instance. */
  readonly key: number;
  readonly id: string;
  readonly correlationId: bigint | string;
  readonly flags: number;
  readonly priority: bigint;
  readonly timeoutUs: number;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly batchSize: number;
  readonly inputs: readonly PackedTensor[];
  /** Outputs to return: the requested ones and implicit state. */
  readonly wantedOutputs: readonly string[];
  readonly requestedOutputs: readonly string[];
}

/** One response without its final flag. `key`: of the request. `outputs` say where in `data` their bytes are. */
export interface ResponseMessage {
  readonly key: number;
  readonly outputs: readonly PackedTensor[];
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly error: WireError | undefined;
  readonly data: ArrayBuffer;
}

/**
 * A request to another model. `version` -1 is the server's choice; an empty `requestedOutputs` stands for all;
 * `timeoutUs` 0 for none.
 */
export interface CallMessage {
  readonly call: number;
  readonly model: string;
  readonly version: number;
  readonly id: string;
  readonly correlationId: bigint | string;
  readonly flags: number;
  readonly priority: bigint;
  readonly timeoutUs: number;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly requestedOutputs: readonly string[];
  readonly inputs: readonly PackedTensor[];
  readonly data: ArrayBuffer;
}

/** Messages from the engine to the thread. */
export type ToWorker =
  | {
      readonly kind: 'execute';
      /** Number of the batch, for the answer. */
      readonly execution: number;
      readonly requests: readonly RequestMessage[];
      readonly data: ArrayBuffer;
    }
  | { readonly kind: 'cancel'; readonly key: number }
  /** The receiver took a response sent outside of the execute result. */
  | { readonly kind: 'sent'; readonly serial: number; readonly error: WireError | undefined }
  | {
      readonly kind: 'callResponse';
      readonly call: number;
      /** Absent for a final flag alone. */
      readonly response:
        | (Omit<ResponseMessage, 'key'> & { readonly modelName: string; readonly modelVersion: string })
        | undefined;
      readonly isFinal: boolean;
    }
  | { readonly kind: 'finalize' };

/** Messages from the thread to the engine. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly error: WireError }
  /** execute() returned: the single responses it returned, and the error it threw for all others. */
  | {
      readonly kind: 'executed';
      readonly execution: number;
      readonly startedNs: number;
      readonly endedNs: number;
      readonly responses: readonly ResponseMessage[];
      readonly error: WireError | undefined;
    }
  /** A response outside of the execute result, or (response undefined) the final flag alone. */
  | {
      readonly kind: 'response';
      readonly serial: number;
      readonly key: number;
      readonly response: ResponseMessage | undefined;
      readonly isFinal: boolean;
    }
  | ({ readonly kind: 'call' } & CallMessage)
  | { readonly kind: 'cancelCall'; readonly call: number }
  | { readonly kind: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly message: string }
  | { readonly kind: 'finalized' };
