// A whole engine with the OpenAI-compatible endpoint, text models and a tokenizer.

import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Engine } from '../../../src-main/engine.ts';
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

  static async start(): Promise<OpenaiWorld> {
    const repository = await TempRepository.create(TEXT_MODELS);
    const tokenizer = await TempRepository.create({});
    const config = { bos_token: { content: '<s>' }, eos_token: '</s>', chat_template: CHAT_TEMPLATE };
    await writeFile(path.join(tokenizer.path, 'tokenizer_config.json'), JSON.stringify(config));
    const engine = await startTestEngine(repository.path, {
      openai: { enabled: true, port: 0, tokenizer: tokenizer.path },
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

  complete(body: object): Promise<readonly [number, unknown]> {
    return this.answer('/v1/completions', { model: 'told', prompt: 'hello', ...body });
  }

  async close(): Promise<void> {
    await this.engine.close();
    await this.#tokenizer.close();
    await this.repository.close();
  }
}
