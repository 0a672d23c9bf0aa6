// What minor collections of V8 leave behind.

import v8 from 'node:v8';
import vm from 'node:vm';

/**
 * Bytes of the heap that `work` leaves behind when only the young generation is collected. `prepare` makes what the work
 * uses, which is old then.
 */
export function bytesLeftBehind(prepare: () => void, work: () => void): number {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as (options: { readonly type: 'minor' }) => void;
  const collectYoung = (): void => {
    for (let turn = 0; turn < 3; turn += 1) collect({ type: 'minor' });
  };
  prepare();
  collectYoung();
  const before = v8.getHeapStatistics().used_heap_size;
  work();
  collectYoung();
  return v8.getHeapStatistics().used_heap_size - before;
}
