// The objects of answers, whole and in parts. Members of parts that were never set are left out.

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

/** The call that a guided answer stands for. */
function toolCalls(tool: string, text: string): object[] {
  return [{ id: `call_${randomUUID()}`, type: 'function', function: { name: tool, arguments: text } }];
}

/** How answers of one call look, whole and in parts. */
export interface Form {
  whole(head: AnswerHead, output: TextOutput, usage: object | null): object;
  /** The part in front of all others; undefined = there is none. */
  first(head: AnswerHead): object | undefined;
  part(head: AnswerHead, output: TextOutput, isFinal: boolean): object;
  usage(head: AnswerHead, usage: object | null): object;
}

/** `tool`: the name of the tool that the answer must be a call of. */
export function chatForm(tool: string | undefined): Form {
  const object = 'chat.completion.chunk';
  return {
    whole: ({ id, created, model }, { text, logprobs }, usage) => ({
      id,
      choices: [
        {
          finish_reason: 'stop',
          index: 0,
          message: {
            content: tool === undefined ? text : '',
            tool_calls: tool === undefined ? null : toolCalls(tool, text),
            role: 'assistant',
            function_call: null,
          },
          logprobs,
        },
      ],
      created,
      model,
      system_fingerprint: null,
      object: 'chat.completion',
      usage,
    }),
    first: (head) => ({
      ...head,
      object,
      choices: [
        { delta: { role: 'assistant', content: '', function_call: null }, index: 0, finish_reason: null },
      ],
    }),
    part: (head, { text, logprobs }, isFinal) => ({
      ...head,
      object,
      choices: [
        {
          delta:
            tool === undefined
              ? { role: null, content: text, function_call: null }
              : {
                  role: null,
                  content: '',
                  tool_calls: [{ index: 0, function: { name: tool, arguments: text } }],
                },
          index: 0,
          finish_reason: isFinal ? 'stop' : null,
          ...(logprobs === null ? {} : { logprobs }),
        },
      ],
    }),
    usage: (head, usage) => ({ ...head, object, choices: [], usage }),
  };
}

export const completionForm: Form = {
  whole: ({ id, created, model }, { text, logprobs }, usage) => ({
    id,
    choices: [{ finish_reason: 'stop', index: 0, logprobs, text }],
    created,
    model,
    system_fingerprint: null,
    object: 'text_completion',
    usage,
  }),
  first: () => undefined,
  part: (head, { text, logprobs }, isFinal) => ({
    ...head,
    object: 'text_completion',
    choices: [{ finish_reason: isFinal ? 'stop' : null, index: 0, logprobs, text }],
  }),
  usage: (head, usage) => ({ ...head, object: 'text_completion', choices: [], usage }),
};
