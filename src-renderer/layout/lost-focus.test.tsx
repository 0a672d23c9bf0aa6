// Where the focus goes when what had it is taken away.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { watchLostFocus } from './lost-focus.ts';

let lost: (HTMLElement | undefined)[];
let off: () => void;

beforeEach(() => {
  lost = [];
  off = watchLostFocus((next) => void lost.push(next));
});
afterEach(() => {
  off();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(document, 'elementFromPoint');
});

function draw(html: string): void {
  document.body.innerHTML = html;
}
const byId = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;
const twoFrames = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 5))));

/** What lies at every point of the page, since jsdom lays nothing out. */
function atPoint(element: Element | null): void {
  document.elementFromPoint = () => element;
}

/** A browser tells of it before the element is gone; jsdom says nothing. */
async function remove(element: HTMLElement): Promise<void> {
  element.dispatchEvent(new FocusEvent('focusout', { bubbles: true, relatedTarget: null }));
  element.remove();
  await twoFrames();
}

test('it goes to the control that stands in its place now', async () => {
  draw(
    '<div role="tabpanel"><p id="row"><button id="load">Load</button><button id="unload">Unload</button></p></div>',
  );
  byId('load').focus();
  atPoint(byId('unload'));
  await remove(byId('load'));
  expect(lost).toEqual([byId('unload')]);
});

test('where nothing lies in its place the panel around has it', async () => {
  draw('<div role="tabpanel" id="panel"><button id="load">Load</button></div>');
  byId('load').focus();
  await remove(byId('load'));
  expect(lost).toEqual([byId('panel')]);
});

test('else to the panel around, never to something outside of it', async () => {
  draw(
    '<button id="other">Other</button><div role="tabpanel" id="panel"><button id="load">Load</button></div>',
  );
  byId('load').focus();
  atPoint(byId('other'));
  await remove(byId('load'));
  expect(lost).toEqual([byId('panel')]);
});

test('where everything around is gone there is nothing to name', async () => {
  draw('<div id="all" role="dialog"><button id="load">Load</button></div>');
  byId('load').focus();
  atPoint(null);
  byId('load').dispatchEvent(new FocusEvent('focusout', { bubbles: true, relatedTarget: null }));
  byId('all').remove();
  await twoFrames();
  expect(lost).toEqual([undefined]);
});

test('a focus that went elsewhere, or was given to something meanwhile, is not lost', async () => {
  draw('<div role="tabpanel"><button id="load">Load</button><input id="field"></div>');
  atPoint(null);
  byId('load').dispatchEvent(new FocusEvent('focusout', { bubbles: true, relatedTarget: byId('field') }));
  byId('load').focus();
  byId('load').dispatchEvent(new FocusEvent('focusout', { bubbles: true, relatedTarget: null }));
  byId('load').remove();
  byId('field').focus();
  await twoFrames();
  expect(lost).toEqual([]);
});
