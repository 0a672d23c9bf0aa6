// The objects of answers, whole and in parts, and the form of completions.

import { randomUUID } from 'node:crypto';

import type { TextOutput } from './text-outputs.ts';

/** What all objects of one answer have in common. */
export interface AnswerHead {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** As it was asked for. */
  readonly model: string;
}

/** A new answer's id and time. `wallMs`: milliseconds since 1970. */
export function answerHead(model: string, wallMs: number): AnswerHead {
  return { id: `cmpl-${randomUUID()}`, created: Math.floor(wallMs / 1000), model };
}

/** How one answer is told. Made anew for each answer, since some remember what they told. */
export interface Form {
  /** The one object of an answer that is not streamed; `usage` null is left to the client as null. */
  whole(head: AnswerHead, output: TextOutput, usage: object | null): object;
  /** The part in front of all others; undefined = there is none. */
  first(head: AnswerHead): object | undefined;
  /** What the model's next response adds; `isFinal`: it is the last one. */
  parts(head: AnswerHead, output: TextOutput, isFinal: boolean): readonly object[];
  /** The part behind all others that a client asked for with `stream_options`. */
  usage(head: AnswerHead, usage: object | null): object;
  /** The last part told that the answer ends here: nothing more is wanted of the model. */
  readonly isOver: boolean;
}

/** Completions: the text as it is. */
export class CompletionForm implements Form {
  readonly isOver = false;

  whole({ id, created, model }: AnswerHead, { text, logprobs }: TextOutput, usage: object | null): object {
    return {
      id,
      choices: [{ finish_reason: 'stop', index: 0, logprobs, text }],
      created,
      model,
      system_fingerprint: null,
      object: 'text_completion',
      usage,
    };
  }

  first(): undefined {
    return undefined;
  }

  parts(head: AnswerHead, { text, logprobs }: TextOutput, isFinal: boolean): readonly object[] {
    const choice = { finish_reason: isFinal ? 'stop' : null, index: 0, logprobs, text };
    return [completionPart(head, [choice], null)];
  }

  usage(head: AnswerHead, usage: object | null): object {
    return completionPart(head, [], usage);
  }
}

function completionPart(head: AnswerHead, choices: readonly object[], usage: object | null): object {
  return { ...head, object: 'text_completion', system_fingerprint: null, choices, usage };
}
