// A model file of another framework while it is imported: what it says of itself, and what its user made of that.

import { useState } from 'react';

import type { FrameworkInspection } from '../../../src-shared/contract/framework-calls.ts';
import { useEngine } from '../../engine/engine-context.tsx';
import type { FrameworkDraft } from './framework-config.ts';
import { draftOfInspection } from './framework-config.ts';
import { freeName } from './wizard-config.ts';

interface FrameworkDraftState {
  /** As it was read last. */
  readonly inspection: FrameworkInspection;
  readonly draft: FrameworkDraft;
  /** Whether its user changed it. */
  readonly isChanged: boolean;
  readonly setDraft: (draft: FrameworkDraft) => void;
  /** Takes what the file says when it is read once more. Name and version stay, and while it cannot be read, all. */
  readonly readAgain: (next: FrameworkInspection) => void;
}

/** Begins with a name that no model has. */
export function useFrameworkDraft(first: FrameworkInspection): FrameworkDraftState {
  const engine = useEngine();
  const [inspection, setInspection] = useState(first);
  const [draft, setDraft] = useState(() => {
    const named = draftOfInspection(first);
    return { ...named, name: freeName(named.name, engine.state.models.getState().byName) };
  });
  const [isChanged, setIsChanged] = useState(false);
  const readAgain = (next: FrameworkInspection): void => {
    setInspection(next);
    if (next.problem !== undefined) return;
    setDraft(({ name, version }) => ({ ...draftOfInspection(next), name, version }));
  };
  const change = (next: FrameworkDraft): void => {
    setDraft(next);
    setIsChanged(true);
  };
  return { inspection, draft, isChanged, setDraft: change, readAgain };
}
