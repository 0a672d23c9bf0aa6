// A whole engine with the OpenAI-compatible endpoint, text models and a tokenizer.

import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect } from 'vitest';

import type { Engine } from '../../../src-main/engine.ts';
import type { EngineOptions } from '../../../src-main/options/engine-options.ts';
import { startTestEngine } from '../../../src-main/testing/start-test-engine.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';
import { CHAT_TEMPLATE, TEXT_MODELS } from './text-models.ts';

/** Bodies above are refused. */
export const BODY_LIMIT = 4096;

/** Calls go to the endpoint of `engine`. */
export class OpenaiWorld {
  readonly repository: TempRepository;
  readonly engine: Engine;
  readonly #tokenizer: TempRepository;

  private constructor(repository: TempRepository, tokenizer: TempRepository, engine: Engine) {
    this.repository = repository;
    this.#tokenizer = tokenizer;
    this.engine = engine;
  }

  /** `template`: of chats; undefined = the tokenizer has none. */
  static async start(
    openai: Partial<EngineOptions['openai']> = {},
    { template }: { readonly template: string | undefined } = { template: CHAT_TEMPLATE },
  ): Promise<OpenaiWorld> {
    const repository = await TempRepository.create(TEXT_MODELS);
    const tokenizer = await TempRepository.create({});
    const config = { bos_token: { content: '<s>' }, eos_token: '</s>', chat_template: template };
    await writeFile(path.join(tokenizer.path, 'tokenizer_config.json'), JSON.stringify(config));
    const engine = await startTestEngine(repository.path, {
      openai: { enabled: true, port: 0, tokenizer: tokenizer.path, ...openai },
      http: { maxInputByteSize: BODY_LIMIT },
    });
    return new OpenaiWorld(repository, tokenizer, engine);
  }

  get base(): string {
    return `http://127.0.0.1:${this.engine.ports.openai}`;
  }

  post(where: string, body: unknown): Promise<Response> {
    return fetch(this.base + where, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  /** Status and JSON. */
  async answer(where: string, body: unknown): Promise<readonly [number, unknown]> {
    const response = await this.post(where, body);
    return [response.status, await response.json()];
  }

  /** Texts of the events, the last of which is no JSON. */
  async events(where: string, body: object): Promise<readonly (object | string)[]> {
    const response = await this.post(where, body);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const text = await response.text();
    return text
      .split('\n\n')
      .filter((event) => event !== '')
      .map((event) => event.slice('data: '.length))
      .map((event) => (event === '[DONE]' ? event : (JSON.parse(event) as object)));
  }

  complete(body: object): Promise<readonly [number, unknown]> {
    return this.answer('/v1/completions', { model: 'told', prompt: 'hello', ...body });
  }

  async close(): Promise<void> {
    await this.engine.close();
    await this.#tokenizer.close();
    await this.repository.close();
  }
}
