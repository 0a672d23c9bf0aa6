// Refuses requests that a web page could forge. A browser tells the page's origin, so a foreign Origin is refused
// unless allowed by name; where it tells none (images, scripts, forms), Sec-Fetch-Site says that another site's page
// asks; and while bound to loopback, a Host that cannot mean this machine is refused, which stops DNS rebinding. Used
// by every port that speaks HTTP, before anything else. Programs send none of these headers and are never hindered.

import type { IncomingMessage } from 'node:http';
import os from 'node:os';
import net from 'node:net';

/** Which pages and host names may call a port. */
export interface OriginGuardOptions {
  /** Address the port is bound to. */
  readonly address: string;
  /** Origins that may call, as browsers send them ("https://app.example:8443"). */
  readonly allowedOrigins: readonly string[];
  /** Further names of this machine, as a Host header says them, without a port. */
  readonly allowedHosts?: readonly string[];
  /** Names of this machine; default: what the system says. */
  readonly machineNames?: readonly string[];
}

/** Undefined = let it pass; else the message of a 403. */
export type OriginVerdict = string | undefined;

/** Remembered host headers; a client repeats its own. */
const MAX_KNOWN_HOSTS = 256;

/** Knows nothing of secrets: what it lets through may still need a header or a token. */
export class OriginGuard {
  readonly #isLoopback: boolean;
  readonly #allowed: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;
  readonly #knownHosts = new Set<string>();

  constructor(options: OriginGuardOptions) {
    this.#isLoopback = isLoopbackAddress(options.address) || options.address === 'localhost';
    this.#allowed = new Set(options.allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
    const names = [...(options.machineNames ?? machineNames()), ...(options.allowedHosts ?? [])];
    this.#names = new Set(names.map((name) => name.toLowerCase()));
  }

  /** True for an origin that the options name, in any case; says nothing of the server's own pages. */
  isAllowedOrigin(origin: string): boolean {
    return this.#allowed.has(origin.toLowerCase());
  }

  /** Looks at method and headers only. Never throws. */
  check(request: Pick<IncomingMessage, 'method' | 'headers'>): OriginVerdict {
    const { origin, host } = request.headers;
    if (this.#isLoopback && host !== undefined && !this.#isKnownHost(host)) {
      return `Host '${host}' is not a name of this machine. While the server listens on a loopback address, requests must be addressed to localhost, a loopback address or this machine's name. Start the server with '--http-allow-host=${hostName(host)}' to allow this one.`;
    }
    if (origin === undefined) return foreignFetch(request);
    if (this.isAllowedOrigin(origin) || isSameOrigin(origin, host)) return undefined;
    return `Requests from web pages of origin '${origin}' are refused. Start the server with '--http-allow-origin=${origin}' to allow them.`;
  }

  #isKnownHost(host: string): boolean {
    if (this.#knownHosts.has(host)) return true;
    if (!this.#isLocalName(hostName(host))) return false;
    if (this.#knownHosts.size >= MAX_KNOWN_HOSTS) this.#knownHosts.clear();
    this.#knownHosts.add(host);
    return true;
  }

  #isLocalName(name: string): boolean {
    return (
      name === '' ||
      name === 'localhost' ||
      name.endsWith('.localhost') ||
      name === 'host.docker.internal' ||
      isLoopbackAddress(name) ||
      this.#names.has(name)
    );
  }
}

/**
 * A request without Origin that a page of another origin started. Following a link to a page is all that such a page
 * may do: what comes back is shown, not read, and frames are forbidden by the pages themselves.
 */
function foreignFetch({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): OriginVerdict {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined;
  const isLink = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  if (isLink && method === 'GET') return undefined;
  return `Requests that a web page of another origin starts are refused (the browser says 'Sec-Fetch-Site: ${String(site)}').`;
}

function isSameOrigin(origin: string, host: string | undefined): boolean {
  if (host === undefined) return false;
  const at = origin.indexOf('://');
  return at > 0 && origin.slice(at + 3).toLowerCase() === host.toLowerCase();
}

/** The name or address of a Host header: port, brackets and a trailing dot removed, lower case. */
function hostName(host: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(host);
  const name = bracketed?.[1] ?? host.replace(/:\d*$/, '');
  return name.toLowerCase().replace(/\.$/, '');
}

/** 127.0.0.0/8, ::1, and their IPv4-mapped forms. */
function isLoopbackAddress(address: string): boolean {
  const mapped = /^::ffff:(.+)$/i.exec(address)?.[1] ?? address;
  if (net.isIPv4(mapped)) return mapped.startsWith('127.');
  return net.isIPv6(address) && LOOPBACK_IPV6.check(address, 'ipv6');
}

const LOOPBACK_IPV6 = new net.BlockList();
LOOPBACK_IPV6.addAddress('::1', 'ipv6');

function machineNames(): string[] {
  const name = os.hostname();
  const short = name.split('.')[0] ?? name;
  return [name, short, `${short}.local`];
}
