// What screens show above or below everything else: dialogs, overlays, strips, and their commands. Not part of the first
// script: the frame is drawn before it, and nothing of it is visible then.

import { useEffect } from 'react';

import { commandsAreHere } from '../lib/command-registry.ts';
import { FirstRunHost } from './first-run/first-run-host.tsx';
import { HandoverHost } from './handover/handover-host.tsx';
import { ImportHost } from './import/import-host.tsx';
import { ModelCommands } from './model/model-commands.tsx';
import { CaptureHost } from './requests/capture-host.tsx';
import { PortConflictDialog } from './server/port-conflict-dialog.tsx';
import { TraceHost } from './traces/trace-host.tsx';

/** Stands once in the window. Commands count as registered once it is there. */
export function Hosts() {
  // Behind the effects of those inside, which register their commands.
  useEffect(commandsAreHere, []);
  return (
    <>
      <FirstRunHost />
      <PortConflictDialog />
      <HandoverHost />
      <ImportHost />
      <ModelCommands />
      <CaptureHost />
      <TraceHost />
    </>
  );
}
