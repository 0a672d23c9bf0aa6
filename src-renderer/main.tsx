// Start of the window: connects to the engine and draws.

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { App } from './app.tsx';
import { engineOpener } from './engine/connect.ts';
import { EngineConnection } from './engine/engine-connection.ts';
import { createEngineState } from './engine/engine-state.ts';
import { prefetchFeatures } from './features/prefetch.ts';
import './styles/app.css';

const connection = new EngineConnection(engineOpener());
connection.start();

const engine = {
  client: connection,
  state: createEngineState(),
  connection: connection.state,
  retry: () => connection.retry(),
};

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id "root"');
createRoot(root).render(
  <StrictMode>
    <App engine={engine} />
  </StrictMode>,
);
prefetchFeatures();
