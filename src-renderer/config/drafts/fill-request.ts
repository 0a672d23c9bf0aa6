// The wish, from another screen, to write completed settings of a model into its file: the config tab asks which ones
// when it opens.

import { createStore } from 'zustand/vanilla';

/** "" = nobody asked. */
export const fillRequest = createStore<{ readonly model: string }>(() => ({ model: '' }));
