// What the desktop asks of the page. A page that does not listen yet gets it once it does.

import type { ShellRequest } from '../../../src-shared/contract/shell-calls.ts';

/** Sends a request to a page, which listens. */
export type SendRequest = (request: ShellRequest) => void;

/** Requests in the order they were made, each told once. */
export class PageRequests {
  readonly #kept: ShellRequest[] = [];
  #send: SendRequest | undefined;

  /** Tells the page now, or the next one that listens. */
  tell(request: ShellRequest): void {
    if (this.#send === undefined) this.#kept.push(request);
    else this.#send(request);
  }

  /** A page listens, and hears what was kept for it. */
  listens(send: SendRequest): void {
    this.#send = send;
    for (const request of this.#kept.splice(0)) send(request);
  }

  /** The page that listened is gone. */
  gone(): void {
    this.#send = undefined;
  }
}
