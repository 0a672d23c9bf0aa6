// Every request of a level with its times and answers, for the profile export. Kept only when that was asked for: it
// holds all responses in memory.

import type { Lane } from '../load/lane.ts';

export interface LoggedRequest {
  readonly startNs: number;
  readonly sequenceId: number;
  readonly stream: number;
  readonly step: number;
  readonly responseNs: readonly number[];
  readonly responses: readonly Buffer[];
}

export class RequestLog {
  readonly #requests: LoggedRequest[] = [];

  note(lane: Lane): void {
    if (lane.error !== '') return;
    this.#requests.push({
      startNs: lane.startNs,
      sequenceId: lane.message.sequenceId,
      stream: lane.message.stream,
      step: lane.message.step,
      responseNs: [...lane.responseNs],
      responses: [...lane.responses],
    });
  }

  /** What was noted since the last call. */
  take(): readonly LoggedRequest[] {
    return this.#requests.splice(0);
  }
}
