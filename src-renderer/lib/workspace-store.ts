// What is open in the window: tabs in order, the active one, closed ones that can come back, and which regions are
// shown. Navigation goes through `open`; the layout room keeps all of it across restarts.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

import type { Address } from './address.ts';
import { address, tabIdOf } from './address.ts';

/** `id` is that of its model or screen, so that no place has two tabs. */
export interface WorkspaceTab {
  readonly id: string;
  readonly address: Address;
}

/** What is open and shown. */
export interface WorkspaceState {
  readonly tabs: readonly WorkspaceTab[];
  readonly activeId: string;
  /** Latest last. */
  readonly closed: readonly Address[];
  /** Tabs with text that is not saved. */
  readonly dirty: ReadonlySet<string>;
  readonly isRailNarrow: boolean;
  readonly isInspectorOpen: boolean;
  readonly isBottomOpen: boolean;
  readonly bottomTab: string;
  /** Percent by panel, per split. */
  readonly sizes: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** The list of models is always open. */
export const HOME_ID = 'models';
const MAX_CLOSED = 20;

/** The workspace of somebody who has never been here. */
export const INITIAL_WORKSPACE: WorkspaceState = {
  tabs: [{ id: HOME_ID, address: address('models') }],
  activeId: HOME_ID,
  closed: [],
  dirty: new Set(),
  isRailNarrow: false,
  /** Beside a full table the inspector needs a wide window. */
  isInspectorOpen: false,
  isBottomOpen: false,
  bottomTab: 'logs',
  sizes: {},
};

/** What is open in this window; kept, so that it outlives a restart. */
export const workspace = createStore<WorkspaceState>(() => INITIAL_WORKSPACE);

/** `select` must return something that is stable while it means the same. */
export function useWorkspace<T>(select: (state: WorkspaceState) => T): T {
  return useStore(workspace, select);
}

/** Opens an address in its tab and goes there. Without a sub-tab the tab keeps the one it shows. */
export function open(target: Address): void {
  const { tabs } = workspace.getState();
  const id = tabIdOf(target);
  const known = tabs.find((tab) => tab.id === id);
  if (known === undefined) {
    workspace.setState({ tabs: [...tabs, { id, address: target }], activeId: id });
    return;
  }
  const isPlain = target.tab === '' && Object.keys(target.query).length === 0;
  const next = isPlain
    ? known.address
    : { ...target, tab: target.tab === '' ? known.address.tab : target.tab };
  workspace.setState({
    tabs: tabs.map((tab) => (tab === known ? { id, address: next } : tab)),
    activeId: id,
  });
}

/** Goes to a tab; an id that is not open is ignored. */
export function activate(id: string): void {
  if (workspace.getState().tabs.some((tab) => tab.id === id)) workspace.setState({ activeId: id });
}

/** Closes a tab without asking; when it was shown, its neighbour is. The list of models stays. */
export function close(id: string): void {
  const { tabs, activeId, closed, dirty } = workspace.getState();
  const index = tabs.findIndex((tab) => tab.id === id);
  const tab = tabs[index];
  if (tab === undefined || id === HOME_ID) return;
  const rest = tabs.filter((other) => other !== tab);
  const neighbour = rest[Math.min(index, rest.length - 1)]?.id ?? HOME_ID;
  workspace.setState({
    tabs: rest,
    activeId: activeId === id ? neighbour : activeId,
    closed: [...closed, tab.address].slice(-MAX_CLOSED),
    dirty: new Set([...dirty].filter((other) => other !== id)),
  });
}

/** Opens the tab that was closed last, where there is one. */
export function reopen(): void {
  const { closed } = workspace.getState();
  const last = closed.at(-1);
  if (last === undefined) return;
  workspace.setState({ closed: closed.slice(0, -1) });
  open(last);
}

/** Puts a tab at another place; the list of models stays first. */
export function move(id: string, toIndex: number): void {
  const { tabs } = workspace.getState();
  const tab = tabs.find((other) => other.id === id);
  if (tab === undefined || id === HOME_ID) return;
  const rest = tabs.filter((other) => other !== tab);
  const index = Math.min(rest.length, Math.max(1, toIndex));
  workspace.setState({ tabs: rest.toSpliced(index, 0, tab) });
}

/** Marks a tab as having text that is not saved. */
export function setDirty(id: string, isDirty: boolean): void {
  const dirty = new Set(workspace.getState().dirty);
  if (dirty.has(id) === isDirty) return;
  if (isDirty) dirty.add(id);
  else dirty.delete(id);
  workspace.setState({ dirty });
}

/** Opens the panels at the bottom with this one in front. */
export function showBottom(tab: string): void {
  workspace.setState({ isBottomOpen: true, bottomTab: tab });
}

/** Keeps how a split was divided, in percent by panel. */
export function setSizes(split: string, sizes: Readonly<Record<string, number>>): void {
  workspace.setState({ sizes: { ...workspace.getState().sizes, [split]: sizes } });
}

/** The tab that is shown; undefined when the active id has none. */
export function activeTab(state: WorkspaceState = workspace.getState()): WorkspaceTab | undefined {
  return state.tabs.find((tab) => tab.id === state.activeId);
}
