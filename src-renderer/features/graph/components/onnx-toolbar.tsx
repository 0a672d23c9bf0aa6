// The row above a file's graph: find, what is drawn, export.

import { ChevronDown, ChevronUp, Download, FoldVertical, Search, UnfoldVertical } from 'lucide-react';
import type { RefObject } from 'react';

import { shortcutFor } from '../../../lib/keymap.ts';
import { displayShortcut } from '../../../lib/keys.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { MenuButton } from '../../../ui/menu.tsx';
import { Checkbox, Segmented } from '../../../ui/toggles.tsx';
import type { DrawingMode } from '../graph-views.ts';

/** The search, the mode of drawing, and the export. */
export interface OnnxToolbarProps {
  readonly finder: RefObject<HTMLInputElement | null>;
  readonly query: string;
  /** At every key; "" = nothing is searched for. */
  readonly onQuery: (query: string) => void;
  /** Place of the selected one among those found, from 1; 0 = none of them. */
  readonly foundAt: number;
  /** Undefined = nothing is searched for. */
  readonly foundCount: number | undefined;
  /** To the next operator that was found, or to the one before it. */
  readonly onStep: (step: 1 | -1) => void;
  readonly mode: DrawingMode;
  /** Scopes, or what is around one operator. */
  readonly onMode: (mode: DrawingMode) => void;
  readonly hasScopes: boolean;
  /** Of all scopes of the graph. */
  readonly onOpenAll: () => void;
  /** Of all scopes of the graph. */
  readonly onCloseAll: () => void;
  readonly constantCount: number;
  readonly withConstants: boolean;
  /** Whether constants are drawn as operators. */
  readonly onConstants: (withConstants: boolean) => void;
  readonly exportReason: string | undefined;
  /** A picture of all that is drawn, also of what is out of view. */
  readonly onExport: (kind: 'png' | 'svg') => void;
}

/** Enter in the search goes to the next one that was found, Shift+Enter to the one before. */
export function OnnxToolbar(props: OnnxToolbarProps) {
  return (
    <div
      role="toolbar"
      aria-label={t('model.tab.graph')}
      className="flex min-h-10 flex-wrap items-center gap-2 border-b border-line px-3 py-1"
    >
      <Finder {...props} />
      <Segmented
        label={t('graph.mode')}
        testId="graph-mode"
        value={props.mode}
        onChange={props.onMode}
        options={[
          { value: 'scopes', label: t('graph.mode.scopes') },
          { value: 'around', label: t('graph.mode.around') },
        ]}
      />
      {props.hasScopes && props.mode === 'scopes' && (
        <>
          <IconButton
            label={t('graph.openAll')}
            icon={UnfoldVertical}
            data-testid="graph-open-all"
            onClick={props.onOpenAll}
          />
          <IconButton
            label={t('graph.closeAll')}
            icon={FoldVertical}
            data-testid="graph-close-all"
            onClick={props.onCloseAll}
          />
        </>
      )}
      {props.constantCount > 0 && (
        <Checkbox isOn={props.withConstants} onChange={props.onConstants} data-testid="graph-constants">
          {t('graph.constants', { count: props.constantCount })}
        </Checkbox>
      )}
      <span className="flex-1" />
      <ExportMenu reason={props.exportReason} onExport={props.onExport} />
    </div>
  );
}

function Finder({ finder, query, onQuery, foundAt, foundCount, onStep }: OnnxToolbarProps) {
  return (
    <div className="flex items-center gap-1">
      <TextInput
        ref={finder}
        value={query}
        onChange={onQuery}
        icon={Search}
        aria-label={t('graph.find')}
        placeholder={t('graph.find')}
        title={displayShortcut(shortcutFor('find.inView'))}
        data-testid="graph-find"
        className="w-72"
        onKeyDown={(event) => {
          if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape') onQuery('');
          else return;
          event.preventDefault();
        }}
      />
      {foundCount !== undefined && (
        <>
          <span
            role="status"
            aria-live="polite"
            data-testid="graph-found"
            data-count={foundCount}
            className="text-sm text-soft"
          >
            {foundCount === 0
              ? t('graph.find.none')
              : t('graph.find.count', { at: foundAt, count: foundCount })}
          </span>
          <IconButton label={t('graph.find.previous')} icon={ChevronUp} onClick={() => onStep(-1)} />
          <IconButton label={t('graph.find.next')} icon={ChevronDown} onClick={() => onStep(1)} />
        </>
      )}
    </div>
  );
}

/** `reason` says why there is nothing to export; undefined = there is. */
export function ExportMenu({
  reason,
  onExport,
}: {
  readonly reason: string | undefined;
  readonly onExport: (kind: 'png' | 'svg') => void;
}) {
  return (
    <MenuButton
      entries={[
        {
          id: 'graph-png',
          label: t('graph.export.png'),
          disabledReason: reason,
          onSelect: () => onExport('png'),
        },
        {
          id: 'graph-svg',
          label: t('graph.export.svg'),
          disabledReason: reason,
          onSelect: () => onExport('svg'),
        },
      ]}
    >
      <Button icon={Download} data-testid="graph-export">
        {t('graph.export')}
      </Button>
    </MenuButton>
  );
}
