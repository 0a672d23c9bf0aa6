// An event of the contract bound to a component: subscribed on mount, unsubscribed on unmount. The newest listener is
// called, without a new subscription on every render.

import { useEffect, useEffectEvent } from 'react';

import type { EventName, EventPayload } from '../../src-shared/contract/contract.ts';
import { useClient } from './engine-context.tsx';

/** `listener` may change with every drawing: the newest is called. */
export function useEvent<N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void): void {
  const client = useClient();
  const onEvent = useEffectEvent(listener);
  useEffect(() => client.subscribe(name, (payload) => onEvent(payload)), [client, name]);
}
