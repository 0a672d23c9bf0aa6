// Which plain heads are served by those who read the socket themselves: infer requests that neither the guard nor a
// restriction refuses. What is refused is refused where all other requests are.

import type { OriginGuard } from '../origin-guard.ts';
import type { Restrictions } from '../restricted-api.ts';
import { restrictionFault } from '../restricted-api.ts';
import type { RouteMatch, RoutePattern, Router } from '../router.ts';
import type { PlainHead } from './plain-head.ts';

/** Those of the port; its router may know hot routes only. */
export interface HotRules {
  readonly guard: OriginGuard;
  readonly router: Router<RoutePattern>;
  readonly restrictions: Restrictions;
}

/** The route of a hot request; undefined for any other. */
export function hotMatch(head: PlainHead, { guard, router, restrictions }: HotRules): RouteMatch | undefined {
  const match = router.match(head.target);
  if (match?.route.isHot !== true) return undefined;
  const headers = Object.fromEntries(head.headers);
  if (guard.check({ method: 'POST', headers }) !== undefined) return undefined;
  if (restrictionFault(restrictions, match.route.category, headers) !== undefined) return undefined;
  return match;
}
