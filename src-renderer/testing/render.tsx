// Draws a part of the window, or all of it, in a test page with an engine from memory, and finds things by test id.
// What the test page lacks of a browser (sizes, media queries) is filled in here.

import axe from 'axe-core';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

import { EngineProvider, followEngine } from '../engine/engine-context.tsx';
import { ConfirmHost } from '../ui/confirm.tsx';
import { ToastHost } from '../ui/toast.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';
import { FakeEngine } from './fake-engine.ts';
import { installQuickStyles } from './quick-styles.ts';

const WIDTH = 1360;
const HEIGHT = 860;

/** jsdom lays nothing out; virtual lists need a size to draw rows. */
function fillInBrowser(): void {
  for (const [property, value] of Object.entries({
    offsetWidth: WIDTH,
    clientWidth: WIDTH,
    offsetHeight: HEIGHT,
    clientHeight: HEIGHT,
  })) {
    Object.defineProperty(HTMLElement.prototype, property, { configurable: true, get: () => value });
  }
  window.matchMedia = (query) =>
    ({
      matches: false,
      media: query,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }) as unknown as MediaQueryList;
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.scrollTo = () => undefined;
  Element.prototype.getAnimations = () => [];
  // jsdom derives it from the Error of its own realm.
  Object.setPrototypeOf(DOMException.prototype, Error.prototype);
  Element.prototype.setPointerCapture = () => undefined;
  Element.prototype.releasePointerCapture = () => undefined;
  globalThis.ResizeObserver = class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  };
}

fillInBrowser();
installQuickStyles();

/** What was drawn, and ways to find things in it. */
export interface Rendered {
  readonly fake: FakeEngine;
  /** Throws with what is there when nothing has the test id. */
  readonly get: (testId: string) => HTMLElement;
  /** The first element with that test id, anywhere in the page; null = there is none. */
  readonly query: (testId: string) => HTMLElement | null;
  /** Unmounts, rests until that has settled, and empties the page. */
  readonly close: () => Promise<void>;
}

/** Rests until what is drawn at first has settled; unmount it, or the next test finds its elements. */
export async function render(
  content: (engine: ReturnType<FakeEngine['engine']>) => ReactNode,
  fake = new FakeEngine(),
): Promise<Rendered> {
  const container = document.createElement('div');
  document.body.append(container);
  const engine = fake.engine();
  const stopFollowing = followEngine(engine);
  const root = createRoot(container);
  root.render(content(engine));
  await settled();
  const query = (testId: string): HTMLElement | null => document.querySelector(`[data-testid="${testId}"]`);
  return {
    fake,
    query,
    get: (testId) => {
      const found = query(testId);
      if (found !== null) return found;
      const known = [...document.querySelectorAll('[data-testid]')].map((element) =>
        element.getAttribute('data-testid'),
      );
      throw new Error(`nothing has the test id '${testId}'; there are: ${known.join(', ')}`);
    },
    close: async () => {
      root.unmount();
      stopFollowing();
      await settled();
      container.remove();
      document.body.replaceChildren();
    },
  };
}

const TURNS_TO_DRAW = 20;

/**
 * Lets the page draw and answers arrive. React draws, runs effects and draws what they changed in turns of the
 * event loop (`setImmediate`), and a timer alone may come before any of them on a busy machine.
 */
export async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 10));
  for (let turn = 0; turn < TURNS_TO_DRAW; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Draws a view with its engine, without the frame around it. */
export function renderView(view: ReactNode, fake = new FakeEngine()): Promise<Rendered> {
  return render(
    (engine) => (
      <EngineProvider engine={engine}>
        <TooltipProvider>{view}</TooltipProvider>
      </EngineProvider>
    ),
    fake,
  );
}

/** The same beside the hosts of questions and messages, which a view asks and tells through. */
export function renderWithHosts(view: ReactNode, fake = new FakeEngine()): Promise<Rendered> {
  return renderView(
    <>
      {view}
      <ConfirmHost />
      <ToastHost />
    </>,
    fake,
  );
}

/** Repeats until the assertion holds; fails with its message. */
export async function until<T>(assertion: () => T, timeoutMs = 15_000): Promise<T> {
  const endMs = Date.now() + timeoutMs;
  for (;;) {
    try {
      return assertion();
    } catch (thrown) {
      if (Date.now() > endMs) throw thrown;
      await settled();
    }
  }
}

/** All events of a click in their order, then rests. */
export async function click(element: HTMLElement): Promise<void> {
  element.dispatchEvent(new MouseEvent('pointerdown', { bubbles: true, cancelable: true }));
  element.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }));
  element.click();
  await settled();
}

/** A key down on `target`, with `held` modifiers, then rests. There is no key up and no text typed. */
export async function press(target: EventTarget, key: string, held: KeyboardEventInit = {}): Promise<void> {
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...held }));
  await settled();
}

/** Replaces the value of an input, as pasting over all of it does, then rests. */
export async function type(input: HTMLElement, text: string): Promise<void> {
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value')?.set;
  setter?.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
  await settled();
}

/** They hand the focus on at once; nobody rests there. A page with a layout tells that a menu is open around them. */
const FOCUS_GUARDS = '[data-base-ui-focus-guard]';

/** Serious and critical findings, in words. Contrast needs a real browser and is checked there. */
export async function accessibilityFaults(root: Element = document.body): Promise<readonly string[]> {
  const context = { include: [root], exclude: [...root.querySelectorAll(FOCUS_GUARDS)] };
  const { violations } = await axe.run(context, {
    rules: {
      'color-contrast': { enabled: false },
      region: { enabled: false },
      'document-title': { enabled: false },
      'html-has-lang': { enabled: false },
    },
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** Opens a Select and chooses the entry with this text, or the first whose text is the one that is meant. */
export async function choose(
  select: HTMLElement,
  label: string | ((text: string) => boolean),
): Promise<void> {
  const isMeant = (text: string): boolean => (typeof label === 'string' ? text === label : label(text));
  await click(select);
  const option = await until(() => {
    const options = [...document.querySelectorAll<HTMLElement>('[role="option"]')];
    const found = options.find(({ textContent }) => isMeant(textContent));
    if (found === undefined)
      throw new Error(
        `no entry '${String(label)}' but ${options.map(({ textContent }) => textContent).join(', ')}`,
      );
    return found;
  });
  await press(option, 'Enter');
  await click(option);
}
