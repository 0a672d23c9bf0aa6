// Long work: what runs, how far it is, how to stop it, and how the last ones ended.

import { Ban, Bell, CircleCheck, CircleX, LoaderCircle, TriangleAlert, X } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';

import type { TaskView } from '../../../src-shared/contract/observe-views.ts';
import { useClient, useEngine } from '../../engine/engine-context.tsx';
import { nativeShell } from '../../engine/native-shell.ts';
import { formatClock } from '../../lib/format.ts';
import { t } from '../../texts/translate.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Progress } from '../../ui/progress.tsx';
import { toastThrown } from '../../engine/toast-thrown.ts';

const LOOKS = {
  running: { icon: LoaderCircle, color: 'text-info animate-turn' },
  done: { icon: CircleCheck, color: 'text-good' },
  failed: { icon: CircleX, color: 'text-bad' },
  cancelled: { icon: Ban, color: 'text-faint' },
  short: { icon: TriangleAlert, color: 'text-warn' },
} as const;

/** Running tasks first, then those that ended. */
export function TasksPanel() {
  const tasks = useStore(useEngine().state.tasks, (state) => state.tasks);
  if (tasks.length === 0) {
    return <EmptyState testId="tasks-empty" title={t('tasks.none')} text={t('tasks.noneText')} />;
  }
  const running = tasks.filter(({ state }) => state === 'running');
  const ended = tasks.filter(({ state }) => state !== 'running');
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      <AllowNotices />
      <ul data-testid="tasks-list" aria-label={t('bottom.tasks')}>
        {[...running, ...ended].map((task) => (
          <Task key={task.id} task={task} />
        ))}
      </ul>
    </div>
  );
}

/** A browser asks before a page may use the system's notices; the desktop app needs no asking. */
function AllowNotices() {
  const [permission, setPermission] = useState(() =>
    typeof Notification === 'undefined' ? 'denied' : Notification.permission,
  );
  if (nativeShell() !== undefined || permission !== 'default') return null;
  return (
    <p className="flex items-center gap-3 border-b border-line/70 px-3 py-1 text-sm text-faint">
      {t('tasks.notifyHelp')}
      <Button
        size="sm"
        variant="ghost"
        icon={Bell}
        data-testid="tasks-notify"
        onClick={() => void Notification.requestPermission().then(setPermission)}
      >
        {t('tasks.notify')}
      </Button>
    </p>
  );
}

function Task({ task }: { readonly task: TaskView }) {
  const client = useClient();
  const outcome = task.fallsShort === true ? 'short' : task.state;
  const look = LOOKS[outcome];
  const isRunning = task.state === 'running';
  return (
    <li
      data-testid={`task-${task.id}`}
      data-state={task.state}
      className="flex min-h-9 items-center gap-3 border-b border-line/70 px-3 py-1"
    >
      <Icon of={look.icon} size={14} className={`shrink-0 ${look.color}`} />
      <span className="w-64 shrink-0 truncate text-strong" title={task.title}>
        {task.title}
      </span>
      <span className="w-20 shrink-0 text-sm text-soft">{t(`tasks.state.${outcome}`)}</span>
      {isRunning && <Progress value={task.progress} label={task.title} className="w-40 shrink-0" />}
      <span className="min-w-0 flex-1 truncate text-sm text-soft" title={task.detail}>
        {task.detail}
      </span>
      <span className="text-sm text-faint">
        {t(isRunning ? 'tasks.since' : 'tasks.startedAt', { time: formatClock(task.startedAtMs) })}
      </span>
      {isRunning && (
        <Button
          size="sm"
          icon={X}
          onClick={() => {
            client.call('observe/cancelTask', { id: task.id }).catch(toastThrown);
          }}
        >
          {t('tasks.cancel')}
        </Button>
      )}
    </li>
  );
}
