// The one error class of the product and its closed set of codes (the reference's eight).
// Protocol rooms translate codes to HTTP and gRPC statuses through service/status-map.ts; nobody else does.

/** The codes that an error can have; the same as in the reference. */
export const STATUS_CODES = [
  'UNKNOWN',
  'INTERNAL',
  'NOT_FOUND',
  'INVALID_ARG',
  'UNAVAILABLE',
  'UNSUPPORTED',
  'ALREADY_EXISTS',
  'CANCELLED',
] as const;

/** One of the eight codes; frontends turn it into statuses. */
export type StatusCode = (typeof STATUS_CODES)[number];

/** What an error carries besides code and message. */
export interface ServerErrorOptions {
  readonly cause?: unknown;
  /** Extra facts for the UI (field path, seen and expected values); never shown on the wire. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A failed operation with a code that every border understands. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly code: StatusCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: StatusCode, message: string, options: ServerErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
  }
}

/** The form in which an error crosses a port. */
export interface WireError {
  readonly code: StatusCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Any throwable as a ServerError; what is not one already becomes INTERNAL and keeps its cause. */
export function toServerError(thrown: unknown): ServerError {
  if (thrown instanceof ServerError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new ServerError('INTERNAL', message, { cause: thrown });
}

/** Any throwable in that form; its stack and cause stay behind. */
export function errorToWire(thrown: unknown): WireError {
  const { code, message, details } = toServerError(thrown);
  return details === undefined ? { code, message } : { code, message, details };
}

/** The error on the other side of the port. */
export function errorFromWire(wire: WireError): ServerError {
  return new ServerError(
    wire.code,
    wire.message,
    wire.details === undefined ? {} : { details: wire.details },
  );
}

/** INVALID_ARG: the client asks for what cannot be. `message` is what it is told. */
export const invalidArg = (message: string, options?: ServerErrorOptions): ServerError =>
  new ServerError('INVALID_ARG', message, options);
/** NOT_FOUND: what is named is not there. `message` is what the client is told. */
export const notFound = (message: string, options?: ServerErrorOptions): ServerError =>
  new ServerError('NOT_FOUND', message, options);
/** UNAVAILABLE: it could be, but not now. `message` is what the client is told. */
export const unavailable = (message: string, options?: ServerErrorOptions): ServerError =>
  new ServerError('UNAVAILABLE', message, options);
/** UNSUPPORTED: this server does not do that at all. `message` is what the client is told. */
export const unsupported = (message: string, options?: ServerErrorOptions): ServerError =>
  new ServerError('UNSUPPORTED', message, options);
/** INTERNAL: a fault of the model, the runtime or the server. `message` is what the client is told. */
export const internal = (message: string, options?: ServerErrorOptions): ServerError =>
  new ServerError('INTERNAL', message, options);

/** Words of the codes inside composed messages; empty where there is none. */
export const STATUS_WORDS: Readonly<Record<StatusCode, string>> = {
  UNKNOWN: 'Unknown',
  INTERNAL: 'Internal',
  NOT_FOUND: 'Not found',
  INVALID_ARG: 'Invalid argument',
  UNAVAILABLE: 'Unavailable',
  UNSUPPORTED: 'Unsupported',
  ALREADY_EXISTS: 'Already exists',
  CANCELLED: '',
};

/** `Internal: <message>`: the form in which a status is embedded in another message or shown as a reason. */
export function statusText(error: ServerError): string {
  const word = STATUS_WORDS[error.code];
  return word === '' ? error.message : `${word}: ${error.message}`;
}
