// Controls and regions at their edges: what is allowed to differ from the running reference.

import type { KnownDifference } from './known-differences.ts';

const NEWER = 'newer servers do as we do';

export const KNOWN_EDGES: readonly KnownDifference[] = [
  {
    rows: /^controls, (batches|alone): id in STRING > (a|bc) /,
    reason: `a text that names a sequence reaches a Python model: ${NEWER}`,
  },
  {
    rows: /^controls, (batches|alone): a number that is no kind > /,
    reason: 'a kind that is none is refused by name; the reference leaves the control out',
  },
  { rows: /^region edges: key \/ > POST /, reason: `empty keys are refused by name: ${NEWER}` },
  {
    rows: /^region edges: size .* > POST .*\/register /,
    reason: `errors name the field: ${NEWER}`,
    level: (answer) => answer.replace(/Unable to parse '\w+': /, ''),
  },
  {
    rows: /^region edges: offset 18446744073709551615 > POST /,
    reason: 'an end that no number holds is beyond the object; the reference asks the system to map it',
  },
  {
    rows: /^region edges: two names of one object > /,
    reason:
      'an object has as many regions as are asked for; the reference asks a descriptor that it has closed',
  },
  {
    rows: /^region edges: ((input|output) of -?0 bytes|no elements|no size) > POST .*\/infer /,
    reason: 'no bytes of a region are too few, not too many, and enough for an empty tensor',
  },
];
