// The screens of the window as a column of icons with names; icons only below 1100 px or on request.

import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';

import { useStore } from 'zustand';

import { address } from '../lib/address.ts';
import { railCommand } from '../lib/command-table.ts';
import type { FeatureDefinition } from '../lib/feature.ts';
import { displayShortcut } from '../lib/keys.ts';
import { keymap, shortcutFor } from '../lib/keymap.ts';
import { activeTab, open, useWorkspace, workspace } from '../lib/workspace-store.ts';
import { t } from '../texts/translate.ts';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Tooltip } from '../ui/tooltip.tsx';

/** Rail items in the order of their shortcuts. */
export function railFeatures(features: readonly FeatureDefinition[]): readonly FeatureDefinition[] {
  return [
    ...features.filter(({ rail }) => rail === 'top'),
    ...features.filter(({ rail }) => rail === 'bottom'),
  ];
}

/** The screens, at the left. */
export function Rail({ features }: { readonly features: readonly FeatureDefinition[] }) {
  const isNarrow = useWorkspace((state) => state.isRailNarrow);
  const activeArea = useWorkspace((state) => activeTab(state)?.address.area);
  const overrides = useStore(keymap, (state) => state.overrides);
  const items = railFeatures(features);
  const firstAtBottom = items.findIndex(({ rail }) => rail === 'bottom');
  return (
    <nav
      aria-label={t('region.rail')}
      data-region="rail"
      data-narrow={isNarrow}
      className={cx(
        'group/rail flex shrink-0 select-none flex-col gap-0.5 border-r border-line bg-canvas p-1.5',
        isNarrow ? 'w-12' : 'w-12 min-[1100px]:w-36',
      )}
    >
      {items.map((feature, index) => (
        <Tooltip
          key={feature.area}
          side="right"
          text={`${t(feature.title)}  ${displayShortcut(shortcutFor(railCommand(index), overrides))}`}
        >
          <button
            type="button"
            data-testid={`rail-${feature.area}`}
            aria-current={activeArea === feature.area ? 'page' : undefined}
            aria-label={t(feature.title)}
            onClick={() => open(address(feature.area))}
            className={cx(
              'focus-inset flex h-9 items-center gap-2.5 rounded px-2.5 text-left text-soft hover:bg-hover hover:text-strong aria-[current]:bg-selected aria-[current]:font-medium aria-[current]:text-strong',
              index === firstAtBottom && 'mt-auto',
            )}
          >
            <Icon of={feature.icon} size={16} className="shrink-0" />
            <span className={cx('truncate', isNarrow ? 'hidden' : 'hidden min-[1100px]:inline')}>
              {t(feature.title)}
            </span>
          </button>
        </Tooltip>
      ))}
      {/* Narrower windows show icons only in any case. A button's own display would win over `hidden`. */}
      <div className="hidden min-[1100px]:block">
        <IconButton
          className="w-full"
          label={t(isNarrow ? 'rail.wide' : 'rail.narrow')}
          icon={isNarrow ? PanelLeftOpen : PanelLeftClose}
          tooltipSide="right"
          onClick={() => workspace.setState({ isRailNarrow: !isNarrow })}
        />
      </div>
    </nav>
  );
}
