// What the window told its user, for tests of what works without a view.

import { toast } from 'sonner';
import { vi } from 'vitest';

import type { Engine } from '../engine/engine-context.tsx';
import { readSnapshots, subscribeState } from '../engine/engine-state.ts';
import { toastInfo } from '../ui/toast.tsx';
import type { FakeEngine } from './fake-engine.ts';

// jsdom derives it from the Error of its own realm, and what is cancelled would look like a failure.
Object.setPrototypeOf(DOMException.prototype, Error.prototype);

/** Texts of the messages that are shown now, the last one first. */
export function toldTexts(): readonly string[] {
  return toast.getToasts().flatMap((one) => ('title' in one ? [String(one.title)] : []));
}

/** Waits until a message with this part was told. */
export async function toldOf(part: string): Promise<void> {
  await vi.waitFor(() => {
    if (!toldTexts().some((text) => text.includes(part)))
      throw new Error(`'${part}' was not told, but: ${toldTexts().join(' | ')}`);
  });
}

let marks = 0;

/** All messages up to now, the last one first: those too that what shows them was still being fetched for. */
export async function allTold(): Promise<readonly string[]> {
  marks += 1;
  const mark = `mark ${marks}`;
  toastInfo(mark);
  await toldOf(mark);
  return toldTexts().filter((text) => text !== mark);
}

/** Takes all messages away, late ones too, as at the end of a test. */
export async function forgetTold(): Promise<void> {
  await allTold();
  toast.dismiss();
}

/** The engine of this fake with all of its snapshots read, for what needs no view. */
export async function readyEngine(fake: FakeEngine): Promise<Engine> {
  const engine = fake.engine();
  subscribeState(engine.client, engine.state);
  await readSnapshots(engine.client, engine.state);
  return engine;
}
