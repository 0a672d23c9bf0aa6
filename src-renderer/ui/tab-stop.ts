// Whether controls here are reached with Tab. Inside a table only those of the row with the focus are: Tab goes through
// its buttons and then leaves the table, however many rows there are.

import { createContext, use } from 'react';

export const TabStop = createContext(true);

/** For `tabIndex`: undefined leaves a control as it is. */
export function useTabIndex(): -1 | undefined {
  return use(TabStop) ? undefined : -1;
}
