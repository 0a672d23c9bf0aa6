// Who may use the port of the window: pages that the port itself served, and for everything but the page's files only
// with the token. Refuses DNS rebinding while bound to loopback. Pure checks on headers.

import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { hostname } from 'node:os';

const LOOPBACK_ADDRESS = /^(127\.\d+\.\d+\.\d+|::1|0:0:0:0:0:0:0:1)$/;

function hostName(host: string): string {
  const bracketed = /^\[([^\]]*)\]/.exec(host);
  return (bracketed?.[1] ?? host.replace(/:\d*$/, '')).toLowerCase();
}

export function isLoopback(address: string): boolean {
  return address === 'localhost' || LOOPBACK_ADDRESS.test(address);
}

function isLocalName(name: string): boolean {
  const own = hostname().toLowerCase();
  return (
    isLoopback(name) ||
    name.endsWith('.localhost') ||
    name === 'host.docker.internal' ||
    name === own ||
    name === `${own}.local`
  );
}

/** Reason to answer 403, undefined = fine. `boundTo` is the address the port listens on. */
export function refuseForeign(headers: IncomingHttpHeaders, boundTo: string): string | undefined {
  const { host, origin } = headers;
  if (host === undefined || host === '') return 'a Host header is required';
  if (isLoopback(boundTo) && !isLocalName(hostName(host))) return `host '${host}' is not this machine`;
  if (origin === undefined) return undefined;
  const own = /^https?:\/\/(.*)$/.exec(origin)?.[1];
  return own?.toLowerCase() === host.toLowerCase() ? undefined : `origin '${origin}' may not use this port`;
}

export function isToken(given: string | null | undefined, token: string): boolean {
  const a = Buffer.from(given ?? '');
  const b = Buffer.from(token);
  return a.length === b.length && b.length > 0 && timingSafeEqual(a, b);
}
