// The Shared memory tab: regions with what they are and who uses them, taking them back, and why there are none.

import { afterEach, expect, test } from 'vitest';

import type { SharedMemoryView } from '../../../../src-shared/contract/shared-memory-calls.ts';
import { internal, unsupported } from '../../../../src-shared/errors.ts';
import { address } from '../../../lib/address.ts';
import { FakeEngine } from '../../../testing/fake-engine.ts';
import { fakeRegion, fakeSharedMemory } from '../../../testing/fake-metrics.ts';
import type { Rendered } from '../../../testing/render.tsx';
import { accessibilityFaults, click, renderWithHosts, until } from '../../../testing/render.tsx';
import { ServerScreen } from '../server-view.tsx';

let page: Rendered | undefined;
afterEach(() => page?.close());

async function start(view: Partial<SharedMemoryView> = {}, fake = new FakeEngine()): Promise<Rendered> {
  fake.overrides['sharedMemory/view'] ??= () => fakeSharedMemory(view);
  page = await renderWithHosts(<ServerScreen address={address('server', { tab: 'memory' })} />, fake);
  return page;
}

test('regions are told with place, size and users, apart by kind', async () => {
  const cuda = fakeRegion({ kind: 'cuda', name: 'on_gpu', key: undefined, deviceId: 1 });
  const { get } = await start({ regions: [...fakeSharedMemory().regions, cuda] });
  const table = await until(() => get('memory-table-system'));
  expect(get('memory-system').textContent).toContain('Memory of the system: 2 regions, 8.0 KiB');
  for (const text of ['input0_data', '/input_simple', '4.0 KiB', '12 tensors', 'no request yet', 'never']) {
    expect(table.textContent).toContain(text);
  }
  expect(get('memory-table-cuda').textContent).toContain('GPU 1');
  expect(await accessibilityFaults()).toEqual([]);
});

test('a region that waits, and one whose memory is gone, say so', async () => {
  const regions = [
    fakeRegion({ isLeaving: true, heldCount: 2 }),
    fakeRegion({ name: 'lost', fault: 'removed' }),
    fakeRegion({ name: 'cut', fault: 'shortened' }),
  ];
  const { get } = await start({ regions });
  const table = await until(() => get('memory-table-system'));
  for (const text of ['waits for 2 tensors', 'key gone', 'too short'])
    expect(table.textContent).toContain(text);
  expect(get('memory-unregister-input0_data').getAttribute('aria-disabled')).toBe('true');
});

test('one region or all of a kind is taken back after a question that says what follows', async () => {
  const fake = new FakeEngine();
  fake.overrides['sharedMemory/unregister'] = () => fakeSharedMemory({ regions: [] });
  const { get, query } = await start({}, fake);
  await click(await until(() => get('memory-unregister-output0_data')));
  await until(() => expect(get('confirm').textContent).toContain('Unregister output0_data?'));
  await click(get('confirm-cancel'));
  await until(() => expect(query('confirm')).toBeNull());
  expect(fake.argsOf('sharedMemory/unregister')).toEqual([]);
  await click(get('memory-unregister-output0_data'));
  await click(await until(() => get('confirm-unregister')));
  await until(() =>
    expect(fake.argsOf('sharedMemory/unregister')).toEqual([{ kind: 'system', name: 'output0_data' }]),
  );
  await until(() => expect(query('confirm')).toBeNull());
  fake.overrides['sharedMemory/view'] = () => fakeSharedMemory({ regions: [] });
  await click(get('memory-unregister-all-system'));
  await until(() => expect(get('confirm').textContent).toContain('Unregister all 2 regions?'));
  await click(get('confirm-unregister'));
  await until(() => expect(get('memory-empty').textContent).toContain('/dev/shm'));
  expect(fake.argsOf('sharedMemory/unregister')[1]).toEqual({ kind: 'system' });
});

test('what the server refuses is told', async () => {
  const fake = new FakeEngine();
  fake.overrides['sharedMemory/unregister'] = () => {
    throw unsupported('Client shared memory is disabled.');
  };
  const { get } = await start({}, fake);
  await click(await until(() => get('memory-unregister-all-system')));
  await click(await until(() => get('confirm-unregister')));
  await until(() => expect(document.body.textContent).toContain('Client shared memory is disabled'));
});

test('where clients may not register, one button allows it and restarts the server', async () => {
  const fake = new FakeEngine();
  const { get } = await start({ regions: [], allowsClients: false }, fake);
  await until(() => expect(get('memory-off').textContent).toContain('--allow-client-shm=true'));
  await click(get('memory-allow'));
  // Requests are in flight.
  await click(await until(() => get('confirm-stop')));
  await until(() => expect(fake.argsOf('server/restart')).toHaveLength(1));
  expect(fake.argsOf('settings/write')).toEqual([{ changes: { 'server.allowClientShm': true } }]);
});

test('a platform without such memory, and a question that fails, are told apart from no regions', async () => {
  const first = await start({ regions: [], folder: undefined });
  await until(() =>
    expect(first.get('memory-empty').textContent).toContain('This platform has no shared memory'),
  );
  await page?.close();
  const fake = new FakeEngine();
  fake.overrides['sharedMemory/view'] = () => {
    throw internal('the connection was lost');
  };
  const second = await start({}, fake);
  await until(() => expect(second.get('memory-failed').textContent).toContain('the connection was lost'));
});
