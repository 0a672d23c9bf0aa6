// A value that follows another one once it has stopped changing for a while.

import { useEffect, useState } from 'react';

/** `value` as it was when it had not changed for `pauseMs`. */
export function useSettled<T>(value: T, pauseMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}
