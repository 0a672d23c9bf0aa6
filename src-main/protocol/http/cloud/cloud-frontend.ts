// What an endpoint of a managed cloud is: which requests mean which call of the v2 port, and what answers the rest.

import type { IncomingMessage } from 'node:http';

import type { Route } from '../routes/route-handler.ts';
import type { RouteMatch } from '../router.ts';
import type { SegmentName } from '../router.ts';
import { NO_NAMES } from '../router.ts';
import type { CloudDialect, StatusRule } from './cloud-exchange.ts';

/** A call, and the names of what it is about. */
export interface CloudCall {
  readonly match: RouteMatch<Route>;
  readonly statusOf?: StatusRule;
}

/** An answer without a call; the message, if there is one, is sent as the error object. */
export interface CloudRefusal {
  readonly status: number;
  readonly message?: string;
}

/** What the requests of one cloud's contract mean. */
export interface CloudFrontend {
  /** As the log names it. */
  readonly service: 'Sagemaker' | 'Vertex AI';
  readonly dialect: CloudDialect;
  /** Throws when the endpoint cannot start as it is configured. */
  check(): Promise<void>;
  /** Looks at method, path and headers only. */
  route(request: IncomingMessage): CloudCall | CloudRefusal;
}

/** What the platforms answer to a path that is none of theirs, and to a method that a path has not. */
export const BAD_REQUEST: CloudRefusal = { status: 400 };
/** For a path that is known, asked with a method that is not. */
export const METHOD_NOT_ALLOWED: CloudRefusal = { status: 405, message: 'Method Not Allowed' };

/** A route that is found by other means than its path. */
export function pathless(parts: Pick<Route, 'category' | 'methods' | 'handler'>): Route {
  return { paths: [], ...parts };
}

/** A route as if a path had led to it; names that are not given are "". */
export function callOf(route: Route, names: Partial<Record<SegmentName, string>> = {}): CloudCall {
  return { match: { route, ...NO_NAMES, ...names } };
}

/** Path of a request without its query. */
export function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}
