// What is said of a request whose end is not known.

import { afterEach, expect, test } from 'vitest';

import { address } from '../../lib/address.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeTraceState, packed, traceRow } from '../../testing/fake-traces.ts';
import type { Rendered } from '../../testing/render.tsx';
import { click, renderWithHosts, until } from '../../testing/render.tsx';
import { TraceHost } from './trace-host.tsx';
import { TracesScreen } from './traces-view.tsx';

let page: Rendered | undefined;
afterEach(() => page?.close());

test('a request whose trace only begins is not called answered, and took no known time', async () => {
  const rows = [traceRow(1, { stamps: { requestStart: 7 } })];
  const fake = new FakeEngine();
  fake.overrides['traces/state'] = () => fakeTraceState(rows.length, { generation: 1 });
  fake.overrides['traces/read'] = ({ fromRow }) => packed(rows, fromRow, 1);
  page = await renderWithHosts(
    <>
      <TraceHost />
      <TracesScreen address={address('traces')} />
    </>,
    fake,
  );
  const { get } = page;
  const row = await until(() => get('trace-row-1'));
  expect(row.textContent).toContain('No end');
  expect(row.textContent).not.toMatch(/OK|0 µs/);
  await click(row);
  const shown = await until(() => get('trace-request'));
  expect(shown.textContent).toContain('whether and when it was answered is not known');
  expect(shown.textContent).not.toContain('0 µs');
});
