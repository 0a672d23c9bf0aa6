// Gives the page its bridge to the desktop and hands engine ports over. Carries values, knows no call by name: the
// main process checks names and arguments.

import { contextBridge, ipcRenderer, webUtils } from 'electron';

import type { ShellBridge, ShellRequest } from '../src-shared/contract/shell-calls.ts';
import { ENGINE_PORT_MESSAGE, SHELL_CHANNELS } from '../src-shared/contract/shell-channels.ts';

const bridge: ShellBridge = {
  call: (name, args) => ipcRenderer.invoke(SHELL_CHANNELS.call, name, args),
  // Electron says "" of a file that is not on disk.
  pathForFile: (file) => webUtils.getPathForFile(file as File) || undefined,
  requestEnginePort: () => ipcRenderer.send(SHELL_CHANNELS.wantEnginePort),
  onRequest: (listener) => {
    const forward = (_event: unknown, request: ShellRequest): void => listener(request);
    ipcRenderer.on(SHELL_CHANNELS.request, forward);
    ipcRenderer.send(SHELL_CHANNELS.wantRequests);
    return () => void ipcRenderer.off(SHELL_CHANNELS.request, forward);
  },
};

// Ports cannot cross the context bridge as values; a window message is the way Electron documents.
ipcRenderer.on(SHELL_CHANNELS.enginePort, (event) => {
  window.postMessage({ type: ENGINE_PORT_MESSAGE }, window.location.origin, event.ports);
});

contextBridge.exposeInMainWorld('conchShell', bridge);
