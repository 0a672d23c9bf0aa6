// Start of the window: connects to the engine and draws.

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { App, fetchFirstViews } from './app.tsx';
import { connectionLimits, engineOpener } from './engine/connect.ts';
import { EngineConnection } from './engine/engine-connection.ts';
import { followEngine } from './engine/engine-context.tsx';
import { createEngineState } from './engine/engine-state.ts';
import { prefetchFeatures } from './features/prefetch.ts';
import { leadCommands } from './layout/leading-commands.ts';
import { showKeptAppearance } from './ui/appearance.ts';
import './styles/app.css';

const FIRST_VIEWS_MS = 400;

const connection = new EngineConnection(engineOpener(), connectionLimits());
const engine = {
  client: connection,
  state: createEngineState(),
  connection: connection.state,
  retry: () => connection.retry(),
};
showKeptAppearance();
followEngine(engine);
leadCommands();
connection.start();

/** The first views are fetched beside this script. Whatever keeps them does not keep the window. */
async function draw(): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no element with the id "root"');
  await Promise.race([fetchFirstViews(), new Promise((resolve) => setTimeout(resolve, FIRST_VIEWS_MS))]);
  createRoot(root).render(
    <StrictMode>
      <App engine={engine} />
    </StrictMode>,
  );
  prefetchFeatures();
}

// Not awaited at this level: the views import this file's parts, and would wait for its end.
void draw();
