// What takes long: tasks that every page sees and may cancel.

import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import type { taskCalls } from '../../../src-shared/contract/task-calls.ts';
import type { Clock } from '../../base/clock.ts';
import type { ControlRoom, Publish } from '../pages/control-room.ts';
import { TaskRegistry } from './task-registry.ts';

/** Publishes each change of a task; closing it cancels what runs, without waiting for it. */
export class TasksRoom implements ControlRoom<HandlersFor<typeof taskCalls>> {
  readonly tasks: TaskRegistry;
  readonly handlers: HandlersFor<typeof taskCalls>;

  constructor(clock: Clock, publish: Publish) {
    const tasks = new TaskRegistry({ clock, onChange: (view) => publish('observe/task', view) });
    this.tasks = tasks;
    this.handlers = {
      'observe/tasks': () => tasks.list(),
      'observe/cancelTask': ({ id }) => tasks.cancel(id),
    };
  }

  close(): Promise<void> | void {
    return this.tasks.close();
  }
}
