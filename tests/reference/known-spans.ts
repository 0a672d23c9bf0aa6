// Spans: what is allowed to differ from the running reference.

import type { KnownDifference } from './known-differences.ts';

/** Events of each span in the order of the alphabet. */
const withoutOrder = (answer: string): string =>
  answer.replaceAll(
    /"events":\[([^\]]*)\]/g,
    (_, events: string) => `"events":[${events.split(',').sort().join(',')}]`,
  );

export const KNOWN_SPANS: readonly KnownDifference[] = [
  {
    rows: /^spans of (a batch too large|a wrong (type|input)|an ensemble (with a wrong type|whose step gives nothing)|a model that asks one that refuses|gRPC with a wrong input) > /,
    reason: 'a request that is refused after its trace began leaves that trace',
  },
  {
    rows: /^spans of gRPC with (a state of the parent|a parent|baggage) > |^spans of an ensemble over gRPC with a parent > /,
    reason:
      'the reference reads the context of a gRPC call beyond its end, and loses it by what lies behind it in memory',
    isChance: true,
  },
  {
    rows: /^spans of generate that fails > answer$/,
    reason: 'an error of the model keeps its own status instead of 400: newer servers do as we do',
  },
  {
    rows: /^spans of generate_stream/,
    reason: 'responses that come at once are sent in turns, or one behind the other: a matter of time',
    level: withoutOrder,
    isChance: true,
  },
];
