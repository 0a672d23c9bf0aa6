// What a page may never do: leave its origin, open windows, attach web views, ask for devices. Holds the only call of
// `shell.openExternal` in the product. The content policy travels with the page's own scheme.

import { app, net, protocol, session, shell } from 'electron';
import { pathToFileURL } from 'node:url';

import { contentPolicy } from '../hosting/content-policy.ts';
import { fileOfAddress, PAGE_SCHEME } from './page-address.ts';
import { guardPage } from './page-guard.ts';
import { mayHave } from './page-rights.ts';
import { shellErrors } from './shell-errors.ts';

/** Opens http(s) addresses in the system's browser; anything else is refused with INVALID_ARG. */
export async function openExternal(url: string): Promise<void> {
  const isWeb = URL.canParse(url) && ['https:', 'http:'].includes(new URL(url).protocol);
  if (!isWeb) throw shellErrors.address({ url });
  await shell.openExternal(url);
}

/** Before the app is ready: schemes can only be declared then. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: PAGE_SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ]);
}

/** After the app is ready. `folder` holds the built page. */
export function servePage(folder: string): void {
  protocol.handle(PAGE_SCHEME, async (request) => {
    const file = fileOfAddress(request.url, folder);
    if (file === undefined) return new Response('not found', { status: 404 });
    const response = await net.fetch(pathToFileURL(file).href).catch(() => undefined);
    if (response === undefined) return new Response('not found', { status: 404 });
    const headers = new Headers(response.headers);
    headers.set('content-security-policy', contentPolicy([]));
    headers.set('x-content-type-options', 'nosniff');
    return new Response(response.body, { status: response.status, headers });
  });
}

/** To be called before the first window; guards every page that is made from then on. */
export function setupSecurity(developmentUrl: string | undefined): void {
  app.on('web-contents-created', (_event, contents) => guardPage(contents, developmentUrl, openExternal));
  session.defaultSession.setPermissionRequestHandler((contents, permission, decide) => {
    decide(mayHave(permission, contents.getURL(), developmentUrl));
  });
  // Else Chromium asks its maker for a dictionary at each start, and nothing is to leave this machine unasked. It asks
  // soon after the session is there, so this has to come at once.
  session.defaultSession.setSpellCheckerLanguages([]);
  session.defaultSession.setPermissionCheckHandler((_contents, permission, origin) => {
    return mayHave(permission, origin, developmentUrl);
  });
}
