// How something ends that the user ended.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const tasksCatalogue = defineErrors('tasks', {
  cancelled: {
    code: 'CANCELLED',
    text: 'cancelled: {title}',
    cause: 'Somebody cancelled what was going on.',
    remedy: 'Start it again if that was not meant.',
  },
});

export const tasksErrors = tasksCatalogue.errors;
