// The screen of traces: how tracing is begun, what is listed and chosen, the timeline by keyboard, files, and its states.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { TraceMode } from '../../../src-shared/contract/trace-calls.ts';
import type { CapturedRow } from '../../../src-shared/contract/capture-calls.ts';
import type { TraceRow } from '../../../src-shared/contract/trace-row.ts';
import { address } from '../../lib/address.ts';
import { areas } from '../../lib/areas.ts';
import { runCommand } from '../../lib/command-registry.ts';
import { activeTab, INITIAL_WORKSPACE, workspace } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { installShell } from '../../testing/fake-shell.ts';
import { fakeEnsemble, fakeTraces, fakeTraceState, packed, traceRow } from '../../testing/fake-traces.ts';
import type { Rendered } from '../../testing/render.tsx';
import {
  accessibilityFaults,
  choose,
  click,
  press,
  renderWithHosts,
  type,
  until,
} from '../../testing/render.tsx';
import { readTritonTrace, tritonTraceText } from './trace-file.ts';
import { NO_FILTER } from './trace-filter.ts';
import { TraceHost } from './trace-host.tsx';
import { traces } from './trace-store.ts';
import { TracesScreen } from './traces-view.tsx';

let page: Rendered;
let fake: FakeEngine;
let generation = 0;
let takeShell: (() => void) | undefined;

// What is drawn is tested without a page; a test page has no canvas.
vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);

beforeEach(() => {
  workspace.setState(INITIAL_WORKSPACE, true);
  traces.setState({ rows: [], file: undefined, filter: NO_FILTER, choice: undefined, state: undefined });
  generation += 1;
  fake = new FakeEngine();
});

afterEach(async () => {
  await page.close();
  takeShell?.();
  takeShell = undefined;
});

/** The screen over an engine that has these rows, and traces as long as `mode` says. */
async function show(
  rows: readonly TraceRow[],
  changes: Parameters<typeof fakeTraceState>[1] = {},
): Promise<void> {
  const own = generation;
  let mode: TraceMode | undefined = changes.mode;
  const state = () => {
    const remainingCount = mode?.kind === 'next' ? mode.count : 0;
    return fakeTraceState(rows.length, { generation: own, remainingCount, ...changes, mode });
  };
  fake.overrides['traces/state'] = state;
  fake.overrides['traces/read'] = ({ fromRow }) => packed(rows, fromRow, own);
  fake.overrides['traces/start'] = (args) => {
    mode = args.mode;
    return state();
  };
  fake.overrides['traces/stop'] = () => {
    mode = undefined;
    return state();
  };
  page = await renderWithHosts(
    <>
      <TraceHost />
      <TracesScreen address={address('traces')} />
    </>,
    fake,
  );
}

const listed = (): string[] =>
  [...page.get('trace-list').querySelectorAll<HTMLElement>('[data-testid^="trace-row-"]')].map(
    ({ dataset }) => dataset['testid']?.replace('trace-row-', '') ?? '',
  );

test('off: it is said what tracing is, and one button traces the next hundred', async () => {
  await show([]);
  const off = await until(() => page.get('trace-off'));
  expect(off.textContent).toContain('It costs little when sampled');
  expect(await accessibilityFaults()).toEqual([]);
  await click(page.get('trace-next-100'));
  await until(() => expect(page.get('trace-waiting').textContent).toContain('100 requests are traced'));
  expect(fake.argsOf('traces/start')).toEqual([{ mode: { kind: 'next', count: 100 } }]);
});

test('which requests are traced is chosen in the toolbar, and ended there', async () => {
  await show(fakeTraces());
  await until(() => page.get('trace-list'));
  await choose(page.get('trace-mode'), 'One in');
  await type(page.get('trace-amount'), '7');
  page.get('trace-amount').dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  await click(page.get('trace-start'));
  await until(() => expect(page.get('trace-state').textContent).toBe('One in 7'));
  expect(fake.argsOf('traces/start')).toEqual([{ mode: { kind: 'sampled', rate: 7 } }]);
  await click(page.get('trace-stop'));
  await until(() => expect(page.get('trace-state').textContent).toBe('Off'));
});

test('the command switches tracing and brings the screen up', async () => {
  await show([]);
  await until(() => page.get('trace-off'));
  expect(runCommand('tracing.toggle')).toBe(true);
  await until(() => expect(fake.argsOf('traces/start')).toHaveLength(1));
  await until(() => expect(activeTab()?.address.area).toBe('traces'));
  expect(runCommand('tracing.toggle')).toBe(true);
  await until(() => expect(fake.argsOf('traces/stop')).toHaveLength(1));
});

test('requests are listed, newest first; one shows its parts, its share, and what is usual', async () => {
  await show(fakeTraces());
  await until(() => expect(listed()).toEqual(['4', '3', '2', '1']));
  await click(page.get('trace-row-1'));
  const waterfall = await until(() => page.get('trace-waterfall'));
  const cells = (part: string): string[] =>
    [...page.get(`trace-part-${part}`).querySelectorAll('th, td:not([aria-hidden])')].map(
      ({ textContent }) => textContent,
    );
  expect(cells('queue')).toEqual(['Queue', '170 µs', '14 %', '95 µs']);
  expect(cells('infer')).toEqual(['Infer', '990 µs', '81 %', '990 µs']);
  expect(cells('total')[1]).toBe('1.22 ms');
  expect(waterfall.querySelectorAll('tbody tr')).toHaveLength(9);
  expect(await accessibilityFaults()).toEqual([]);
});

test('a chosen execution says why it was closed and which requests ran in it', async () => {
  await show(fakeTraces());
  const timeline = await until(() => page.get('trace-timeline'));
  expect(timeline.dataset).toMatchObject({ blocks: '2', lanes: '2' });
  timeline.focus();
  await press(timeline, 'ArrowRight');
  await until(() => expect(page.get('trace-closed').textContent).toContain('delay reached'));
  expect(page.get('trace-execution-requests').querySelectorAll('tbody tr')).toHaveLength(3);
  expect(page.query('trace-others')).toBeNull();
  await until(() =>
    expect(
      ['1', '2', '3', '4'].map((id) => page.get(`trace-row-${id}`).getAttribute('aria-selected')),
    ).toEqual(['true', 'true', 'true', 'false']),
  );
  await press(timeline, 'ArrowDown');
  await until(() => expect(page.get('trace-closed').textContent).toContain('instance free'));
  expect(page.get('trace-others').textContent).toBe('1 further request of it was not traced.');
  await press(timeline, 'Enter');
  await until(() => expect(page.get('trace-request').textContent).toContain('the model said no'));
  await press(timeline, 'Escape');
  await until(() => expect(page.get('trace-details').textContent).toContain('Nothing chosen'));
});

test('zooming and showing all of it have keys and buttons', async () => {
  await show(fakeTraces());
  const timeline = await until(() => page.get('trace-timeline'));
  const isWhole = (): string | undefined => timeline.dataset['whole'];
  expect(isWhole()).toBe('true');
  await press(timeline, '+');
  await until(() => expect(isWhole()).toBe('false'));
  await press(timeline, '0');
  await until(() => expect(isWhole()).toBe('true'));
  await click(page.get('trace-zoom-in'));
  await until(() => expect(isWhole()).toBe('false'));
  await click(page.get('trace-zoom-fit'));
  await until(() => expect(isWhole()).toBe('true'));
});

test('steps of an ensemble are nested, those it waited for are marked, and lead to their own parts and back', async () => {
  await show(fakeEnsemble());
  await click(await until(() => page.get('trace-row-10')));
  const steps = await until(() => page.get('trace-steps'));
  expect([...steps.querySelectorAll('li')].map(({ dataset }) => dataset['critical'])).toEqual([
    'false',
    'true',
    'true',
  ]);
  expect(page.get('trace-request').textContent).toContain('In its steps');
  await click(page.get('trace-step-right').querySelector('button') ?? steps);
  await until(() => page.get('trace-show-parent'));
  await click(page.get('trace-show-execution'));
  await until(() => expect(page.get('trace-closed').textContent).toContain('does not batch'));
});

test('the filter narrows the list, and what it hides can be shown again', async () => {
  await show([...fakeTraces(), ...fakeEnsemble()]);
  await until(() => expect(listed()).toHaveLength(5));
  await click(page.get('trace-filter-errors'));
  await until(() => expect(listed()).toEqual(['4']));
  await choose(page.get('trace-filter-model'), 'right');
  await until(() => expect(page.get('trace-none').textContent).toContain('No request is like this'));
  await click(page.get('trace-none').querySelector('button') ?? page.get('trace-none'));
  await until(() => expect(listed()).toHaveLength(5));
  await choose(page.get('trace-filter-model'), 'right');
  await until(() => expect(listed()).toEqual(['12']));
});

test('rows that end later are fetched when the engine tells of them, and clearing forgets them', async () => {
  const rows = [...fakeTraces()];
  await show(rows, { mode: { kind: 'sampled', rate: 1 } });
  await until(() => expect(listed()).toHaveLength(4));
  rows.push(traceRow(5));
  fake.publish('traces/changed', fakeTraceState(5, { generation, mode: { kind: 'sampled', rate: 1 } }));
  await until(() => expect(listed()).toEqual(['5', '4', '3', '2', '1']));
  generation += 1;
  fake.publish('traces/changed', fakeTraceState(0, { generation }));
  await until(() => page.get('trace-off'));
});

test('of a full buffer it is said how many are gone, and rows are asked for from the oldest that is there', async () => {
  const own = generation;
  await show(fakeTraces(), { firstRow: 2, droppedCount: 2 });
  fake.overrides['traces/read'] = ({ fromRow }) => packed(fakeTraces(), Math.max(2, fromRow), own);
  await until(() => expect(page.get('trace-full').textContent).toContain('the oldest 2 traces'));
  await until(() => expect(listed()).toEqual(['4', '3']));
});

async function importFile(name: string, text: string): Promise<void> {
  const input = page.get('trace-import-file') as HTMLInputElement;
  Object.defineProperty(input, 'files', { configurable: true, value: [new File([text], name)] });
  input.dispatchEvent(new Event('change', { bubbles: true }));
  await Promise.resolve();
}

test('a file is shown in place of the engine, marked and read-only, until it is closed', async () => {
  await show(fakeEnsemble());
  await until(() => expect(listed()).toEqual(['10']));
  await importFile('theirs.json', tritonTraceText(fakeTraces()));
  await until(() => expect(page.get('trace-file').textContent).toContain('theirs.json'));
  expect(listed()).toEqual(['4', '3', '2', '1']);
  expect(page.query('trace-clear')).toBeNull();
  await click(page.get('trace-row-4'));
  await until(() => page.get('trace-waterfall'));
  expect(await accessibilityFaults()).toEqual([]);
  await click(page.get('trace-close-file'));
  await until(() => expect(listed()).toEqual(['10']));
  await importFile('theirs.json', tritonTraceText(fakeTraces()));
  await until(() => page.get('trace-file'));
  // What is traced now is what one wants to see.
  await click(page.get('trace-start'));
  await until(() => expect(page.query('trace-file')).toBeNull());
  expect(listed()).toEqual(['10']);
});

test('what is no file of traces is told, and nothing changes', async () => {
  await show(fakeTraces());
  await until(() => expect(listed()).toHaveLength(4));
  await importFile('model.json', '{"a": 1}');
  await until(() => expect(document.body.textContent).toContain('it is no list of trace records'));
  expect(page.query('trace-file')).toBeNull();
});

test('a request whose tensors were captured leads to the playground, another one says how to keep them', async () => {
  const before = areas.getState();
  areas.setState({ modelTabs: [{ id: 'playground' } as never] });
  fake.overrides['capture/ofTrace'] = ({ traceId }) => ({
    row: traceId === 1 ? ({ id: 77, hasTensors: true } as CapturedRow) : undefined,
  });
  await show(fakeTraces());
  await click(await until(() => page.get('trace-row-2')));
  await until(() => expect(page.get('trace-request').textContent).toContain('Its tensors were not captured'));
  await click(page.get('trace-row-1'));
  await click(await until(() => page.get('trace-open-captured')));
  expect(activeTab()?.address).toMatchObject({
    model: 'resnet',
    tab: 'playground',
    query: { captured: '77' },
  });
  areas.setState(before);
});

test('a captured request is shown with its tensors and sent again from its trace', async () => {
  const row = { id: 77, model: 'resnet', hasTensors: true, atMs: 0, inputs: [] } as unknown as CapturedRow;
  const request = {
    ...{ model: 'resnet', version: '', protocol: 'http-binary', id: '', inputs: [], outputs: [] },
    ...{ priority: 0, timeoutUs: 0, parameters: {} },
  };
  fake.overrides['capture/ofTrace'] = () => ({ row });
  fake.overrides['capture/open'] = () => ({ row, request, inputs: [], responses: [] }) as never;
  fake.overrides['playground/send'] = () => ({ ok: false, error: 'no longer there', responses: [] }) as never;
  await show(fakeTraces());
  await click(await until(() => page.get('trace-row-1')));
  await click(await until(() => page.get('trace-show-captured')));
  const again = await until(() => {
    const button = page.get('captured-again');
    expect(button.getAttribute('aria-disabled')).not.toBe('true');
    return button;
  });
  await click(again);
  await until(() =>
    expect(page.get('captured-dialog').textContent).toContain('The model refuses it now: no longer there'),
  );
});

/** A drag of one file of this kind over the list, up to letting go. */
function drop(type: string, text: string): { readonly isTaken: boolean } {
  const file = new File([text], 'dropped.json', { type });
  const dataTransfer = { types: ['Files'], items: [{ kind: 'file', type }], files: [file] };
  const drag = (name: string): boolean => {
    const event = new Event(name, { bubbles: true, cancelable: true });
    Object.assign(event, { dataTransfer, clientX: 0, clientY: 0 });
    return !page.get('trace-list').dispatchEvent(event);
  };
  drag('dragenter');
  const isMarked = document.body.dataset['dropTarget'] === 'traces';
  drag('drop');
  return { isTaken: isMarked };
}

test('a JSON file that is dropped on the screen is read; another kind of file is left to the window', async () => {
  await show(fakeEnsemble());
  await until(() => expect(listed()).toEqual(['10']));
  expect(drop('application/octet-stream', 'onnx').isTaken).toBe(false);
  expect(drop('application/json', tritonTraceText(fakeTraces())).isTaken).toBe(true);
  await until(() => expect(page.get('trace-file').textContent).toContain('dropped.json'));
  expect(listed()).toHaveLength(4);
});

test('traces are saved in both formats', async () => {
  const saved: { readonly defaultName: string; readonly text: string }[] = [];
  takeShell = installShell({
    'shell/saveText': (options) => {
      saved.push(options);
      return { path: '/home/ada/trace.json' };
    },
  }).remove;
  await show(fakeTraces());
  await until(() => page.get('trace-list'));
  for (const item of ['Triton trace JSON', 'Chrome trace JSON, for Perfetto']) {
    await click(page.get('trace-export'));
    const entry = await until(() => {
      const found = [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')].find(
        ({ textContent }) => textContent === item,
      );
      if (found === undefined) throw new Error(`there is no entry ${item}`);
      return found;
    });
    await click(entry);
  }
  await until(() =>
    expect(saved.map(({ defaultName }) => defaultName)).toEqual(['trace.json', 'trace-chrome.json']),
  );
  expect(readTritonTrace(saved[0]?.text ?? '').map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  expect(saved[1]?.text).toContain('traceEvents');
});
