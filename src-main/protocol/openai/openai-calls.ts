// Chats, completions and embeddings: from a checked body to a request on its way to its model.

import { ServerError } from '../../../src-shared/errors.ts';
import type { ModelUse } from '../../inference/model-invoker.ts';
import type { Adapters, NamedModel } from './adapters.ts';
import type { Form } from './answer-objects.ts';
import { CompletionForm } from './answer-objects.ts';
import { ChatForm } from './chat-form.ts';
import type { ChatTemplate } from './chat-template.ts';
import { EmbeddingCall } from './embedding-call.ts';
import type { RequestFormat } from './model-inputs.ts';
import { formatOf, textInputs } from './model-inputs.ts';
import type { OpenaiExchange } from './openai-exchange.ts';
import { detailFault } from './openai-fault.ts';
import type { ChatBody, CompletionBody, EmbeddingBody } from './request-schemas.ts';
import type { TextRequest, TextSettings } from './sampling.ts';
import { chatRequest, completionRequest } from './sampling.ts';
import { TextCall } from './text-call.ts';
import type { ToolCallParserName } from './tool-calls/tool-parser.ts';

interface CallOptions {
  readonly defaultMaxTokens: number;
  readonly requestFormat: RequestFormat | '';
  /** Finds calls of tools in answers; undefined = nothing does. */
  readonly toolCallParser: ToolCallParserName | undefined;
  /** Of the text of calls in a streamed answer. */
  readonly maxToolCallParseByteSize: number;
}

/** Throws faults, and errors of the service; what throws leaves no model in use. */
export class OpenaiCalls {
  readonly #options: CallOptions;
  readonly #template: ChatTemplate | undefined;
  readonly #adapters: Adapters;

  /** Without a template chats are refused. */
  constructor(options: CallOptions, template: ChatTemplate | undefined, adapters: Adapters) {
    this.#options = options;
    this.#template = template;
    this.#adapters = adapters;
  }

  /** Returns when the request is with its model; the exchange is answered later. Throws 500 without a template. */
  chat(exchange: OpenaiExchange, body: ChatBody): void {
    this.#start(exchange, body.model, (settings) => {
      const request = chatRequest(body, settings);
      const template = this.#template;
      if (template === undefined) throw detailFault(500, 'Unknown tokenizer');
      const tools = body.tools ?? undefined;
      const prompt = template.prompt({ messages: body.messages.map(withArguments), tools });
      const { toolCallParser, maxToolCallParseByteSize: limitByteSize } = this.#options;
      const parser = request.mayCallTools ? toolCallParser : undefined;
      const form = new ChatForm({ guided: request.tool?.name, parser, limitByteSize });
      return { request: { ...request, prompt }, form };
    });
  }

  /** As `chat`, with the prompt as it came. */
  complete(exchange: OpenaiExchange, body: CompletionBody): void {
    this.#start(exchange, body.model, (settings) => ({
      request: completionRequest(body, settings),
      form: new CompletionForm(),
    }));
  }

  /** As `chat`. Throws 400 for a model that does not take the form of vLLM. */
  embed(exchange: OpenaiExchange, body: EmbeddingBody): void {
    const use = modelUse(exchange, this.#adapters.split(body.model).name, body.model);
    try {
      if (formatOf(use.config, this.#options.requestFormat) !== 'vllm') {
        throw detailFault(400, 'TRT-LLM backend and Python backend do not support embedding requests');
      }
      new EmbeddingCall(exchange, use, body).submit();
    } catch (thrown) {
      use.release();
      throw thrown;
    }
  }

  #start(exchange: OpenaiExchange, model: string, read: Reader): void {
    const named = this.#adapters.split(model);
    if (named.lora === undefined) this.#run(exchange, model, named, read);
    else this.#runAdapted(exchange, model, named, read).catch((thrown: unknown) => exchange.fail(thrown));
  }

  async #runAdapted(exchange: OpenaiExchange, model: string, named: NamedModel, read: Reader): Promise<void> {
    const known = await this.#adapters.of(named.name);
    if (known !== undefined && named.lora !== undefined && !known.includes(named.lora)) {
      throw detailFault(400, `Unknown LoRA: ${named.lora}; for model: ${model}`);
    }
    this.#run(exchange, model, named, read);
  }

  #run(exchange: OpenaiExchange, model: string, { name, lora }: NamedModel, read: Reader): void {
    const { defaultMaxTokens, requestFormat, toolCallParser } = this.#options;
    const use = modelUse(exchange, name, model);
    let call: TextCall;
    try {
      const format = formatOf(use.config, requestFormat);
      const isVllm = format === 'vllm';
      const hasToolParser = toolCallParser !== undefined;
      const { request, form } = read({ defaultMaxTokens, isVllm, hasToolParser, lora });
      const { isStream, includesUsage } = request;
      const inputs = textInputs(use.config, request, format);
      call = new TextCall(exchange, { use, model, inputs, form, isStream, includesUsage });
    } catch (thrown) {
      use.release();
      throw thrown;
    }
    call.submit();
  }
}

type Reader = (settings: TextSettings) => { readonly request: TextRequest; readonly form: Form };

/** `asked`: the model as the request names it. */
function modelUse({ context: { service } }: OpenaiExchange, name: string, asked: string): ModelUse {
  try {
    return service.useModel(name, '');
  } catch (thrown) {
    const isUnknown = thrown instanceof ServerError && thrown.code === 'NOT_FOUND';
    throw isUnknown ? detailFault(400, `Unknown model: ${asked}`) : thrown;
  }
}

/** Arguments of calls that the model made before come as text, and templates want to look into them. */
function withArguments(message: ChatBody['messages'][number]): object {
  const { tool_calls: calls } = message as { readonly tool_calls?: unknown };
  if (!Array.isArray(calls)) return { ...message, content: textOf(message.content) };
  const read = (calls as readonly { readonly function?: { readonly arguments?: unknown } }[]).map((call) => {
    const { arguments: given } = call.function ?? {};
    if (typeof given !== 'string') return call;
    try {
      return { ...call, function: { ...call.function, arguments: JSON.parse(given) as unknown } };
    } catch {
      return call;
    }
  });
  return { ...message, content: textOf(message.content), tool_calls: read };
}

/** Parts of text as one. */
function textOf(content: ChatBody['messages'][number]['content']): string | null {
  if (content == null || typeof content === 'string') return content ?? null;
  return content.map(({ text = '' }) => text).join('\n');
}
