// What the server under attack and its handle tell each other.

/** Answer to the message `facts`. */
export interface TargetFacts {
  readonly residentBytes: number;
  readonly cpuMs: number;
  readonly descriptors: number;
}

/** First message of the process. */
export interface TargetPorts {
  readonly http: number;
  readonly grpc: number;
  readonly metrics: number;
  readonly ui: number;
  readonly sagemaker: number;
  readonly openai: number;
}

/** Opens the window's port. */
export const UI_TOKEN = 'right-token';

/** A file of the page that does not fit into what the system buffers for a connection. */
export const LARGE_FILE = 'large.bin';
