// Which file of traces is shown when several are chosen, and what is left when reading one is cancelled or fails.

import { afterEach, expect, test } from 'vitest';

import { fakeTraces } from '../../testing/fake-traces.ts';
import { importTraces } from './trace-files.ts';
import { tritonTraceText } from './trace-file.ts';
import { shownRows, showFile, traces } from './trace-store.ts';

afterEach(() => {
  traces.getState().reading?.cancel();
  showFile(undefined);
});

/** A file whose text comes when it is told to. */
function slowFile(name: string): { readonly file: File; readonly come: (text: string) => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  const file = new File(['[]'], name);
  file.text = () => promise;
  return { file, come: resolve };
}

const TEXT = tritonTraceText(fakeTraces());

test('the file that was chosen last is shown, whichever is read first', async () => {
  const [first, second] = [slowFile('first.json'), slowFile('second.json')];
  const readings = [importTraces(first.file), importTraces(second.file)];
  expect(traces.getState().reading?.name).toBe('second.json');
  second.come(TEXT);
  await readings[1];
  expect(traces.getState()).toMatchObject({ file: { name: 'second.json' }, reading: undefined });
  first.come(TEXT);
  await readings[0];
  expect(traces.getState()).toMatchObject({ file: { name: 'second.json' }, reading: undefined });
});

test('a cancelled reading changes nothing, and another one is still being read', async () => {
  const { file, come } = slowFile('a.json');
  const reading = importTraces(file);
  traces.getState().reading?.cancel();
  const next = slowFile('b.json');
  const nextReading = importTraces(next.file);
  come(TEXT);
  await reading;
  expect(traces.getState()).toMatchObject({ file: undefined, reading: { name: 'b.json' } });
  next.come(TEXT);
  await nextReading;
  expect(shownRows(traces.getState())).toHaveLength(fakeTraces().length);
});

test('a file that cannot be read leaves the one that is shown, with its filter and choice', async () => {
  showFile({ name: 'shown.json', rows: fakeTraces() });
  traces.setState({ choice: { kind: 'request', id: 2 } });
  const { file, come } = slowFile('bad.json');
  const reading = importTraces(file);
  come('{');
  await reading;
  expect(traces.getState()).toMatchObject({
    file: { name: 'shown.json' },
    choice: { kind: 'request', id: 2 },
    reading: undefined,
  });
});

test('a file beyond the limit is not opened', async () => {
  const { file } = slowFile('huge.json');
  Object.defineProperty(file, 'size', { value: 64 * 1024 * 1024 + 1 });
  await importTraces(file);
  expect(traces.getState()).toMatchObject({ file: undefined, reading: undefined });
});
