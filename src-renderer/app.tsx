// The window: the engine it talks to, the frame, and the list of features. Nothing here knows how the engine is reached.

import type { Engine } from './engine/engine-context.tsx';
import { EngineProvider } from './engine/engine-context.tsx';
import { FirstRunHost } from './features/first-run/first-run-host.tsx';
import { ImportHost } from './features/import/import-host.tsx';
import { ModelCommands } from './features/model/model-commands.tsx';
import { modelTabs } from './features/model-tabs.ts';
import { bottomPanels, features, modelView } from './features/registry.ts';
import { PortConflictDialog } from './features/server/port-conflict-dialog.tsx';
import { AppFrame } from './layout/app-frame.tsx';
import { ConnectionGate } from './layout/connection-gate.tsx';
import { areas } from './lib/areas.ts';
import { TooltipProvider } from './ui/tooltip.tsx';

areas.setState({ screens: new Set(features.map(({ area }) => area)), modelTabs });

export function App({ engine }: { readonly engine: Engine }) {
  return (
    <EngineProvider engine={engine}>
      <TooltipProvider>
        <ConnectionGate>
          <AppFrame features={features} modelView={modelView} panels={bottomPanels} hosts={<Hosts />} />
        </ConnectionGate>
      </TooltipProvider>
    </EngineProvider>
  );
}

function Hosts() {
  return (
    <>
      <FirstRunHost />
      <PortConflictDialog />
      <ImportHost />
      <ModelCommands />
    </>
  );
}
