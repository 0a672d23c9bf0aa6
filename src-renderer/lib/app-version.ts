// The version of this window. The server's own version number is the protocol level it is compatible with.

import { version } from '../../package.json';

export const APP_VERSION: string = version;
