// A request to the OpenAI-compatible endpoint: an exchange of the HTTP port with bodies of its own for what goes wrong.

import { toServerError } from '../../../src-shared/errors.ts';
import { Exchange } from '../http/exchange.ts';
import { OpenaiFault } from './openai-fault.ts';

const JSON_TYPE = 'application/json';

/** Faults of the endpoint keep their bodies; whatever else is thrown is answered with status 500 and its text. */
export class OpenaiExchange extends Exchange {
  override header(name: string): string | undefined {
    if (name === 'content-encoding' || name === 'accept-encoding') return undefined;
    return super.header(name);
  }

  override fail(thrown: unknown): void {
    if (thrown instanceof OpenaiFault) this.#answer(thrown.status, thrown.body);
    else this.error(500, toServerError(thrown).message);
  }

  override error(status: number, message: string): void {
    this.#answer(status, { detail: message });
  }

  #answer(status: number, body: object): void {
    this.send(status, JSON_TYPE, Buffer.from(JSON.stringify(body), 'utf8'));
  }
}
