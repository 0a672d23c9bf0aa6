// An address may name a level of a load test: the traces that were kept of its slowest requests are shown as a file is.

import { useEffect } from 'react';

import { useClient } from '../../engine/engine-context.tsx';
import { toastThrown } from '../../engine/toast-thrown.ts';
import type { Address } from '../../lib/address.ts';
import { threeDigits } from '../../lib/format.ts';
import { t } from '../../texts/translate.ts';
import { choose, showFile } from './trace-store.ts';

/** Addresses that were followed: what is shown since stays. */
const followed = new WeakSet<Address>();

/** `run`, `level` and `request` of the query; the request is chosen. */
export function useRunTraces(address: Address): void {
  const client = useClient();
  useEffect(() => {
    const { run: id, level: place = '0', request = '0' } = address.query;
    if (id === undefined || followed.has(address)) return;
    followed.add(address);
    client.call('perf/run', { run: id }).then((run) => {
      const level = run.levels[Number(place)];
      const kept = level?.slowest ?? [];
      const rows = kept.flatMap(({ trace }) => trace ?? []);
      if (level === undefined || rows.length === 0) return;
      showFile({
        name: run.name === '' ? run.model : run.name,
        rows,
        banner: t(`traces.ofRun.${level.unit}`, {
          name: run.name === '' ? run.model : run.name,
          value: threeDigits(level.value),
        }),
      });
      const wanted = kept[Number(request)]?.trace?.[0];
      if (wanted !== undefined) choose({ kind: 'request', id: wanted.id });
    }, toastThrown);
  }, [client, address]);
}
