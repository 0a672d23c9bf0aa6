// What the palette shows while it is open: the field, and the best entries for what is typed, in groups.

import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { useStore } from 'zustand';

import type { FeatureDefinition } from '../lib/feature.ts';
import { spokenShortcut } from '../lib/keys.ts';
import { activeTab } from '../lib/workspace-store.ts';
import { t } from '../texts/translate.ts';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icon.tsx';
import { KeyHint } from '../ui/key-hint.tsx';
import { MAX_PALETTE_ITEMS, rank, readPrefix } from './palette-items.ts';
import type { PaletteItem, PaletteMode } from './palette-items.ts';
import { closePalette, palette, remember, setPaletteText } from './palette-store.ts';
import { useActiveOption } from './use-active-option.ts';
import { usePaletteItems } from './use-palette-items.ts';

/** The field and the list of the palette. */
export function PaletteContent({ features }: { readonly features: readonly FeatureDefinition[] }) {
  const opened = useStore(palette, (state) => state.mode);
  const recent = useStore(palette, (state) => state.recent);
  const text = useStore(palette, (state) => state.text);
  const around = useRef<HTMLDivElement>(null);
  useActiveOption(around);
  const { mode, query } = readPrefix(text, opened);
  const items = usePaletteItems(mode, query, features);
  const ranked = useMemo(
    () => rank(items, mode === 'line' ? '' : query, recent),
    [items, mode, query, recent],
  );
  const groups = useMemo(
    () => grouped(ranked.slice(0, MAX_PALETTE_ITEMS), query === '' ? recent : []),
    [ranked, query, recent],
  );
  const choose = (item: PaletteItem): void => {
    if (item.disabledReason !== undefined) return;
    if (item.id.startsWith('help ')) {
      setPaletteText(item.title);
      return;
    }
    remember(item.id);
    const before = activeTab();
    item.run();
    closePalette(activeTab() !== before);
  };
  return (
    <Command
      ref={around}
      shouldFilter={false}
      loop
      label={t('palette.title')}
      className="flex min-h-0 flex-1 flex-col"
    >
      <div className="flex items-center gap-2 rounded-t-lg border-b border-line px-3 -outline-offset-2 outline-focus has-[:focus-visible]:outline-2">
        <Icon of={Search} className="text-faint" />
        <Command.Input
          value={text}
          onValueChange={setPaletteText}
          placeholder={t(opened === 'goto' ? 'palette.goto' : 'palette.commands')}
          className="h-11 flex-1 bg-transparent text-md text-strong outline-none placeholder:text-faint"
        />
      </div>
      <p role="status" aria-live="polite" className="sr-only">
        {ranked.length === 0 ? emptyText(mode, query) : ''}
      </p>
      <Command.List label={t('palette.list')} className="min-h-0 flex-1 overflow-auto p-1.5">
        <Command.Empty className="p-4 text-center text-soft" aria-hidden>
          {emptyText(mode, query)}
        </Command.Empty>
        {groups.map(([title, members]) => (
          <Command.Group
            key={title}
            heading={title}
            className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-faint"
          >
            {members.map((item) => (
              <PaletteRow key={item.id} item={item} onChoose={choose} />
            ))}
          </Command.Group>
        ))}
        {ranked.length > MAX_PALETTE_ITEMS && (
          <p className="px-2 py-1.5 text-sm text-faint">
            {t('palette.more', { count: ranked.length - MAX_PALETTE_ITEMS })}
          </p>
        )}
      </Command.List>
    </Command>
  );
}

function PaletteRow({
  item,
  onChoose,
}: {
  readonly item: PaletteItem;
  readonly onChoose: (item: PaletteItem) => void;
}) {
  const isDisabled = item.disabledReason !== undefined;
  return (
    <Command.Item
      value={item.id}
      aria-keyshortcuts={spokenShortcut(item.keys)}
      data-testid={`palette-item-${item.id}`}
      onSelect={() => onChoose(item)}
      className="flex min-h-8 items-center gap-2 rounded px-2 py-1 data-[selected=true]:bg-selected"
    >
      <span className={cx('shrink-0', isDisabled ? 'text-faint' : 'text-strong')}>{item.title}</span>
      <span className="truncate text-sm text-faint">{isDisabled ? item.disabledReason : item.detail}</span>
      <KeyHint keys={item.keys} />
    </Command.Item>
  );
}

function emptyText(mode: PaletteMode, query: string): string {
  if (mode === 'line') return t('palette.noLine');
  return mode === 'runs' && query === '' ? t('palette.noRuns') : t('palette.empty');
}

/** Recently used ones stand in a group of their own, at the top. */
function grouped(
  items: readonly PaletteItem[],
  recent: readonly string[],
): readonly (readonly [string, readonly PaletteItem[]])[] {
  const groups = new Map<string, PaletteItem[]>();
  for (const item of items) {
    const title = recent.includes(item.id) ? t('palette.recent') : item.group;
    const known = groups.get(title);
    if (known === undefined) groups.set(title, [item]);
    else known.push(item);
  }
  return [...groups];
}
