// Who called: programs by protocol and user agent, with their requests and errors. Kept for the window; a bounded number
// of entries, those not seen for longest go first. On the path of every request, so noting one is a map look-up.

import type { ClientProtocol } from '../../src-shared/contract/observe-views.ts';
import type { Clock } from '../base/clock.ts';

/** One program that has called, with its counts since the start. */
export interface ClientEntry {
  readonly protocol: ClientProtocol;
  /** As the client sent it; "" = it sent none. */
  readonly userAgent: string;
  requestCount: number;
  errorCount: number;
  /** Status and message of the newest error; undefined = there was none. */
  lastError: string | undefined;
  lastSeenMs: number;
}

const MAX_CLIENTS = 100;
const MAX_AGENT_LENGTH = 200;
const MAX_ERROR_LENGTH = 400;

/** Counts an answer that was an error. `status` as the protocol has it: "400", "NOT_FOUND". */
export function countError(client: ClientEntry, status: string, message: string): void {
  client.errorCount += 1;
  client.lastError = `${status} ${message}`.slice(0, MAX_ERROR_LENGTH);
}

/**
 * Times are wall-clock milliseconds. A user agent that is too long is cut, and those that are equal then count
 * as one.
 */
export class ClientBook {
  readonly #clock: Clock;
  readonly #entries: Readonly<Record<ClientProtocol, Map<string, ClientEntry>>> = {
    HTTP: new Map(),
    gRPC: new Map(),
    OpenAI: new Map(),
    SageMaker: new Map(),
    'Vertex AI': new Map(),
  };
  /** Requests of entries that are gone. */
  readonly #earlier = new Map<ClientProtocol, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a request. Whoever answers it hands the entry to `countError` when the answer is an error. */
  note(protocol: ClientProtocol, userAgent: string): ClientEntry {
    const { [protocol]: entries } = this.#entries;
    const key = userAgent.length > MAX_AGENT_LENGTH ? userAgent.slice(0, MAX_AGENT_LENGTH) : userAgent;
    const known = entries.get(key) ?? this.#add(entries, protocol, key);
    known.requestCount += 1;
    known.lastSeenMs = this.#clock.wallMs();
    return known;
  }

  /** Requests since the beginning. */
  countOf(protocol: ClientProtocol): number {
    let count = this.#earlier.get(protocol) ?? 0;
    for (const { requestCount } of this.#entries[protocol].values()) count += requestCount;
    return count;
  }

  /** Seen last first. */
  list(): readonly Readonly<ClientEntry>[] {
    return Object.values(this.#entries)
      .flatMap((entries) => [...entries.values()])
      .map((entry) => ({ ...entry }))
      .sort((a, b) => b.lastSeenMs - a.lastSeenMs);
  }

  #add(entries: Map<string, ClientEntry>, protocol: ClientProtocol, userAgent: string): ClientEntry {
    if (entries.size >= MAX_CLIENTS) {
      const oldest = [...entries.values()].reduce((a, b) => (b.lastSeenMs < a.lastSeenMs ? b : a));
      entries.delete(oldest.userAgent);
      this.#earlier.set(protocol, (this.#earlier.get(protocol) ?? 0) + oldest.requestCount);
    }
    const entry: ClientEntry = {
      protocol,
      userAgent,
      requestCount: 0,
      errorCount: 0,
      lastError: undefined,
      lastSeenMs: 0,
    };
    entries.set(userAgent, entry);
    return entry;
  }
}
