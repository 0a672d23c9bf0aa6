// What was kept of the workspace and what its user did before that arrived, in one: the later act counts.

import type { WorkspaceState } from './workspace-store.ts';
import { INITIAL_WORKSPACE } from './workspace-store.ts';

type Kept = Partial<Omit<WorkspaceState, 'dirty' | 'closed'>>;

/**
 * The workspace to go on with: `kept` is what was read, `asked` the state when it was asked for, `now` that of today.
 * What was opened in between stays open and in front, behind the kept tabs; a panel that was shown or hidden stays so.
 */
export function mergedWorkspace(kept: Kept, asked: WorkspaceState, now: WorkspaceState): Kept {
  return { ...kept, ...changedRegions(asked, now), ...visited(kept, asked, now) };
}

/** Without sizes: panels report theirs by themselves as they are drawn. */
const REGIONS = ['isRailNarrow', 'isInspectorOpen', 'isBottomOpen', 'bottomTab'] as const;

function changedRegions(asked: WorkspaceState, now: WorkspaceState): Kept {
  return Object.fromEntries(
    REGIONS.filter((name) => now[name] !== asked[name]).map((name) => [name, now[name]]),
  );
}

/** Going to a place gives a new list of tabs, also where its tab was open and in front. */
function visited(kept: Kept, asked: WorkspaceState, now: WorkspaceState): Kept {
  if (now.tabs === asked.tabs && now.activeId === asked.activeId) return {};
  const opened = now.tabs.filter((tab) => tab.id === now.activeId || !asked.tabs.includes(tab));
  const later = new Map(opened.map((tab) => [tab.id, tab]));
  const tabs = kept.tabs ?? INITIAL_WORKSPACE.tabs;
  const known = new Set(tabs.map(({ id }) => id));
  return {
    tabs: [...tabs.map((tab) => later.get(tab.id) ?? tab), ...opened.filter(({ id }) => !known.has(id))],
    activeId: now.activeId,
  };
}
