// The secret that lets this page talk to the server that sent it. It comes in the address, moves to the storage of this
// address so that a reload and a bookmark keep working, and leaves the address bar so that it is not copied by accident.

const STORAGE_KEY = 'conch.token';

/** The token of the address, else the one that was kept; undefined without any. */
export function pageToken(): string | undefined {
  const token = new URLSearchParams(window.location.search).get('token');
  if (token === null) return window.localStorage.getItem(STORAGE_KEY) ?? undefined;
  keepToken(token);
  window.history.replaceState(null, '', window.location.pathname + window.location.hash);
  return token;
}

/** Header of a request to the server that sent this page; no header without a token. */
export function bearerOf(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

/** For the next visit without a token in its address. */
export function keepToken(token: string): void {
  window.localStorage.setItem(STORAGE_KEY, token);
}

/** What a pasted text is good for. */
export type PastedAddress =
  | { readonly kind: 'token'; readonly token: string }
  /** A window of another server: the page has to go there. */
  | { readonly kind: 'elsewhere'; readonly url: string }
  | { readonly kind: 'unusable' };

/** What somebody pasted: the printed line or address, or the token alone. `origin` is this page's. */
export function readPastedAddress(text: string, origin: string): PastedAddress {
  const found = /https?:\/\/\S+/.exec(text)?.[0];
  if (found !== undefined) {
    const url = URL.parse(found);
    const token = url?.searchParams.get('token') ?? '';
    if (url === null || token === '') return { kind: 'unusable' };
    return url.origin === origin ? { kind: 'token', token } : { kind: 'elsewhere', url: url.href };
  }
  const token = text.trim().replace(/^\??token=/, '');
  return /^[\w-]{8,}$/.test(token) ? { kind: 'token', token } : { kind: 'unusable' };
}
