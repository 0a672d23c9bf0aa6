// What a request of the OpenAI API asks of a text model, whatever the model's backend: the prompt and how to go on from it.

import { detailFault } from './openai-fault.ts';
import type { ChatBody, CompletionBody } from './request-schemas.ts';

/** Tensors that make a model answer in the form of a tool's arguments. */
export interface GuidedTool {
  readonly name: string;
  /** JSON schema of its arguments, as text. */
  readonly schema: string;
}

/** What is asked of a language model, with OpenAI's defaults. */
export interface TextRequest {
  readonly model: string;
  readonly prompt: string;
  readonly isStream: boolean;
  readonly includesUsage: boolean;
  readonly maxTokens: number;
  readonly temperature: number;
  readonly topP: number;
  readonly frequencyPenalty: number;
  readonly presencePenalty: number;
  readonly seed: number | undefined;
  readonly stop: readonly string[];
  /** The prompt is part of the answer; undefined = nobody asked. */
  readonly echo: boolean | undefined;
  readonly logprobs: number | undefined;
  readonly tool: GuidedTool | undefined;
  /** The model may call one of the tools of its prompt. */
  readonly mayCallTools: boolean;
  /** Adapter of the model; undefined = none. */
  readonly lora: string | undefined;
  /** Fields of the body that a vLLM model takes as its sampling parameters. */
  readonly sampling: Readonly<Record<string, unknown>>;
}

/** What a request is read with. */
export interface TextSettings {
  readonly defaultMaxTokens: number;
  readonly isVllm: boolean;
  /** Calls of tools can be found in the model's text. */
  readonly hasToolParser: boolean;
  readonly lora: string | undefined;
}

type Common = ChatBody | CompletionBody;

/** Fields that are no parameters of sampling, or reach the model elsewhere. */
const NOT_SAMPLING: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'prompt', 'stream', 'stream_options', 'echo', 'n', 'best_of', 'user'],
  ...['tools', 'tool_choice', 'parallel_tool_calls', 'response_format', 'functions', 'function_call'],
  ...['max_tokens', 'max_completion_tokens', 'logprobs', 'top_logprobs', 'suffix', 'logit_bias'],
]);

function samplingOf(body: Common): Record<string, unknown> {
  const given = Object.entries(body).filter(
    ([key, value]) => !NOT_SAMPLING.has(key) && value !== null && value !== undefined,
  );
  return Object.fromEntries(given);
}

function common(body: Common, settings: TextSettings): Omit<TextRequest, 'prompt' | 'temperature'> {
  const { stream_options: options, stop } = body;
  const isStream = body.stream === true;
  if (options != null && !isStream) {
    throw detailFault(400, '`stream_options` can only be used when `stream` is True');
  }
  if ((body.n ?? 1) > 1) {
    throw detailFault(400, `Received n=${body.n}, but only single choice (n=1) is currently supported`);
  }
  const maxTokens = body.max_tokens ?? settings.defaultMaxTokens;
  return {
    model: body.model,
    isStream,
    includesUsage: options?.include_usage === true,
    maxTokens,
    topP: body.top_p ?? 1,
    frequencyPenalty: body.frequency_penalty ?? 0,
    presencePenalty: body.presence_penalty ?? 0,
    seed: body.seed ?? undefined,
    stop: stop == null ? [] : typeof stop === 'string' ? [stop] : stop,
    echo: undefined,
    logprobs: undefined,
    tool: undefined,
    mayCallTools: false,
    lora: settings.lora,
    sampling: { ...samplingOf(body), max_tokens: maxTokens },
  };
}

/** Throws the fault with status 400 for what is not offered. */
export function completionRequest(body: CompletionBody, settings: TextSettings): TextRequest {
  const { prompt, best_of: bestOf } = body;
  if (bestOf != null && settings.isVllm) {
    throw detailFault(400, 'best_of is no longer supported in vLLM backend, removed from vLLM V1 engine');
  }
  if ((bestOf ?? 1) > 1) {
    const text = `Received best_of=${bestOf}, but only single choice (best_of=1) is currently supported`;
    throw detailFault(400, text);
  }
  if (prompt === '' || prompt === null || (Array.isArray(prompt) && prompt.length === 0)) {
    throw detailFault(400, 'prompt must be non-empty');
  }
  if (typeof prompt !== 'string') throw detailFault(400, 'only single string input is supported');
  if (body.suffix != null) throw detailFault(400, 'suffix is not currently supported');
  if (body.logit_bias != null) throw detailFault(400, 'logit bias is not supported');
  if (body.logprobs != null && !settings.isVllm) throw logprobsFault();
  return {
    ...common(body, settings),
    prompt,
    temperature: body.temperature ?? 1,
    echo: body.echo === true,
    logprobs: body.logprobs ?? undefined,
  };
}

/** Of a chat, all but its prompt. Throws the fault with status 400 for what is not offered. */
export function chatRequest(body: ChatBody, settings: TextSettings): Omit<TextRequest, 'prompt'> {
  for (const { content } of body.messages) {
    for (const { type } of Array.isArray(content) ? content : []) {
      if (type !== 'text') throw detailFault(400, `only text message is supported, but got ${type}`);
    }
  }
  if (body.logit_bias != null) throw detailFault(400, 'logit bias is not currently supported');
  if (body.top_logprobs != null && body.logprobs !== true) {
    throw detailFault(400, '`top_logprobs` can only be used when `logprobs` is True');
  }
  if (body.logprobs === true && !settings.isVllm) throw logprobsFault();
  const made = common(body, settings);
  const maxTokens = body.max_completion_tokens ?? made.maxTokens;
  return {
    ...made,
    maxTokens,
    temperature: body.temperature ?? 0.7,
    logprobs: body.logprobs === true ? (body.top_logprobs ?? 0) : undefined,
    tool: toolOf(body, settings.hasToolParser),
    mayCallTools: settings.hasToolParser && mayCall(body),
    sampling: { ...made.sampling, max_tokens: maxTokens },
  };
}

function logprobsFault(): Error {
  return detailFault(400, 'logprobs are currently available only for the vLLM backend');
}

/** The tool that the answer must be a call of; undefined = none must be called. */
function toolOf({ tools, tool_choice: choice }: ChatBody, hasParser: boolean): GuidedTool | undefined {
  const offered = tools ?? [];
  const guided = (found: (typeof offered)[number]): GuidedTool => ({
    name: found.function.name,
    schema: JSON.stringify(found.function.parameters ?? {}),
  });
  if (choice === 'none') return undefined;
  if (choice === 'required') {
    const [first] = offered;
    if (first !== undefined) return guided(first);
    throw detailFault(
      400,
      '"required" tool choice requires CreateChatCompletionRequest.tools to be provided',
    );
  }
  if (typeof choice === 'object' && choice !== null) {
    const { name } = choice.function;
    if (offered.length === 0) {
      throw detailFault(400, 'Named tool choice requires CreateChatCompletionRequest.tools to be provided');
    }
    const found = offered.find((one) => one.function.name === name);
    if (found === undefined) throw detailFault(400, `Tool '${name}' has not been passed in \`tools\`.`);
    return guided(found);
  }
  if (choice === 'auto' && !hasParser) {
    throw detailFault(400, '"auto" tool choice requires --tool-call-parser to be set');
  }
  if (choice == null && offered.length > 0 && !hasParser) {
    throw detailFault(400, 'having tools in the request requires --tool-call-parser to be set');
  }
  return undefined;
}

function mayCall({ tools, tool_choice: choice }: ChatBody): boolean {
  return (tools ?? []).length > 0 && (choice == null || choice === 'auto');
}
