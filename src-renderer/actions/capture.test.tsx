// Capturing requests as a screen follows it: nothing is asked for in vain, and one sentence says what goes on.

import { afterEach, expect, test } from 'vitest';

import type { CapturedRow, CaptureState } from '../../src-shared/contract/capture-calls.ts';
import { unavailable } from '../../src-shared/errors.ts';
import { FakeEngine } from '../testing/fake-engine.ts';
import type { Rendered } from '../testing/render.tsx';
import { click, renderView, until } from '../testing/render.tsx';
import { ToastHost } from '../ui/toast.tsx';
import { captureSentence, CaptureSwitch } from './capture-switch.tsx';
import { useCapture } from './use-capture.ts';

const OFF: CaptureState = {
  isOn: false,
  model: undefined,
  endsAtMs: 0,
  count: 0,
  byteSize: 0,
  limitBytes: 256 * 1024 * 1024,
};

let page: Rendered | undefined;
afterEach(() => page?.close());

function Screen({ model }: { readonly model: string }) {
  const capture = useCapture(model);
  return (
    <>
      <CaptureSwitch capture={capture} />
      <p data-testid="sentence">{captureSentence(capture)}</p>
      <ul data-testid="rows">{capture.rows.map(({ requestId }) => `${requestId} `)}</ul>
      <button data-testid="clear" onClick={capture.clear} />
      <ToastHost />
    </>
  );
}

async function start(
  first: CaptureState,
): Promise<{ readonly fake: FakeEngine; readonly get: Rendered['get'] }> {
  const fake = new FakeEngine();
  let state = first;
  const change = (next: Partial<CaptureState>) => (state = { ...state, ...next });
  fake.overrides['capture/state'] = () => state;
  fake.overrides['capture/start'] = ({ model }) => change({ isOn: true, model, count: 1 });
  fake.overrides['capture/stop'] = () => change({ isOn: false });
  fake.overrides['capture/clear'] = () => change({ count: 0 });
  fake.overrides['capture/list'] = () =>
    state.count === 0 ? [] : [{ requestId: 'r1' } as unknown as CapturedRow];
  page = await renderView(<Screen model="simple" />, fake);
  return { fake, get: page.get };
}

test('while capturing is off and nothing was captured, no list is asked for', async () => {
  const { fake, get } = await start(OFF);
  await until(() => get('capture-start'));
  expect(get('sentence').textContent).toContain('Off.');
  expect(fake.argsOf('capture/list')).toEqual([]);
});

test('capturing is started for the model of the screen, and what came is listed', async () => {
  const { fake, get } = await start(OFF);
  await click(await until(() => get('capture-start')));
  await until(() => get('capture-stop'));
  expect(fake.argsOf('capture/start')).toEqual([{ model: 'simple' }]);
  await until(() => expect(get('rows').textContent).toContain('r1'));
  expect(fake.argsOf('capture/list')[0]).toEqual({ model: 'simple' });
  expect(get('sentence').textContent).toContain('Capturing requests to simple');
});

test('what was captured stays after capturing has stopped, until it is cleared', async () => {
  const { get } = await start({ ...OFF, isOn: true, count: 1 });
  await click(await until(() => get('capture-stop')));
  await until(() => get('capture-start'));
  await until(() => expect(get('rows').textContent).toContain('r1'));
  await click(get('clear'));
  await until(() => expect(get('rows').textContent).toBe(''));
});

test('a start that is refused is told, and the switch stays as it is', async () => {
  const { fake, get } = await start(OFF);
  fake.overrides['capture/start'] = () => {
    throw unavailable('another window captures');
  };
  await click(await until(() => get('capture-start')));
  await until(() => expect(get('toast-error').textContent).toContain('another window captures'));
  expect(get('capture-start')).toBeTruthy();
});

test('the sentence says of which model, how much of what there may be, and until when', () => {
  const of = (state: CaptureState | undefined) =>
    captureSentence({
      state,
      rows: [],
      isBusy: false,
      start: () => undefined,
      stop: () => undefined,
      clear: () => undefined,
    });
  expect(of(undefined)).toBe('');
  const endsAtMs = new Date(2026, 4, 4, 14, 5, 9).getTime();
  const on = { ...OFF, isOn: true, endsAtMs, byteSize: 3 * 1024 * 1024 };
  expect(of(on)).toContain('Capturing all models: 3.0 MiB of 256 MiB, ends at 14:05:09.');
  expect(of({ ...on, model: 'm' })).toContain('Capturing requests to m: 3.0 MiB of 256 MiB');
});
