// Chats, completions and embeddings: from a checked body to a request on its way to its model.

import { ServerError } from '../../../src-shared/errors.ts';
import type { ModelUse } from '../../inference/model-invoker.ts';
import type { Form } from './answer-objects.ts';
import { chatForm, completionForm } from './answer-objects.ts';
import type { ChatTemplate } from './chat-template.ts';
import { EmbeddingCall } from './embedding-call.ts';
import type { RequestFormat } from './model-inputs.ts';
import { formatOf, textInputs } from './model-inputs.ts';
import type { OpenaiExchange } from './openai-exchange.ts';
import { detailFault } from './openai-fault.ts';
import type { ChatBody, CompletionBody, EmbeddingBody } from './request-schemas.ts';
import type { TextRequest } from './sampling.ts';
import { chatRequest, completionRequest } from './sampling.ts';
import { TextCall } from './text-call.ts';

interface CallOptions {
  readonly defaultMaxTokens: number;
  readonly requestFormat: RequestFormat | '';
}

/** Throws faults, and errors of the service; what throws leaves no model in use. */
export class OpenaiCalls {
  readonly #options: CallOptions;
  readonly #template: ChatTemplate | undefined;

  /** Without a template chats are refused. */
  constructor(options: CallOptions, template: ChatTemplate | undefined) {
    this.#options = options;
    this.#template = template;
  }

  chat(exchange: OpenaiExchange, body: ChatBody): void {
    this.#start(exchange, body.model, (settings) => {
      const request = chatRequest(body, settings);
      const template = this.#template;
      if (template === undefined) throw detailFault(500, 'Unknown tokenizer');
      const tools = body.tools ?? undefined;
      const prompt = template.prompt({ messages: body.messages.map(withArguments), tools });
      return { request: { ...request, prompt }, form: chatForm(request.tool?.name) };
    });
  }

  complete(exchange: OpenaiExchange, body: CompletionBody): void {
    this.#start(exchange, body.model, (settings) => ({
      request: completionRequest(body, settings),
      form: completionForm,
    }));
  }

  embed(exchange: OpenaiExchange, body: EmbeddingBody): void {
    const use = modelUse(exchange, body.model);
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

  #start(
    exchange: OpenaiExchange,
    model: string,
    read: (settings: { readonly defaultMaxTokens: number; readonly isVllm: boolean }) => {
      readonly request: TextRequest;
      readonly form: Form;
    },
  ): void {
    const { defaultMaxTokens, requestFormat } = this.#options;
    const use = modelUse(exchange, model);
    let call: TextCall;
    try {
      const format = formatOf(use.config, requestFormat);
      const { request, form } = read({ defaultMaxTokens, isVllm: format === 'vllm' });
      const { isStream, includesUsage } = request;
      const inputs = textInputs(use.config, request, format);
      call = new TextCall(exchange, { use, inputs, form, isStream, includesUsage });
    } catch (thrown) {
      use.release();
      throw thrown;
    }
    call.submit();
  }
}

function modelUse({ context: { service } }: OpenaiExchange, name: string): ModelUse {
  try {
    return service.useModel(name, '');
  } catch (thrown) {
    const isUnknown = thrown instanceof ServerError && thrown.code === 'NOT_FOUND';
    throw isUnknown ? detailFault(400, `Unknown model: ${name}`) : thrown;
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
