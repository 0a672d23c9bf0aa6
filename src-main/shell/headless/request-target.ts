// What a request line of the window's port asks for. The port serves a few plain names, so nothing is decoded or
// resolved, and whatever is no path of this server is no target at all.

/** A path of this server, with its query. */
export interface RequestTarget {
  /** Begins with one slash; as sent. */
  readonly pathname: string;
  readonly query: URLSearchParams;
}

/** Undefined for anything but a path, with or without a query, as clients send it to a server itself. Never throws. */
export function requestTarget(line: string | undefined): RequestTarget | undefined {
  const text = line ?? '';
  if (!text.startsWith('/') || text.startsWith('//')) return undefined;
  const at = text.indexOf('?');
  if (at < 0) return { pathname: text, query: new URLSearchParams() };
  return { pathname: text.slice(0, at), query: new URLSearchParams(text.slice(at + 1)) };
}
