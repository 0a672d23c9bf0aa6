// What the server under attack and its handle tell each other.

/** Answer to the message `facts`. */
export interface TargetFacts {
  readonly residentBytes: number;
  readonly cpuMs: number;
  readonly descriptors: number;
}

/** Every port that it listens on. */
export const PORTS = ['http', 'grpc', 'metrics', 'ui', 'sagemaker', 'openai'] as const;

/** First message of the process. */
export type TargetPorts = Readonly<Record<(typeof PORTS)[number], number>>;

/** Opens the window's port. */
export const UI_TOKEN = 'right-token';

/** A file of the page that does not fit into what the system buffers for a connection. */
export const LARGE_FILE = 'large.bin';
