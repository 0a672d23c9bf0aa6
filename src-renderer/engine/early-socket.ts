// A small script of its own, before all others: opens the socket to the server while the window's own script is still on
// its way. Does nothing in the desktop app, which is handed a port.

import { pageToken } from './page-token.ts';
import { socketUrl } from './socket-url.ts';

if (window.conchShell === undefined) window.conchEarlySocket = new WebSocket(socketUrl(pageToken()));
