// The end of long work is told by the system while nobody looks at the window, in a browser where the user allowed it. The
// desktop app tells it by itself, with or without a window.

import { useEffect, useRef } from 'react';

import type { TaskView } from '../../src-shared/contract/observe-views.ts';
import { endIsWorthTelling } from '../../src-shared/contract/task-notice.ts';
import { useEvent } from '../engine/use-event.ts';
import { nativeShell } from '../engine/native-shell.ts';
import { t } from '../texts/translate.ts';

/** Mounted once. Tells of each long task once. */
export function useTaskNotices(): void {
  const told = useRef(new Set<string>());
  useEvent('observe/task', (task) => {
    if (!endIsWorthTelling(task, Date.now()) || told.current.has(task.id)) return;
    told.current.add(task.id);
    if (!document.hasFocus() && nativeShell() === undefined) tell(task);
  });
  useEffect(() => () => told.current.clear(), []);
}

function tell({ title, state, detail, fallsShort }: TaskView): void {
  const ended = fallsShort === true ? t('tasks.noticeShort', { detail }) : t('tasks.noticeDone');
  const body = state === 'failed' ? t('tasks.noticeFailed', { reason: detail }) : ended;
  if (canNotify() && Notification.permission === 'granted') new Notification(title, { body });
}

function canNotify(): boolean {
  return typeof Notification !== 'undefined';
}
