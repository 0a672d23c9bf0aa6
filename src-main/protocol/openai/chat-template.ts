// Prompts of chats: the Jinja template of a Hugging Face tokenizer in a local folder, or one of a file. Nothing is split into
// tokens here; that is the model's.

import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { Template } from '@huggingface/jinja';

import { openaiErrors } from './openai-errors.ts';

interface SpecialTokens {
  readonly bos_token: string;
  readonly eos_token: string;
}

/** What the template of a chat may look at. */
export interface ChatPrompt {
  readonly messages: readonly object[];
  readonly tools: readonly object[] | undefined;
}

const NO_TOKENS: SpecialTokens = { bos_token: '', eos_token: '' };
const CONFIG = 'tokenizer_config.json';

/** Made once at the start of the endpoint. */
export class ChatTemplate {
  /** The folder of a tokenizer that has none: completions do without. */
  readonly #template: Template | { readonly lacking: string };
  readonly #tokens: SpecialTokens;

  private constructor(template: Template | { readonly lacking: string }, tokens: SpecialTokens) {
    this.#template = template;
    this.#tokens = tokens;
  }

  /**
   * `tokenizer`: a folder; `file`: a template that takes the place of the tokenizer's. Undefined = neither is given.
   * Throws INVALID_ARG for a folder or a template that cannot be used.
   */
  static async read(tokenizer: string, file: string): Promise<ChatTemplate | undefined> {
    if (tokenizer === '' && file === '') return undefined;
    const config = tokenizer === '' ? {} : await readConfig(tokenizer);
    const own = file === '' ? undefined : await readNamed(file);
    const text = own ?? (await jinjaFile(tokenizer)) ?? templateIn(config);
    if (text === undefined) return new ChatTemplate({ lacking: tokenizer }, NO_TOKENS);
    try {
      return new ChatTemplate(new Template(text), {
        bos_token: tokenText(config['bos_token']),
        eos_token: tokenText(config['eos_token']),
      });
    } catch (thrown) {
      throw openaiErrors.badTemplate({ reason: String(thrown) }, { cause: thrown });
    }
  }

  /** Throws INVALID_ARG with the template's own words where it refuses the messages, INTERNAL where there is none. */
  prompt({ messages, tools }: ChatPrompt): string {
    const template = this.#template;
    if (!(template instanceof Template)) throw openaiErrors.noTemplate({ folder: template.lacking });
    try {
      return template.render({
        ...NO_TOKENS,
        ...this.#tokens,
        messages: [...messages],
        add_generation_prompt: true,
        ...(tools === undefined ? {} : { tools: [...tools] }),
      });
    } catch (thrown) {
      throw openaiErrors.notRendered({ reason: (thrown as Error).message }, { cause: thrown });
    }
  }
}

async function readConfig(folder: string): Promise<Record<string, unknown>> {
  const file = path.join(folder, CONFIG);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (thrown) {
    throw openaiErrors.noTokenizer({ folder, file: CONFIG }, { cause: thrown });
  }
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (thrown) {
    throw openaiErrors.badTokenizer({ file, reason: (thrown as Error).message }, { cause: thrown });
  }
}

async function readNamed(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    throw openaiErrors.badTokenizer({ file, reason: (thrown as Error).message }, { cause: thrown });
  }
}

async function jinjaFile(folder: string): Promise<string | undefined> {
  return await readFile(path.join(folder, 'chat_template.jinja'), 'utf8').catch(() => undefined);
}

/** One template, or the default one of several. */
function templateIn({ chat_template: given }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof given === 'string') return given;
  if (!Array.isArray(given)) return undefined;
  const named = given as readonly { readonly name?: unknown; readonly template?: unknown }[];
  const found = named.find(({ name }) => name === 'default') ?? named[0];
  return typeof found?.template === 'string' ? found.template : undefined;
}

/** A special token as a text, or as an object around it. */
function tokenText(token: unknown): string {
  if (typeof token === 'string') return token;
  const { content } = (token ?? {}) as { readonly content?: unknown };
  return typeof content === 'string' ? content : '';
}
