// Answers which regions of shared memory clients registered, and takes them back as a client would.

import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import type {
  RegionKindView,
  sharedMemoryCalls,
  SharedMemoryView,
  SharedRegionView,
} from '../../../src-shared/contract/shared-memory-calls.ts';
import type { RegionRecord, SharedMemoryService } from '../../service/shared-memory.ts';

/** The services behind both kinds, and what they were told. */
export interface SharedMemoryDependencies {
  readonly sharedMemory: {
    readonly system: SharedMemoryService;
    readonly cuda: SharedMemoryService;
    readonly allowsClients: boolean;
    /** Of the keys of system memory; undefined where the platform has none. */
    readonly folder: string | undefined;
  };
}

/** Unregistering fails in the words of the wire: UNSUPPORTED where clients may not register either. */
export function sharedMemoryHandlers({
  sharedMemory,
}: SharedMemoryDependencies): HandlersFor<typeof sharedMemoryCalls> {
  const { system, cuda, allowsClients, folder } = sharedMemory;
  const view = (): SharedMemoryView => ({
    regions: [...viewsOf('system', system), ...viewsOf('cuda', cuda)],
    allowsClients,
    folder,
  });
  return {
    'sharedMemory/view': view,
    'sharedMemory/unregister': ({ kind, name = '' }) => {
      (kind === 'system' ? system : cuda).unregister(name);
      return view();
    },
  };
}

function viewsOf(kind: RegionKindView, memory: SharedMemoryService): readonly SharedRegionView[] {
  return memory.records().map((record) => regionView(kind, record));
}

function regionView(kind: RegionKindView, record: RegionRecord): SharedRegionView {
  const { key, deviceId, tensorCounts, ...rest } = record;
  return {
    kind,
    ...rest,
    key: kind === 'system' ? key : undefined,
    deviceId: kind === 'cuda' ? deviceId : undefined,
    users: [...tensorCounts].map(([model, tensorCount]) => ({ model, tensorCount })),
  };
}
