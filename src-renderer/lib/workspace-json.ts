// The workspace as text for the next start, and back. Reading never throws: what is not understood is left out, and
// addresses that no feature answers to are dropped by the layout.

import { formatAddress, parseAddress, tabIdOf } from './address.ts';
import type { WorkspaceState } from './workspace-store.ts';
import { HOME_ID, INITIAL_WORKSPACE } from './workspace-store.ts';

type Kept = Partial<Omit<WorkspaceState, 'dirty' | 'closed'>>;

/** Without what lives only as long as the window: unsaved marks and closed tabs. */
export function workspaceToJson(state: WorkspaceState): string {
  return JSON.stringify({
    tabs: state.tabs.map((tab) => formatAddress(tab.address)),
    activeId: state.activeId,
    isRailNarrow: state.isRailNarrow,
    isInspectorOpen: state.isInspectorOpen,
    isBottomOpen: state.isBottomOpen,
    bottomTab: state.bottomTab,
    sizes: state.sizes,
  });
}

/** Only what could be read; the list of models is always among the tabs. */
export function workspaceFromJson(json: string): Kept {
  const value = parse(json);
  const tabs = texts(value['tabs'])
    .map(parseAddress)
    .filter((address) => address !== undefined)
    .map((address) => ({ id: tabIdOf(address), address }))
    .filter((tab, index, all) => all.findIndex(({ id }) => id === tab.id) === index && tab.id !== HOME_ID);
  const activeId = value['activeId'];
  const all = [...INITIAL_WORKSPACE.tabs, ...tabs];
  return {
    tabs: all,
    activeId: all.some(({ id }) => id === activeId) ? String(activeId) : HOME_ID,
    isRailNarrow: value['isRailNarrow'] === true,
    isInspectorOpen:
      typeof value['isInspectorOpen'] === 'boolean'
        ? value['isInspectorOpen']
        : INITIAL_WORKSPACE.isInspectorOpen,
    isBottomOpen: value['isBottomOpen'] === true,
    bottomTab: typeof value['bottomTab'] === 'string' ? value['bottomTab'] : INITIAL_WORKSPACE.bottomTab,
    sizes: sizesOf(value['sizes']),
  };
}

function parse(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

function sizesOf(value: unknown): WorkspaceState['sizes'] {
  if (typeof value !== 'object' || value === null) return {};
  const sizes: Record<string, Readonly<Record<string, number>>> = {};
  for (const [split, panels] of Object.entries(value as Record<string, unknown>)) {
    if (typeof panels !== 'object' || panels === null) continue;
    const entries = Object.entries(panels as Record<string, unknown>).filter(([, size]) =>
      Number.isFinite(size),
    );
    sizes[split] = Object.fromEntries(entries as [string, number][]);
  }
  return sizes;
}
