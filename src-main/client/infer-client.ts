// How this product talks to a Triton-compatible server, ours or another: the playground, `conch infer`, parity and
// performance runs and conformance tests all go through these clients over real sockets.

/** A tensor as it is sent or was received. */
export interface ClientTensor {
  readonly name: string;
  /** Wire name ("FP32"). */
  readonly datatype: string;
  readonly shape: readonly number[];
  /** Wire layout: little-endian, packed; BYTES with 4-byte length prefixes. */
  readonly bytes: Uint8Array;
}

/** Where a tensor lies when it does not travel. */
export interface ClientRegion {
  readonly region: string;
  readonly offset: number;
  readonly byteSize: number;
}

/** A parameter of a request; bigint becomes a 64-bit integer, number a double. */
export type ClientParameterValue = string | bigint | number | boolean;

/** An output that is asked for, and in which form. */
export interface ClientRequestedOutput {
  readonly name: string;
  /** Top-k classes instead of the tensor; 0 = the tensor. */
  readonly classCount: number;
  readonly region?: ClientRegion;
}

/** One inference request, the same over both protocols. */
export interface ClientRequest {
  readonly model: string;
  /** "" = the server's choice. */
  readonly version: string;
  readonly id: string;
  readonly inputs: readonly (ClientTensor & { readonly region?: ClientRegion })[];
  /** Empty = all outputs. */
  readonly outputs: readonly ClientRequestedOutput[];
  /** Sequence, priority, timeout and custom parameters by their wire names; integers as bigint. */
  readonly parameters: ReadonlyMap<string, ClientParameterValue>;
}

/** Of one response; a decoupled model gives several. Outputs come in the order in which the server sent them. */
export interface ClientResponse {
  readonly modelName: string;
  readonly modelVersion: string;
  readonly id: string;
  readonly parameters: ReadonlyMap<string, ClientParameterValue>;
  readonly outputs: readonly ClientTensor[];
}

/** Times of one exchange, measured at this end. They add up to `totalMs`. */
export interface ClientTiming {
  readonly totalMs: number;
  /** Until the request was handed to the system. */
  readonly sendMs: number;
  /** Until the first byte of the answer. */
  readonly waitMs: number;
  /** Until the last byte of the answer. */
  readonly receiveMs: number;
}

/** One exchange, whether the server answered with success or with an error. Only a broken transport rejects. */
export interface ClientExchange {
  readonly ok: boolean;
  /** HTTP status, or gRPC status code. */
  readonly status: number;
  readonly statusText: string;
  /** The server's message; undefined on success. */
  readonly error: string | undefined;
  readonly responses: readonly ClientResponse[];
  readonly headers: readonly (readonly [string, string])[];
  /** Readable head of the answer (JSON of HTTP answers), at most 64 KiB. */
  readonly rawHead: string;
  readonly requestByteSize: number;
  readonly responseByteSize: number;
  readonly timing: ClientTiming;
}

/** An abort cuts the request and rejects with the signal's reason. */
export interface InferOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Sends requests to one server. Whoever makes one closes it. */
export interface InferClient {
  /** Rejects with UNAVAILABLE when the server cannot be reached; with the signal's reason when aborted. */
  infer(request: ClientRequest, options?: InferOptions): Promise<ClientExchange>;
  /** Closes the connections; requests under way may fail. */
  close(): Promise<void>;
}
