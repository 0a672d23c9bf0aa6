// Whether the strip with the first steps is shown.

import { createStore } from 'zustand/vanilla';

export const coach = createStore<{ readonly isShown: boolean }>(() => ({ isShown: false }));
