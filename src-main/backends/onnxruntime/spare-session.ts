// The native session of an inspection, kept in its thread for the instance that would make the same one again: for many
// models making it is nearly all that loading takes. Kept until the next session is opened in the thread, or it ends.

import type { NativeSession } from './native-ort.ts';

let spare: { readonly inspection: number; readonly session: NativeSession } | undefined;

/** Keeps the session for the instance that asks next; one that was kept before is disposed of. */
export function leaveSpare(inspection: number, session: NativeSession): void {
  spare?.session.dispose();
  spare = { inspection, session };
}

/** The session that was left by this inspection; another one is given up. */
export function takeSpare(inspection: number | undefined): NativeSession | undefined {
  const kept = spare;
  spare = undefined;
  if (kept === undefined || kept.inspection === inspection) return kept?.session;
  kept.session.dispose();
  return undefined;
}
