// Dialogs, their forms, tabs and disclosures: what the keyboard does, where the focus is, and what stands against an act.

import { createRef, useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';

import type { Rendered } from '../testing/render.tsx';
import { accessibilityFaults, click, press, renderView, until } from '../testing/render.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Disclosure } from './disclosure.tsx';
import { Field } from './field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { TextInput } from './inputs.tsx';
import { SimpleTable } from './simple-table.tsx';
import { Tabs } from './tabs.tsx';

let page: Rendered;
afterEach(() => page.close());

function Opener() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button data-testid="open" onClick={() => setOpen(true)}>
        Open
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Rename the model"
        description="Its folder is renamed."
        testId="dialog"
        footer={<Button data-testid="ok">OK</Button>}
      >
        <input data-testid="inside" aria-label="Name" />
      </Dialog>
    </>
  );
}

async function openDialog(): Promise<HTMLElement> {
  page = await renderView(<Opener />);
  page.get('open').focus();
  await click(page.get('open'));
  return until(() => page.get('dialog'));
}

test('a dialog is named and described, and begins in its own content', async () => {
  const dialog = await openDialog();
  const named = (attribute: string): string =>
    document.getElementById(dialog.getAttribute(attribute) ?? '')?.textContent ?? '';
  expect(named('aria-labelledby')).toBe('Rename the model');
  expect(named('aria-describedby')).toBe('Its folder is renamed.');
  await until(() => expect(document.activeElement).toBe(page.get('inside')));
  expect(await accessibilityFaults()).toEqual([]);
});

test('a name that is suggested is replaced by what is typed', async () => {
  const input = createRef<HTMLInputElement>();
  page = await renderView(
    <Dialog isOpen onClose={() => undefined} title="New model" initialFocus={input}>
      <TextInput ref={input} value="python_model" onChange={() => undefined} aria-label="Name" />
    </Dialog>,
  );
  await until(() => expect(document.activeElement).toBe(input.current));
  expect([input.current?.selectionStart, input.current?.selectionEnd]).toEqual([0, 'python_model'.length]);
});

test('a name that stands in its first field is replaced too', async () => {
  page = await renderView(
    <Dialog isOpen onClose={() => undefined} title="Rename">
      <TextInput value="mid" onChange={() => undefined} aria-label="Name" data-testid="name" />
    </Dialog>,
  );
  const field = page.get('name') as HTMLInputElement;
  await until(() => expect(document.activeElement).toBe(field));
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 3]);
});

function Late({ isLoading }: { readonly isLoading: boolean }) {
  return (
    <Dialog
      isOpen
      isLoading={isLoading}
      onClose={() => undefined}
      title="Fields"
      testId="late"
      footer={<Button data-testid="ok">OK</Button>}
    >
      {!isLoading && <input data-testid="inside" aria-label="Name" />}
    </Dialog>
  );
}

function ComesLate() {
  const [isLoading, setLoading] = useState(true);
  return (
    <>
      <button data-testid="come" onClick={() => setLoading(false)} />
      <Late isLoading={isLoading} />
    </>
  );
}

test('what is still to come has the focus when it has come, where nobody has moved on', async () => {
  page = await renderView(<ComesLate />);
  await until(() => expect(document.activeElement).toBe(page.get('late')));
  await click(page.get('come'));
  await until(() => expect(document.activeElement).toBe(page.get('inside')));
  await page.close();

  page = await renderView(<ComesLate />);
  await until(() => expect(document.activeElement).toBe(page.get('late')));
  page.get('ok').focus();
  await click(page.get('come'));
  await until(() => page.get('inside'));
  expect(document.activeElement).toBe(page.get('ok'));
});

test('before what was typed is lost, Escape and the cross ask, and the safe answer goes on', async () => {
  const onClose = vi.fn();
  page = await renderView(
    <Dialog isOpen isTyped onClose={onClose} title="Note" testId="dialog">
      <textarea data-testid="inside" aria-label="Note" />
    </Dialog>,
  );
  await until(() => expect(document.activeElement).toBe(page.get('inside')));
  await press(page.get('inside'), 'Escape');
  await until(() => expect(document.activeElement).toBe(page.get('dialog-stay')));
  // Escape answers the question alone.
  await press(page.get('dialog-stay'), 'Escape');
  await until(() => expect(page.query('dialog-leave')).toBeNull());
  expect(onClose).not.toHaveBeenCalled();
  await until(() => expect(document.activeElement).toBe(page.get('inside')));
  await click(page.get('dialog').querySelector('[aria-label="Close"]') as HTMLElement);
  await click(await until(() => page.get('dialog-discard')));
  expect(onClose).toHaveBeenCalledOnce();
});

test('Escape closes it, and the focus goes back to where it came from', async () => {
  await openDialog();
  await until(() => expect(document.activeElement).toBe(page.get('inside')));
  await press(page.get('inside'), 'Escape');
  await until(() => expect(page.query('dialog')).toBeNull());
  await until(() => expect(document.activeElement).toBe(page.get('open')));
});

test('its cross closes it, a click beside it does not', async () => {
  const dialog = await openDialog();
  await click(document.body);
  expect(page.query('dialog')).not.toBeNull();
  await click(dialog.querySelector<HTMLElement>('[aria-label="Close"]')!);
  await until(() => expect(page.query('dialog')).toBeNull());
});

async function form(reason: string | undefined, isRunning = false) {
  const [run, onClose] = [vi.fn(), vi.fn()];
  const act = { label: 'Rename', testId: 'act', isRunning, reason, run };
  page = await renderView(
    <FormDialog isOpen onClose={onClose} title="Rename" act={act} testId="form-dialog">
      <Field label="Name" error={reason ?? undefined}>
        <TextInput value="simple" onChange={() => undefined} data-testid="name" />
      </Field>
    </FormDialog>,
  );
  const submit = (): void => {
    page
      .get('name')
      .closest('form')
      ?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  };
  return { run, onClose, submit };
}

test('a form is carried out by its button and by Enter in a field', async () => {
  const { run, submit } = await form(undefined);
  await click(page.get('act'));
  submit();
  await until(() => expect(run).toHaveBeenCalledTimes(2));
});

test('what stands against it is told at the field and by the button, and nothing happens', async () => {
  const { run, submit } = await form('There is such a model already.');
  expect(page.get('act').getAttribute('aria-disabled')).toBe('true');
  await click(page.get('act'));
  submit();
  expect(run).not.toHaveBeenCalled();
  const field = page.get('name');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  const told = (field.getAttribute('aria-describedby') ?? '').split(' ');
  const texts = told.map((id) => document.getElementById(id)?.textContent);
  expect(texts).toContain('There is such a model already.');
  expect(await accessibilityFaults()).toEqual([]);
});

test('while it runs it is not carried out a second time', async () => {
  const { run, submit } = await form(undefined, true);
  await click(page.get('act'));
  submit();
  expect(run).not.toHaveBeenCalled();
});

function Panels() {
  const [shown, setShown] = useState('one');
  return (
    <Tabs
      label="Views"
      value={shown}
      onChange={setShown}
      trailing={<button type="button">More</button>}
      items={['one', 'two', 'three'].map((id) => ({ id, title: id, testId: `tab-${id}` }))}
    >
      <p data-testid={`panel-${shown}`}>{shown}</p>
    </Tabs>
  );
}

test('arrow keys, Home and End move along tabs, and only the chosen panel is there', async () => {
  page = await renderView(<Panels />);
  page.get('tab-one').focus();
  await press(page.get('tab-one'), 'ArrowRight');
  await until(() => page.get('panel-two'));
  expect(page.query('panel-one')).toBeNull();
  await press(page.get('tab-two'), 'End');
  await until(() => page.get('panel-three'));
  await press(page.get('tab-three'), 'ArrowRight');
  await until(() => page.get('panel-one'));
  const stops = ['one', 'two', 'three'].map((id) => page.get(`tab-${id}`).tabIndex);
  expect(stops).toEqual([0, -1, -1]);
  expect(await accessibilityFaults()).toEqual([]);
});

test('what is disclosed is there only while it is open, and says which', async () => {
  page = await renderView(
    <Disclosure title="More options" testId="more">
      <p data-testid="content">rare</p>
    </Disclosure>,
  );
  expect([page.get('more').getAttribute('aria-expanded'), page.query('content')]).toEqual(['false', null]);
  await click(page.get('more'));
  expect(page.get('more').getAttribute('aria-expanded')).toBe('true');
  expect(page.get('content').textContent).toBe('rare');
  await click(page.get('more'));
  expect(page.query('content')).toBeNull();
});

test('a small table is named, and each cell belongs to a column', async () => {
  page = await renderView(
    <SimpleTable
      label="Ports"
      testId="ports"
      rows={[{ kind: 'HTTP', port: 8000 }]}
      keyOf={({ kind }) => kind}
      columns={[
        { id: 'kind', title: 'Kind', cell: ({ kind }) => kind },
        { id: 'port', title: 'Port', align: 'end', isMono: true, cell: ({ port }) => port },
      ]}
    />,
  );
  const texts = (selector: string): readonly (string | null)[] =>
    [...page.get('ports').querySelectorAll(selector)].map(({ textContent }) => textContent);
  expect([texts('th[scope="col"]'), texts('td')]).toEqual([
    ['Kind', 'Port'],
    ['HTTP', '8000'],
  ]);
  expect(await accessibilityFaults()).toEqual([]);
});
