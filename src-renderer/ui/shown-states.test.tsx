// What a state, a share of work, a lasting condition and a change of a text say without colour.

import { afterEach, expect, test } from 'vitest';

import type { Rendered } from '../testing/render.tsx';
import { renderView } from '../testing/render.tsx';
import { Banner } from './banner.tsx';
import { DiffBlock } from './diff-block.tsx';
import { OfflineContext } from './offline.ts';
import { Progress } from './progress.tsx';
import { StateChip } from './state-chip.tsx';

let page: Rendered;
afterEach(() => page.close());

test('a state is a word with its detail, and the last known one while nobody can ask', async () => {
  page = await renderView(
    <>
      <StateChip state="unloaded" testId="bare" />
      <StateChip state="loading" detail="instance 1 of 2" testId="loading" />
      <StateChip state="ready" detail=", v3" testId="ready" />
      <OfflineContext value="Not connected">
        <StateChip state="ready" testId="old" />
      </OfflineContext>
    </>,
  );
  const chip = (id: string) => [page.get(id).textContent, page.get(id).title, page.get(id).dataset['stale']];
  expect(chip('bare')).toEqual(['Not loaded', 'Not loaded', undefined]);
  expect(chip('loading')).toEqual(['Loading: instance 1 of 2', 'Loading: instance 1 of 2', undefined]);
  expect(chip('ready')).toEqual(['Ready, v3', 'Ready, v3', undefined]);
  expect(chip('old')).toEqual(['Last known: Ready', 'Last known: Ready', 'true']);
});

test('work tells its share within its bounds, and none where none is known', async () => {
  page = await renderView(
    <>
      {[undefined, 0, 0.456, 7, -1].map((value, at) => (
        <Progress key={at} value={value} label={`part ${at}`} />
      ))}
    </>,
  );
  const bars = [...document.querySelectorAll('[role="progressbar"]')];
  expect(bars.map((bar) => bar.getAttribute('aria-label'))).toContain('part 0');
  expect(bars.map((bar) => bar.getAttribute('aria-valuenow'))).toEqual([null, '0', '46', '100', '0']);
});

test('what is wrong is spoken at once, everything else when there is time', async () => {
  page = await renderView(
    <>
      <Banner tone="bad" testId="bad" actions={<button type="button">Again</button>}>
        Lost
      </Banner>
      <Banner testId="note">Noted</Banner>
    </>,
  );
  expect([page.get('bad').role, page.get('bad').textContent]).toEqual(['alert', 'LostAgain']);
  expect([page.get('note').role, page.get('note').textContent]).toEqual(['status', 'Noted']);
});

test('a change of a text has signs, and what stayed far from it is counted', async () => {
  const lines = Array.from({ length: 12 }, (_, at) => `line ${at}`);
  const changed = lines.map((line) => (line === 'line 6' ? 'other' : line));
  page = await renderView(
    <DiffBlock before={lines.join('\n')} after={changed.join('\n')} label="Changes" testId="diff" />,
  );
  const rows = [...page.get('diff').children].map((row) => row.textContent);
  expect(rows).toEqual([
    '3 lines as before',
    ' line 3',
    ' line 4',
    ' line 5',
    '−line 6',
    '+other',
    ' line 7',
    ' line 8',
    ' line 9',
    '2 lines as before',
  ]);
  // Long changes are scrolled by keys, so the block takes the focus and has a name.
  expect([page.get('diff').tabIndex, page.get('diff').ariaLabel]).toEqual([0, 'Changes']);
});
