// The main area: the view of the active tab and no other, what stands where there is no view, and a view that fails.

import { CircleHelp } from 'lucide-react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { address, modelAddress } from '../lib/address.ts';
import type { FeatureDefinition, FeatureViewProps } from '../lib/feature.ts';
import { lazyView } from '../lib/lazy-view.ts';
import { INITIAL_WORKSPACE, open, workspace } from '../lib/workspace-store.ts';
import type { Rendered } from '../testing/render.tsx';
import { click, renderWithHosts, settled, until } from '../testing/render.tsx';
import { Announcer } from '../ui/announcer.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MainArea } from './main-area.tsx';

let page: Rendered;

beforeEach(() => workspace.setState(INITIAL_WORKSPACE, true));
afterEach(async () => {
  await page.close();
  vi.restoreAllMocks();
});

const screen = (area: string, View: (props: FeatureViewProps) => React.ReactNode): FeatureDefinition => ({
  area,
  title: 'rail.models',
  icon: CircleHelp,
  rail: 'top',
  View: lazyView(() => Promise.resolve(View)),
});

const told = (area: string) =>
  screen(area, ({ address: at }) => <p data-testid={`view-${area}`}>{`${at.area} ${at.model}`}</p>);

async function start(features: readonly FeatureDefinition[], modelView = told('model')): Promise<void> {
  page = await renderWithHosts(<MainArea features={features} modelView={modelView} />);
}

test('only the view of the active tab is there; a model has the view of models', async () => {
  await start([told('models'), told('perf')]);
  await until(() => page.get('view-models'));
  open(address('perf'));
  await until(() => page.get('view-perf'));
  expect(page.query('view-models')).toBeNull();
  open(modelAddress('simple'));
  await until(() => expect(page.get('view-model').textContent).toBe('models simple'));
  expect(page.query('view-perf')).toBeNull();
});

test('a view that comes while the focus is elsewhere is said; one that takes the focus is read by its name', async () => {
  page = await renderWithHosts(
    <>
      <button type="button" data-testid="elsewhere">
        elsewhere
      </button>
      <MainArea features={[told('models'), told('perf')]} modelView={told('model')} />
      <Announcer />
    </>,
  );
  await until(() => page.get('view-models'));
  const main = document.querySelector('main');
  expect(main?.getAttribute('aria-label')).toBe('Models');
  page.get('elsewhere').focus();
  open(modelAddress('simple'));
  await until(() => expect(page.get('announcer').textContent).toBe('simple'));
  expect(main?.getAttribute('aria-label')).toBe('simple');

  page.get('elsewhere').blur();
  open(modelAddress('other'));
  await until(() => expect(document.activeElement).toBe(main));
  await settled();
  expect(main?.getAttribute('aria-label')).toBe('other');
  expect(page.get('announcer').textContent).not.toContain('other');
});

test('a place that this release does not have is said to be none', async () => {
  await start([told('models')]);
  open(address('elsewhere'));
  await until(() => expect(document.querySelector('main')?.textContent).toContain('Not in this release'));
});

test('a view that fails leaves the tabs alone, and the next view is drawn', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const broken = screen('perf', () => {
    throw new Error('out of ink');
  });
  await start([told('models'), broken]);
  open(address('perf'));
  await until(() => expect(document.querySelector('main')?.textContent).toContain('out of ink'));
  for (const id of ['models', 'perf']) expect(page.query(`tab-${id}`)).not.toBeNull();
  open(address('models'));
  await until(() => page.get('view-models'));
});

test('a screen of the rail begins with its name as the heading; a model has its own', async () => {
  await start([told('models')], { ...told('model'), rail: 'none' });
  await until(() => page.get('view-models'));
  expect([...document.querySelectorAll('h1')].map(({ textContent }) => textContent)).toEqual(['Models']);
  open(modelAddress('simple'));
  await until(() => page.get('view-model'));
  expect(document.querySelector('h1')).toBeNull();
});

function Leading() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button data-testid="outside" onClick={() => setOpen(true)}>
        Outside
      </button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="New model">
        <button
          data-testid="go"
          onClick={() => {
            setOpen(false);
            open(address('server'));
          }}
        >
          Go
        </button>
      </Dialog>
    </>
  );
}

test('a dialog that leads to a view gives the focus to it; where no dialog was the focus stays', async () => {
  page = await renderWithHosts(
    <>
      <Leading />
      <MainArea features={[told('models'), told('perf'), told('server')]} modelView={told('model')} />
    </>,
  );
  await until(() => page.get('view-models'));
  page.get('outside').focus();
  open(address('perf'));
  await until(() => page.get('view-perf'));
  await settled();
  expect(document.activeElement).toBe(page.get('outside'));

  await click(page.get('outside'));
  await until(() => expect(document.activeElement).toBe(page.get('go')));
  await click(page.get('go'));
  await until(() => page.get('view-server'));
  await until(() => expect(document.activeElement).toBe(document.querySelector('main')));
});
