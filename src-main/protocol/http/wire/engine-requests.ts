// How the engine's own loop serves what it reads itself.

import type { HttpContext } from '../http-context.ts';
import { acquire, bodyArrived, keepLimit } from '../infer-route.ts';
import { EARLY_CHECK_BYTES } from '../size-limits.ts';
import type { HotRules } from './hot-admission.ts';
import { hotMatch } from './hot-admission.ts';
import type { DoorRules } from './wire-door.ts';
import { WireExchange } from './wire-exchange.ts';

/** `note` is called for each request that is served here. */
export function engineRequests(
  context: HttpContext,
  rules: HotRules,
  note: (target: string) => void,
): DoorRules<WireExchange> {
  return {
    context,
    note,
    admit: (head) => hotMatch(head, rules),
    isAcceptable: (head, match) => {
      const { contentLength } = head;
      if (contentLength <= EARLY_CHECK_BYTES && contentLength <= context.maxInputByteSize) return true;
      if (contentLength > keepLimit({ context, header: (name) => head.headers.get(name) })) return false;
      try {
        acquire(context.service.useModel(match.model, match.version)).release();
        return true;
      } catch {
        return false;
      }
    },
    request: (connection, match, head) => new WireExchange(connection, context, match, head),
    start: (exchange, body) => {
      try {
        bodyArrived(exchange, body);
      } catch (thrown) {
        exchange.fail(thrown);
      }
    },
  };
}
