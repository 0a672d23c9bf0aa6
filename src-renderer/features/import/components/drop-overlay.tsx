// While files are over the window: three zones that state what will happen. What was dropped is looked at afterwards.
// Over something that takes a drop itself (data-drop-target) the overlay steps aside.

import { Copy, FolderSymlink, ScanSearch } from 'lucide-react';
import type { DragEvent as ReactDragEvent } from 'react';
import { useEffect, useEffectEvent, useState } from 'react';

import { useEngine } from '../../../engine/engine-context.tsx';
import { nativeShell } from '../../../engine/native-shell.ts';
import { t } from '../../../texts/translate.ts';
import { announce } from '../../../ui/announcer.tsx';
import { cx } from '../../../ui/cx.ts';
import type { IconType } from '../../../ui/icon.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { readDrop } from '../dropped-entries.ts';
import type { Intent } from '../import-store.ts';
import { importDrop } from '../start-import.ts';
import { useTargetRepository } from '../target-repository.ts';

/** Stands once in the window, and is seen only while files are dragged. */
export function DropOverlay() {
  const engine = useEngine();
  const { isShown, zone, setZone, hide } = useFileDrag();
  const repository = useTargetRepository();
  const copyTitle = repository === undefined ? t('drop.copyNoRepository') : t('drop.copy', { repository });
  const titles = { copy: copyTitle, link: t('drop.link'), inspect: t('drop.inspect') } as const;
  const spoken = isShown ? t('drop.zone', { zone: titles[zone] }) : '';
  useEffect(() => {
    if (spoken !== '') announce(spoken);
  }, [spoken]);
  if (!isShown) return null;
  const onDrop = (event: ReactDragEvent, intent: Intent): void => {
    event.preventDefault();
    event.stopPropagation();
    const dropped = readDrop(event.dataTransfer);
    hide();
    void importDrop(engine, dropped, event.altKey && intent === 'copy' ? 'link' : intent);
  };
  const common = { zone, onZone: setZone, onDrop };
  return (
    <div
      data-testid="drop-overlay"
      role="dialog"
      aria-label={t('drop.label')}
      className="fixed inset-0 z-50 grid grid-cols-3 grid-rows-[3fr_2fr] gap-4 bg-scrim p-8 backdrop-blur-[2px]"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => onDrop(event, zone)}
    >
      <Zone
        {...common}
        intent="copy"
        icon={Copy}
        title={titles.copy}
        text={t('drop.copyText')}
        className="col-span-3"
      />
      <Zone
        {...common}
        intent="link"
        icon={FolderSymlink}
        title={titles.link}
        text={t(nativeShell() === undefined ? 'drop.linkBrowser' : 'drop.linkText')}
        className="col-span-2"
      />
      <Zone
        {...common}
        intent="inspect"
        icon={ScanSearch}
        title={titles.inspect}
        text={t('drop.inspectText')}
        className=""
      />
    </div>
  );
}

function Zone({
  intent,
  icon,
  title,
  text,
  className,
  zone,
  onZone,
  onDrop,
}: {
  readonly intent: Intent;
  readonly icon: IconType;
  readonly title: string;
  readonly text: string;
  readonly className: string;
  readonly zone: Intent;
  readonly onZone: (zone: Intent) => void;
  readonly onDrop: (event: ReactDragEvent, intent: Intent) => void;
}) {
  return (
    <div
      role="group"
      data-testid={`drop-zone-${intent}`}
      data-state={zone === intent ? 'chosen' : 'idle'}
      aria-label={t('drop.zone', { zone: title })}
      onDragEnter={() => onZone(intent)}
      onDragOver={(event) => {
        event.preventDefault();
        event.dataTransfer.dropEffect = intent === 'copy' || !mayLink(event.dataTransfer) ? 'copy' : 'link';
      }}
      onDrop={(event) => onDrop(event, intent)}
      className={cx(
        'flex min-h-0 flex-col items-center justify-center gap-2 overflow-hidden rounded-xl border-2 border-dashed bg-surface p-6 text-center',
        zone === intent ? 'border-accent bg-selected' : 'border-line-strong',
        className,
      )}
    >
      <Icon of={icon} size={24} className="pointer-events-none text-accent" />
      <p className="pointer-events-none max-w-full truncate text-lg font-semibold text-strong">{title}</p>
      <p className="pointer-events-none text-soft">{text}</p>
    </div>
  );
}

/** An effect that the source of the drag does not offer would refuse the drop. */
function mayLink({ effectAllowed }: DataTransfer): boolean {
  return /link|all|uninitialized/i.test(effectAllowed);
}

interface FileDrag {
  readonly isShown: boolean;
  readonly zone: Intent;
  readonly setZone: (zone: Intent) => void;
  readonly hide: () => void;
}

function useFileDrag(): FileDrag {
  const [isShown, setIsShown] = useState(false);
  const [under, setZone] = useState<Intent>('copy');
  // The Alt key asks for the folder as it is, wherever the pointer is on the largest zone.
  const [isLinking, setIsLinking] = useState(false);
  const zone = isLinking && under === 'copy' ? 'link' : under;
  const hide = (): void => {
    setIsShown(false);
    setIsLinking(false);
    setZone('copy');
  };
  const onOver = useEffectEvent((event: DragEvent): void => {
    if (!hasFiles(event)) return;
    if (isOverDropTarget(event)) {
      hide();
      return;
    }
    event.preventDefault();
    setIsShown(true);
    setIsLinking(event.altKey);
  });
  const onLeave = useEffectEvent((event: DragEvent): void => {
    // Leaving for nothing means leaving the window.
    if (event.relatedTarget === null) hide();
  });
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key === 'Escape' && isShown) hide();
  });
  useEffect(() => {
    const over = (event: DragEvent): void => onOver(event);
    const leave = (event: DragEvent): void => onLeave(event);
    const key = (event: KeyboardEvent): void => onKey(event);
    const drop = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault();
    };
    window.addEventListener('dragenter', over);
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    window.addEventListener('keydown', key);
    return () => {
      window.removeEventListener('dragenter', over);
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
      window.removeEventListener('keydown', key);
    };
  }, []);
  return { isShown, zone, setZone, hide };
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

function isOverDropTarget({ clientX, clientY }: DragEvent): boolean {
  return [...document.querySelectorAll<HTMLElement>('[data-drop-target]')].some((element) => {
    const box = element.getBoundingClientRect();
    return clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
  });
}
