import { afterEach, expect, test, vi } from 'vitest';

import { internal } from '../../../src-shared/errors.ts';
import { modelAddress } from '../../lib/address.ts';
import { codeDocument, draftOf, setDraftText } from '../../config/drafts/config-drafts.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { click, renderView, until } from '../../testing/render.tsx';
import { CodeTab } from './code-tab.tsx';

// The editor itself needs a browser.
vi.mock('../../config/editor/code-editor.tsx', () => ({
  CodeEditor: ({ text }: { readonly text: string }) => <pre data-testid="code-editor">{text}</pre>,
}));

const FILE = '1/model.py';
const DISK = {
  exists: true,
  text: 'a = 1\n',
  hash: 'h',
  path: '/m/1/model.py',
  readOnlyReason: '',
  refusal: '',
} as const;

let page: Rendered | undefined;
afterEach(() => page?.close());

/** Drafts outlive a page, so each test has a model of its own. */
async function start(fake: FakeEngine, name: string): Promise<Rendered> {
  fake.snapshot = fakeSnapshot([fakeModel(name, { backend: 'python' })]);
  page = await renderView(<CodeTab model={name} version="" address={modelAddress(name, 'code')} />, fake);
  return page;
}

test.each(['code/files', 'code/read'] as const)(
  'text that was not saved stays in sight when %s fails later, and the reason is told',
  async (call) => {
    const fake = new FakeEngine();
    fake.overrides['code/files'] = () => [{ path: FILE, isMain: true, byteSize: 6 }];
    fake.overrides['code/read'] = () => DISK;
    const name = `m_${call}`;
    const { get, query } = await start(fake, name);
    await until(() => get('code-editor'));
    const document = codeDocument(name, FILE);
    setDraftText(document, 'a = 2\n');
    fake.overrides[call] = () => {
      throw internal('the disk is gone.');
    };
    fake.publish('code/changedOnDisk', { model: name });
    await until(() => expect(get('code-unread').textContent).toContain('the disk is gone.'));
    expect(get('code-editor').textContent).toBe('a = 2\n');
    expect(draftOf(document)?.text).toBe('a = 2\n');
    if (call === 'code/files') fake.overrides[call] = () => [{ path: FILE, isMain: true, byteSize: 6 }];
    else fake.overrides['code/read'] = () => DISK;
    await click(get('code-unread').querySelector('button') as HTMLElement);
    await until(() => expect(query('code-unread')).toBeNull());
    expect(get('code-editor').textContent).toBe('a = 2\n');
  },
);

test('a file that was never read says why, and can be tried again', async () => {
  const fake = new FakeEngine();
  fake.overrides['code/files'] = () => [{ path: FILE, isMain: true, byteSize: 6 }];
  fake.overrides['code/read'] = () => {
    throw internal('no right to read.');
  };
  const { query } = await start(fake, 'unread');
  await until(() => expect(document.body.textContent).toContain('no right to read.'));
  expect(query('code-editor')).toBeNull();
});
