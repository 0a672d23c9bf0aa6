// The open tabs: click to go, arrow keys to move the focus, drag or Alt+arrow to reorder, middle click or the cross to
// close. The list of models is always first and stays. The active one is always in view.

import { ChevronDown, X } from 'lucide-react';
import type { DragEvent, KeyboardEvent } from 'react';
import { useEffect, useRef, useState } from 'react';

import { repositoryOf } from '../lib/address.ts';
import type { FeatureDefinition } from '../lib/feature.ts';
import type { WorkspaceTab } from '../lib/workspace-store.ts';
import { activate, HOME_ID, move, useWorkspace } from '../lib/workspace-store.ts';
import { t } from '../texts/translate.ts';
import { cx } from '../ui/cx.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { ContextMenu, MenuButton } from '../ui/menu.tsx';
import { useOverflowAcross } from '../ui/use-overflow-across.ts';
import { closeTab, closeTabs } from './close-tab.ts';
import { TabIcon } from './tab-icon.tsx';

/** The model’s name, for a further folder of a name with its repository, or the title of the screen. */
export function tabName(tab: WorkspaceTab, features: readonly FeatureDefinition[]): string {
  const repository = repositoryOf(tab.address);
  if (repository !== undefined) return `${tab.address.model} – ${repository.split(/[\\/]/).at(-1) ?? ''}`;
  if (tab.address.model !== '') return tab.address.model;
  const feature = features.find(({ area }) => area === tab.address.area);
  return feature === undefined ? tab.address.area : t(feature.title);
}

/** The open tabs. */
export function TabStrip({ features }: { readonly features: readonly FeatureDefinition[] }) {
  const tabs = useWorkspace((state) => state.tabs);
  const [dragged, setDragged] = useState<string>();
  const named = tabs.map((tab) => ({ id: tab.id, name: tabName(tab, features) }));
  const strip = useRef<HTMLDivElement>(null);
  const isOverfull = useOverflowAcross(strip);
  return (
    <div className="flex h-9 shrink-0 select-none border-b border-line bg-canvas">
      <div
        ref={strip}
        role="toolbar"
        aria-label={t('tabs.label')}
        className="flex min-w-0 flex-1 overflow-x-auto [scrollbar-width:none]"
      >
        <div className="flex w-max">
          {tabs.map((tab, index) => (
            <TabItem
              key={tab.id}
              tab={tab}
              index={index}
              name={named[index]?.name ?? ''}
              all={named}
              isOverfull={isOverfull}
              features={features}
              dragged={dragged}
              onDragged={setDragged}
            />
          ))}
        </div>
      </div>
      {isOverfull && <AllTabs all={named} />}
    </div>
  );
}

/** Where not all tabs fit: a list of them. */
function AllTabs({ all }: { readonly all: TabItemProps['all'] }) {
  const entries = all.map(({ id, name }) => ({ id, label: name, onSelect: () => activate(id) }));
  return (
    <MenuButton entries={entries}>
      <IconButton
        label={t('tabs.all', { count: all.length })}
        icon={ChevronDown}
        data-testid="tabs-all"
        className="mx-1 self-center border-l border-line"
      />
    </MenuButton>
  );
}

interface TabItemProps {
  readonly tab: WorkspaceTab;
  readonly index: number;
  readonly name: string;
  readonly all: readonly { readonly id: string; readonly name: string }[];
  /** Not all tabs fit, so the list of them takes a part of the strip. */
  readonly isOverfull: boolean;
  readonly features: readonly FeatureDefinition[];
  readonly dragged: string | undefined;
  readonly onDragged: (id: string | undefined) => void;
}

function TabItem({ tab, index, name, all, isOverfull, features, dragged, onDragged }: TabItemProps) {
  const isActive = useWorkspace((state) => state.activeId === tab.id);
  const isDirty = useWorkspace((state) => state.dirty.has(tab.id));
  const isHome = tab.id === HOME_ID;
  const item = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) item.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isActive, isOverfull]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step !== 0 && event.altKey) {
      event.preventDefault();
      move(tab.id, index + step);
    } else if (step !== 0) {
      const strip = event.currentTarget.closest('[role="toolbar"]');
      const others = [...(strip?.querySelectorAll<HTMLElement>('[data-tab]') ?? [])];
      others[(index + step + others.length) % others.length]?.focus();
    } else if (event.key === 'Delete') void closeTab(tab.id, name);
  };
  const entries = [
    {
      id: 'close',
      label: t('tabs.close', { name }),
      disabledReason: isHome ? t('command.homeStays') : undefined,
      onSelect: () => void closeTab(tab.id, name),
    },
    {
      id: 'closeOthers',
      label: t('tabs.closeOthers'),
      onSelect: () => void closeTabs(all.filter(({ id }) => id !== tab.id)),
    },
    { id: 'closeRight', label: t('tabs.closeRight'), onSelect: () => void closeTabs(all.slice(index + 1)) },
    {
      id: 'moveLeft',
      label: t('tabs.moveLeft'),
      shortcut: 'Alt+←',
      startsGroup: true,
      onSelect: () => move(tab.id, index - 1),
    },
    {
      id: 'moveRight',
      label: t('tabs.moveRight'),
      shortcut: 'Alt+→',
      onSelect: () => move(tab.id, index + 1),
    },
  ];
  return (
    <ContextMenu entries={entries}>
      <div
        ref={item}
        className={cx(
          'group/tab relative flex max-w-56 shrink-0 items-center border-r border-line',
          isActive ? 'bg-surface text-strong' : 'text-soft hover:bg-hover',
          dragged !== undefined && dragged !== tab.id && 'data-[over=true]:bg-selected',
        )}
        draggable={!isHome}
        onDragStart={(event: DragEvent) => {
          event.dataTransfer.setData('application/x-conch-tab', tab.id);
          event.dataTransfer.effectAllowed = 'move';
          onDragged(tab.id);
        }}
        onDragEnd={() => onDragged(undefined)}
        onDragOver={(event) => {
          if (dragged !== undefined) event.preventDefault();
        }}
        onDrop={(event) => {
          if (dragged === undefined) return;
          event.preventDefault();
          move(dragged, index);
          onDragged(undefined);
        }}
        onAuxClick={(event) => {
          if (event.button === 1) void closeTab(tab.id, name);
        }}
      >
        {isActive && <span className="absolute inset-x-0 top-0 h-0.5 bg-accent" />}
        <button
          type="button"
          data-tab
          aria-current={isActive ? 'page' : undefined}
          tabIndex={isActive ? 0 : -1}
          data-testid={`tab-${tab.id}`}
          onClick={() => activate(tab.id)}
          onKeyDown={onKeyDown}
          className={cx('focus-inset flex h-full min-w-0 items-center gap-2 pl-3', isHome ? 'pr-3' : 'pr-1')}
        >
          <TabIcon tab={tab} features={features} />
          <span className="truncate">{name}</span>
          {isDirty && (
            <span
              title={t('tabs.unsaved')}
              className="size-1.5 shrink-0 rounded-full bg-accent forced-color-adjust-none"
            />
          )}
        </button>
        {!isHome && (
          <button
            type="button"
            tabIndex={-1}
            aria-label={t('tabs.close', { name })}
            onClick={() => void closeTab(tab.id, name)}
            className={cx(
              'mr-1.5 flex size-6 shrink-0 items-center justify-center rounded text-faint hover:bg-hover hover:text-strong',
              !isActive && 'opacity-0 group-hover/tab:opacity-100 focus-visible:opacity-100',
            )}
          >
            <Icon of={X} size={12} />
          </button>
        )}
      </div>
    </ContextMenu>
  );
}
