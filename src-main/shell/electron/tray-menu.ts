// What the icon in the tray says and offers, as data.

import type { MenuItemConstructorOptions } from 'electron';

import type { ServerView } from '../../../src-shared/contract/observe-views.ts';

/** What the entries of the menu do. */
export interface TrayActions {
  /** Brings the window back. */
  readonly open: () => void;
  /** Opens the listeners; models stay as they are. */
  readonly startServer: () => void;
  /** Closes the listeners; models stay loaded. */
  readonly stopServer: () => void;
  /** May ask about running work first. */
  readonly quit: () => void;
}

const STATES: Readonly<Record<ServerView['state'], string>> = {
  starting: 'Starting',
  serving: 'Serving',
  stopping: 'Stopping',
  stopped: 'Stopped',
  'port-problem': 'A port is in use',
};
const KINDS = {
  http: 'HTTP',
  grpc: 'gRPC',
  metrics: 'Metrics',
  openai: 'OpenAI',
  sagemaker: 'SageMaker',
  vertexAi: 'Vertex AI',
  ui: 'Window',
} as const;

/** "Serving: HTTP 8000, gRPC 8001, Metrics 8002" */
export function servingText(view: ServerView | undefined): string {
  if (view === undefined) return 'The server process is not running';
  const ports = view.endpoints
    .filter(({ isListening }) => isListening)
    .map(({ kind, address }) => `${KINDS[kind]} ${address?.split(':').at(-1) ?? ''}`);
  return ports.length === 0 ? STATES[view.state] : `${STATES[view.state]}: ${ports.join(', ')}`;
}

/** The entries of the menu; `view` is what the server does, undefined while that is not known. */
export function trayTemplate(
  view: ServerView | undefined,
  actions: TrayActions,
): MenuItemConstructorOptions[] {
  const isStopped = view?.state === 'stopped';
  return [
    { label: servingText(view), enabled: false },
    { type: 'separator' },
    { label: 'Open Conch', click: actions.open },
    isStopped
      ? { label: 'Start serving', click: actions.startServer }
      : { label: 'Stop serving', enabled: view?.state === 'serving', click: actions.stopServer },
    { type: 'separator' },
    { label: 'Quit', click: actions.quit },
  ];
}
