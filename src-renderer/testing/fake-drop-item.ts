// What the engine makes of a path that was dropped or picked.

import type { DropItem } from '../../src-shared/contract/repository-calls.ts';

/** `/drop/<kind>` named `simple`, 2 KiB, without code and without a model of its name. */
export function fakeDropItem(kind: DropItem['kind'], changes: Partial<DropItem> = {}): DropItem {
  return {
    path: `/drop/${kind}`,
    kind,
    name: 'simple',
    byteSize: 2048,
    models: [],
    hasCode: false,
    isTrusted: false,
    conflict: undefined,
    message: '',
    ...changes,
  };
}
