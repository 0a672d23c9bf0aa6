// The window: the engine it talks to, the frame, and the list of features. Nothing here knows how the engine is reached.

import { Suspense } from 'react';

import type { Engine } from './engine/engine-context.tsx';
import { EngineProvider } from './engine/engine-context.tsx';
import { ImportCommands } from './features/import/import-commands.tsx';
import { modelTabs } from './features/model-tabs.ts';
import { bottomPanels, features, modelSample, modelView } from './features/registry.ts';
import { AppFrame } from './layout/app-frame.tsx';
import { ConnectionGate } from './layout/connection-gate.tsx';
import { areas } from './lib/areas.ts';
import { lazyView } from './lib/lazy-view.ts';
import { TooltipProvider } from './ui/tooltip.tsx';

const Hosts = lazyView(async () => (await import('./features/hosts.tsx')).Hosts);

areas.setState({ screens: new Set(features.map(({ area }) => area)), modelTabs, modelSample });

/** Fetches what the first drawing shows; without it the window is drawn with gaps that are filled a moment later. */
export async function fetchFirstViews(): Promise<void> {
  await Promise.allSettled([features[0]?.View.preload(), Hosts.preload()]);
}

/** Draws the window around an engine; the caller made the engine and closes it. */
export function App({ engine }: { readonly engine: Engine }) {
  return (
    <EngineProvider engine={engine}>
      <TooltipProvider>
        <ConnectionGate>
          <AppFrame
            features={features}
            modelView={modelView}
            panels={bottomPanels}
            hosts={
              <>
                <ImportCommands />
                <Suspense>
                  <Hosts />
                </Suspense>
              </>
            }
          />
        </ConnectionGate>
      </TooltipProvider>
    </EngineProvider>
  );
}
