// Controls of forms: what they hand on, what the keyboard does, and which name a reader hears.

import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';

import type { Rendered } from '../testing/render.tsx';
import { accessibilityFaults, choose, click, press, renderView, type, until } from '../testing/render.tsx';
import { Field } from './field.tsx';
import { TextInput } from './inputs.tsx';
import { NumberInput } from './number-input.tsx';
import { Select } from './select.tsx';
import { Switch } from './switch.tsx';
import { Checkbox, Segmented } from './toggles.tsx';

let page: Rendered | undefined;
let values: unknown[] = [];

afterEach(async () => {
  await page?.close();
  values = [];
});

const keep = (value: unknown): void => void values.push(value);

function Count() {
  const [value, setValue] = useState<number | undefined>(3);
  keep(value);
  return (
    <NumberInput aria-label="Count" data-testid="count" min={1} max={4} value={value} onChange={setValue} />
  );
}

test('a number steps within its limits, and nothing is no number', async () => {
  page = await renderView(<Count />);
  const field = page.get('count') as HTMLInputElement;
  await press(field, 'ArrowUp');
  await press(field, 'ArrowUp');
  expect([field.value, values.at(-1)]).toEqual(['4', 4]);
  await press(field, 'ArrowDown');
  expect(field.value).toBe('3');
  await type(field, '');
  field.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  await until(() => expect(values.at(-1)).toBeUndefined());
  expect(await accessibilityFaults()).toEqual([]);
});

function Layout() {
  const [value, setValue] = useState<'rows' | 'columns' | 'tiles'>('rows');
  keep(value);
  return (
    <Segmented
      label="Layout"
      testId="layout"
      value={value}
      onChange={setValue}
      options={[
        { value: 'rows', label: 'Rows' },
        { value: 'columns', label: 'Columns' },
        { value: 'tiles', label: 'Tiles', disabledReason: 'There is no room' },
      ]}
    />
  );
}

test('of the choices one is on, and one that cannot be taken says why', async () => {
  page = await renderView(<Layout />);
  const radios = [...page.get('layout').querySelectorAll<HTMLElement>('[role="radio"]')];
  expect(radios.map((radio) => radio.getAttribute('aria-checked'))).toEqual(['true', 'false', 'false']);
  expect(radios.map(({ tabIndex }) => tabIndex).filter((index) => index === 0)).toHaveLength(1);
  await click(radios[1] as HTMLElement);
  expect(values.at(-1)).toBe('columns');
  await click(radios[2] as HTMLElement);
  expect(values.at(-1)).toBe('columns');
  expect(radios[2]?.title).toBe('There is no room');
  expect(await accessibilityFaults()).toEqual([]);
});

function Switches() {
  const [isOn, setIsOn] = useState(false);
  keep(isOn);
  return (
    <>
      <Switch isOn={isOn} onChange={setIsOn} aria-label="Watch" data-testid="switch" />
      <Checkbox isOn={isOn} onChange={setIsOn} data-testid="box">
        Watch files
      </Checkbox>
      <Checkbox isOn={false} isMixed onChange={setIsOn} aria-label="All" data-testid="mixed" />
      <Switch isOn isDisabled onChange={keep} aria-label="Fixed" data-testid="fixed" />
    </>
  );
}

test('switches and boxes say whether they are on, and nothing turns one that is off limits', async () => {
  page = await renderView(<Switches />);
  const { get } = page;
  await click(get('switch'));
  expect([get('switch'), get('box')].map((one) => one.getAttribute('aria-checked'))).toEqual([
    'true',
    'true',
  ]);
  await click(get('box'));
  expect(get('switch').getAttribute('aria-checked')).toBe('false');
  expect(get('mixed').getAttribute('aria-checked')).toBe('mixed');
  const before = values.length;
  await click(get('fixed'));
  expect(values).toHaveLength(before);
  expect(await accessibilityFaults()).toEqual([]);
});

function Kind() {
  const [value, setValue] = useState('cpu');
  keep(value);
  return (
    <Field label="Kind" help="Where it runs">
      <Select
        data-testid="kind"
        value={value}
        onChange={setValue}
        options={[
          { value: 'cpu', label: 'CPU' },
          { value: 'gpu', label: 'GPU', disabledReason: 'There is none' },
          { value: 'model', label: 'Model' },
        ]}
      />
    </Field>
  );
}

test('a list has the name of its field, and an entry that cannot be chosen says why', async () => {
  page = await renderView(<Kind />);
  const labelled = document.getElementById(page.get('kind').getAttribute('aria-labelledby') ?? '');
  expect(labelled?.textContent).toBe('Kind');
  await choose(page.get('kind'), 'Model');
  expect(values.at(-1)).toBe('model');
  await click(page.get('kind'));
  const options = await until(() => {
    const found = [...document.querySelectorAll<HTMLElement>('[role="option"]')];
    expect(found).toHaveLength(3);
    return found;
  });
  expect(options[1]?.getAttribute('aria-disabled')).toBe('true');
  expect(options[1]?.textContent).toContain('There is none');
});

function Name({ error }: { readonly error: string }) {
  const [value, setValue] = useState('simple');
  keep(value);
  return (
    <Field label="Name" error={error}>
      <TextInput value={value} onChange={setValue} data-testid="name" />
    </Field>
  );
}

test('a fault of a field belongs to it', async () => {
  page = await renderView(<Name error="There is a model of that name" />);
  const field = page.get('name');
  await type(field, 'other');
  expect(values.at(-1)).toBe('other');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  const said = (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent);
  expect(said.join(' ')).toContain('There is a model of that name');
});

function Many() {
  const [value, setValue] = useState('model_7');
  keep(value);
  return (
    <Field label="Model">
      <Select
        data-testid="many"
        value={value}
        onChange={setValue}
        options={Array.from({ length: 300 }, (_, at) => ({ value: `model_${at}`, label: `model_${at}` }))}
      />
    </Field>
  );
}

test('a choice out of many draws few of them, and what is typed finds the others', async () => {
  page = await renderView(<Many />);
  const options = () => [...document.querySelectorAll<HTMLElement>('[role="option"]')];
  await until(() => expect(page?.get('many').getAttribute('aria-haspopup')).toBe('dialog'));
  expect(page.get('many').textContent).toBe('model_7');
  await click(page.get('many'));
  await until(() => expect(options()).toHaveLength(60));
  expect(document.body.textContent).toContain('The first 60 of 300. Type to find the others.');
  expect(await accessibilityFaults()).toEqual([]);
  const field = document.querySelector<HTMLInputElement>('[placeholder="Find among 300"]');
  if (field === null) throw new Error('there is no field to find in');
  await type(field, 'model_25');
  await until(() => expect(options().map(({ textContent }) => textContent)).toHaveLength(11));
  await type(field, 'model_299');
  await until(() => expect(options()).toHaveLength(1));
  await click(options()[0] as HTMLElement);
  await until(() => expect(values.at(-1)).toBe('model_299'));
  await until(() => expect(page?.get('many').textContent).toBe('model_299'));
});
