// Answers to chats: text, the arguments of a tool that had to be called, or whatever calls a parser finds in the text.

import type { AnswerHead, Form } from './answer-objects.ts';
import type { TextOutput } from './text-outputs.ts';
import type { ToolCall, ToolCallParserName, ToolPiece } from './tool-calls/tool-parser.ts';
import { toolCallsIn, ToolStream } from './tool-calls/tool-parser.ts';

/** What becomes of the model's text. Neither member = it is the answer. */
export interface ChatTools {
  /** The tool that the text is the arguments of. */
  readonly guided?: string | undefined;
  /** Finds calls in the text. */
  readonly parser?: ToolCallParserName | undefined;
  /** Of the text of calls in a streamed answer. */
  readonly limitByteSize: number;
}

const OBJECT = 'chat.completion.chunk';

/** The form of one chat's answer. */
export class ChatForm implements Form {
  readonly #tools: ChatTools;
  #stream: ToolStream | undefined;

  constructor(tools: ChatTools) {
    this.#tools = tools;
  }

  get isOver(): boolean {
    return this.#stream?.isOver === true;
  }

  whole({ id, created, model }: AnswerHead, output: TextOutput, usage: object | null): object {
    const { text, logprobs } = output;
    const { guided, parser } = this.#tools;
    const found = parser === undefined ? undefined : toolCallsIn(text, parser);
    const calls = guided === undefined ? found : [{ id, name: guided, arguments: text }];
    return {
      id,
      choices: [
        {
          finish_reason: found === undefined ? 'stop' : 'tool_calls',
          index: 0,
          message: {
            content: calls === undefined ? text : '',
            tool_calls: calls?.map((call) => wholeCall(call)) ?? null,
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
    };
  }

  first(head: AnswerHead): object {
    return chunk(head, { role: 'assistant', content: '', function_call: null }, null, null);
  }

  parts(head: AnswerHead, output: TextOutput, isFinal: boolean): readonly object[] {
    const { text, logprobs } = output;
    const { guided, parser, limitByteSize } = this.#tools;
    const reason = isFinal ? 'stop' : null;
    if (guided !== undefined) {
      const call = { index: 0, function: { name: guided, arguments: text } };
      return [chunk(head, { tool_calls: [call] }, reason, logprobs)];
    }
    if (parser === undefined) {
      return [chunk(head, { role: null, content: text, function_call: null }, reason, logprobs)];
    }
    const stream = (this.#stream ??= new ToolStream(parser, limitByteSize));
    const pieces = [...stream.push(text), ...(isFinal ? stream.finish() : [])];
    const told = pieces.map((piece) => chunk(head, delta(piece), null, logprobs));
    if (stream.isOver) told.push(chunk(head, { content: '' }, 'length', null));
    else if (isFinal) told.push(chunk(head, { content: '' }, stream.hasCalls ? 'tool_calls' : 'stop', null));
    return told;
  }

  usage(head: AnswerHead, usage: object | null): object {
    return { ...head, object: OBJECT, system_fingerprint: null, choices: [], usage };
  }
}

function wholeCall({ id, name, arguments: given }: ToolCall): object {
  return { id, type: 'function', function: { name, arguments: given } };
}

function delta(piece: ToolPiece): object {
  if ('content' in piece) return piece;
  const { index } = piece;
  const call =
    'name' in piece
      ? { index, id: piece.id, type: 'function', function: { name: piece.name } }
      : { index, function: { arguments: piece.arguments } };
  return { tool_calls: [call] };
}

function chunk(head: AnswerHead, told: object, reason: string | null, logprobs: unknown): object {
  const choice = { index: 0, delta: told, logprobs, finish_reason: reason };
  return { ...head, object: OBJECT, system_fingerprint: null, choices: [choice], usage: null };
}
