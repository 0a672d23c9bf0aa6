// Which of its two lists the requests panel shows; kept while other panels are shown.

import { createStore } from 'zustand/vanilla';

/** Batches that ran, or requests that were captured. */
export type RequestsView = 'executions' | 'captured';

/** Stays while the window is open. */
export const requestsView = createStore<{ readonly view: RequestsView }>(() => ({ view: 'executions' }));
