// Reads paths of Azure's blob storage: `as://ACCOUNT/CONTAINER/PATH`, the account with or without the end of its host.

import { storeErrors } from '../store-errors.ts';
import { shownPath } from '../store-path.ts';

/** Where a path of Azure's storage leads. */
export interface AzurePlace {
  readonly account: string;
  readonly container: string;
  /** Without slashes at its ends; "" = the whole container. */
  readonly key: string;
}

const FORM = /^as:\/\/([^/?]+)\/([^/?]+)(?:\/([^?]*))?(?:\?.*)?$/;
const HOST_END = '.blob.core.windows.net';

/** Throws for a path without a container. */
export function parseAzurePath(path: string): AzurePlace {
  const [, host, container, key = ''] = FORM.exec(path) ?? [];
  if (host === undefined || container === undefined) throw storeErrors.azurePath({ path: shownPath(path) });
  const account = host.endsWith(HOST_END) ? host.slice(0, -HOST_END.length) : host;
  return { account, container, key: key.replace(/^\/+|\/+$/g, '') };
}

/** `?...` of a path; undefined without one. */
export function queryOf(path: string): string | undefined {
  return path.startsWith('as://') ? /\?.*$/s.exec(path)?.[0] : undefined;
}
