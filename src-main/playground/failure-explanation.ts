// What a server message means for the person who filled in the form. The verbatim message is always shown too.

import type { PlaygroundRequest } from '../../src-shared/contract/inference-calls.ts';

interface Pattern {
  readonly matches: RegExp;
  readonly explain: (groups: readonly string[]) => string;
}

const PATTERNS: readonly Pattern[] = [
  {
    matches:
      /unexpected shape for input '([^']*)' for model '[^']*'\. Expected (\[[^\]]*\]), got (\[[^\]]*\])/,
    explain: ([, name, expected, got]) =>
      `The shape of ${name} is ${got}, but the model takes ${expected} (-1 stands for any size).`,
  },
  {
    matches: /inference input '([^']*)' data-type is '([^']*)', but model '[^']*' expects '([^']*)'/,
    explain: ([, name, got, expected]) => `${name} was sent as ${got}; the model wants ${expected}.`,
  },
  {
    matches: /batch-size must be <= (\d+)/,
    explain: ([, max]) => `The first dimension is the batch; this model takes at most ${max} at once.`,
  },
  {
    matches: /expected (?:number of inputs between )?(\S+).* inputs but got (\d+) inputs/,
    explain: ([, , got]) =>
      `The request has ${got} inputs, which is not what the model needs. See Overview for its inputs.`,
  },
  {
    matches: /must specify the START flag/,
    explain: () =>
      'No sequence with this id is running: it never started, it ended, or it was idle for too long. Tick "start" on the first request of a sequence.',
  },
  {
    matches: /must specify a non-zero or non-empty correlation ID/,
    explain: () => 'This is a sequence model: every request needs a sequence id other than 0.',
  },
  {
    matches: /unknown model: '([^']*)'/,
    explain: ([, name]) => `${name} is not loaded. Load it, or check the version.`,
  },
  {
    matches: /Exceeds maximum queue size/,
    explain: () => 'The queue of this model is full; the request was refused at once.',
  },
  {
    matches: /Request timeout expired/,
    explain: () => 'The request waited longer in the queue than its policy allows.',
  },
  {
    matches: /decoupled transaction policy/,
    explain: () => 'This model sends any number of responses. Only a gRPC stream can carry them.',
  },
  {
    matches: /byte size mismatch for input '([^']*)' .*Expected (\d+), got (\d+)/,
    explain: ([, name, expected, got]) => `${name} has ${got} bytes; its shape and type need ${expected}.`,
  },
  {
    matches: /expected requests with batch size '(\d+)', got '(\d+)'/,
    explain: ([, wanted, got]) =>
      `OpenVINO compiled this model for batches of ${wanted}, and ${got} came. Send ${wanted} rows, set max_batch_size: 0 for batches as they come, or set the parameter ENABLE_BATCH_PADDING to "YES".`,
  },
  {
    matches: /Stub process '[^']*' is not healthy/,
    explain: () =>
      'The Python process of the model ended while it had this request: its code exited, or native code in it crashed. It is started again at once. Logs has its exit code or signal, and what it printed before.',
  },
  {
    // What a cast of a text that is no number says, by the type it was cast to.
    matches: /running Cast node\.[^]*\b(?:sto[a-z]+|invalid string|Conversion from string)/i,
    explain: () =>
      'The model reads its text as a number, and the text that was sent is none. Send digits, such as 1.',
  },
];

/** An error message in other words, where there are better ones. */
export interface Explanation {
  /** undefined when nothing better than the message is known. */
  readonly explanation: string | undefined;
  /** Input the message is about, undefined when unknown. */
  readonly faultyInput: string | undefined;
}

/** Without an error there is nothing to add. */
export function explainFailure(error: string | undefined, request: PlaygroundRequest): Explanation {
  if (error === undefined) return { explanation: undefined, faultyInput: undefined };
  const faultyInput = request.inputs.find(({ name }) => error.includes(`input '${name}'`))?.name;
  for (const { matches, explain } of PATTERNS) {
    const found = matches.exec(error);
    if (found !== null) return { explanation: explain([...found]), faultyInput };
  }
  return { explanation: undefined, faultyInput };
}
