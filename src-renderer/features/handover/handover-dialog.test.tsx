// The dialog of hand-overs: what is chosen decides what is checked, and errors stand against writing.

import { afterEach, expect, test } from 'vitest';

import { internal } from '../../../src-shared/errors.ts';
import { runCommand } from '../../lib/command-registry.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeHandoverView } from '../../testing/fake-handover-handlers.ts';
import { installShell } from '../../testing/fake-shell.ts';
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
import { HandoverHost } from './handover-host.tsx';
import { keptPlan } from './kept-plan.ts';

let page: Rendered | undefined;
let remove: (() => void) | undefined;
afterEach(async () => {
  await page?.close();
  remove?.();
  remove = undefined;
  keptPlan.setState({ plan: undefined });
});

async function open(fake = new FakeEngine()): Promise<Rendered & { readonly engine: FakeEngine }> {
  page = await renderWithHosts(<HandoverHost />, fake);
  await until(() => expect(runCommand('server.handOver')).toBe(true));
  const { get } = page;
  await until(() => get('handover-summary'));
  return { ...page, engine: fake };
}

const noErrors = (fake: FakeEngine): FakeEngine => {
  fake.overrides['handover/prepare'] = ({ plan }) => ({
    ...fakeHandoverView(plan),
    findings: [],
    errorCount: 0,
  });
  return fake;
};

test('findings with their severity, place and fix', async () => {
  const { get } = await open();
  const finding = get('handover-finding-H02');
  expect(finding.dataset['severity']).toBe('error');
  expect(finding.textContent).toBe(
    "Erroronly Conch runs models of the backend 'javascript'Rewrite it as a Python model.scaleconfig.pbtxt:2H02",
  );
  expect(get('handover-summary').textContent).toBe('1 error, 0 warnings');
  expect(await accessibilityFaults()).toEqual([]);
});

test('another target and release are checked at once, and its files are shown', async () => {
  const { get, engine } = await open();
  await choose(get('handover-target'), 'Kubernetes');
  await choose(get('handover-release'), '25.01');
  await click(get('handover-tab-files'));
  await until(() => expect(get('handover-text').textContent).toContain('tritonserver:25.01-py3'));
  expect(engine.argsOf('handover/prepare').at(-1)).toMatchObject({
    plan: { target: 'kubernetes', release: '25.01', locations: [''] },
  });
});

test('a place counts when the field is left', async () => {
  const { get, engine } = await open();
  const place = get('handover-place-0');
  const before = engine.argsOf('handover/prepare').length;
  await type(place, 's3://bucket/models');
  expect(engine.argsOf('handover/prepare').length).toBe(before);
  place.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  await until(() =>
    expect(engine.argsOf('handover/prepare').at(-1)).toMatchObject({
      plan: { locations: ['s3://bucket/models'] },
    }),
  );
});

test('errors stand against it until it is forced', async () => {
  const { get, engine } = await open();
  await click(get('handover-act'));
  expect(engine.argsOf('handover/pack')).toEqual([]);
  expect(get('handover-act').getAttribute('aria-disabled')).toBe('true');
  await click(get('handover-force'));
  await until(() => expect(get('handover-act').getAttribute('aria-disabled')).not.toBe('true'));
});

test('what is found follows the repository while it is open', async () => {
  const { get, engine } = await open(noErrors(new FakeEngine()));
  expect(get('handover-summary').textContent).toBe('0 errors, 0 warnings');
  delete engine.overrides['handover/prepare'];
  engine.change('simple', { state: 'failed' });
  await until(() => expect(get('handover-summary').textContent).toBe('1 error, 0 warnings'));
});

test('a plan that cannot be carried out says why', async () => {
  const fake = new FakeEngine();
  fake.overrides['handover/prepare'] = () => {
    throw internal('Seldon Core 2 takes a repository from s3:// or gs://: say where it will lie');
  };
  page = await renderWithHosts(<HandoverHost />, fake);
  await until(() => expect(runCommand('server.handOver')).toBe(true));
  const { get } = page;
  await until(() => expect(get('handover-refused').textContent).toContain('Seldon Core 2 takes'));
  expect(get('handover-act').getAttribute('aria-disabled')).toBe('true');
});

test('the desktop app asks for a folder and writes into it', async () => {
  const shell = installShell({ 'shell/pickFolders': () => ['/home/ada/deploy'] });
  remove = shell.remove;
  const { get, engine, query } = await open(noErrors(new FakeEngine()));
  await click(get('handover-act'));
  await until(() =>
    expect(engine.argsOf('handover/save')).toMatchObject([{ folder: '/home/ada/deploy', isForced: false }]),
  );
  await until(() => expect(query('handover-dialog')).toBeNull());
});

test('what was chosen is there when it is opened again', async () => {
  const { get, query } = await open();
  await choose(get('handover-target'), 'KServe');
  await click(document.querySelector<HTMLElement>('[aria-label="Close"]') ?? get('handover-dialog'));
  await until(() => expect(query('handover-dialog')).toBeNull());
  runCommand('server.handOver');
  await until(() => expect(get('handover-target').textContent).toBe('KServe'));
});

test('a name that cannot be is told at its field, nothing is asked for it, and a better one goes on', async () => {
  const { get, query, engine } = await open(noErrors(new FakeEngine()));
  const asked = engine.argsOf('handover/prepare').length;
  await type(get('handover-name'), '-x');
  await press(get('handover-name'), 'Enter');
  await until(() => expect(get('handover-refused').textContent).toContain('Use up to 40 small letters'));
  expect(get('handover-plan').textContent).toContain('Use up to 40 small letters');
  expect(get('handover-name').getAttribute('aria-invalid')).toBe('true');
  expect(get('handover-act').getAttribute('aria-disabled')).toBe('true');
  expect(engine.argsOf('handover/prepare')).toHaveLength(asked);
  await type(get('handover-name'), 'x');
  await press(get('handover-name'), 'Enter');
  await until(() => get('handover-summary'));
  expect(query('handover-refused')).toBeNull();
  expect(engine.argsOf('handover/prepare').at(-1)?.plan.name).toBe('x');
});
