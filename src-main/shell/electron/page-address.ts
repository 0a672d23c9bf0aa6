// Where the window's page comes from: a scheme of our own that serves the built files, or the development server.
// A scheme of its own gives the page an origin, which `file:` does not have.

import path from 'node:path';

/** Scheme of the addresses of the window, without the colon. */
export const PAGE_SCHEME = 'conch';
/** Origin of the page; whatever comes from another one is refused. */
export const PAGE_ORIGIN = `${PAGE_SCHEME}://window`;

/**
 * What the development server announces; undefined = there is none. A packaged app has the page of its build alone: otherwise
 * any environment could give the privileged window another page.
 */
export function developmentAddress(
  isPackaged: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return isPackaged ? undefined : environment['ELECTRON_RENDERER_URL'] || undefined;
}

/** Address to load; `developmentUrl` is what the development server announces, undefined in a build. */
export function pageAddress(developmentUrl: string | undefined): string {
  return developmentUrl ?? `${PAGE_ORIGIN}/index.html`;
}

/** Whether an address belongs to the page of the app; with a development server, to that alone. */
export function isOurPage(url: string, developmentUrl: string | undefined): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host } = new URL(url);
  if (developmentUrl !== undefined) return new URL(developmentUrl).host === host;
  return `${protocol}//${host}` === PAGE_ORIGIN;
}

/** File of the build that an address of our page names; undefined for any other, and for one that leaves the build. */
export function fileOfAddress(url: string, folder: string): string | undefined {
  if (!isOurPage(url, undefined)) return undefined;
  const { pathname } = new URL(url);
  const relative = decoded(pathname === '/' ? '/index.html' : pathname);
  if (relative === undefined) return undefined;
  const file = path.join(folder, relative);
  return file.startsWith(folder + path.sep) ? file : undefined;
}

function decoded(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname);
  } catch {
    // "%zz"
    return undefined;
  }
}
