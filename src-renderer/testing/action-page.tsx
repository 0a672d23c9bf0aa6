// A page that only has the hosts of questions and messages, for tests of actions: what they ask, what they tell, and
// which ways on they offer.

import { toast } from 'sonner';

import type { Engine } from '../engine/engine-context.tsx';
import { EngineProvider } from '../engine/engine-context.tsx';
import { ConfirmHost } from '../ui/confirm.tsx';
import { ToastHost } from '../ui/toast.tsx';
import { FakeEngine } from './fake-engine.ts';
import type { Rendered } from './render.tsx';
import { click, render, until } from './render.tsx';

/** The kinds of messages that an action can leave. */
export type MessageKind = 'success' | 'info' | 'warning' | 'error';

/** A drawn page; the test that made it closes it. */
export interface ActionPage extends Rendered {
  readonly engine: Engine;
  /** Texts of the messages of that kind that are shown now, newest first. */
  readonly messages: (kind: MessageKind) => readonly string[];
  /** Waits for a message of that kind that contains `text`, and gives all of it. */
  readonly told: (kind: MessageKind, text: string) => Promise<string>;
  /** What the message that contains `text` says may be done about it; "" = nothing. */
  readonly advice: (text: string) => string;
  /** Labels of the buttons of the message that contains `text`, besides the one that closes it. */
  readonly offers: (text: string) => readonly string[];
  /** Presses the button of the message that contains `text`. */
  readonly follow: (text: string, label: string) => Promise<void>;
  /** Waits for the question, answers it with the choice of that value ("cancel" = the safe one), and gives its words. */
  readonly answer: (value: string) => Promise<string>;
}

/** The engine of the page has read its snapshots when this resolves. */
export async function actionPage(fake = new FakeEngine()): Promise<ActionPage> {
  let engine: Engine | undefined;
  const page = await render((made) => {
    engine = made;
    return (
      <EngineProvider engine={made}>
        <ConfirmHost />
        <ToastHost />
      </EngineProvider>
    );
  }, fake);
  if (engine === undefined) throw new Error('the page was not drawn');
  const { state } = engine;
  await until(() => {
    if (!state.models.getState().isLoaded || state.settings.getState().view === undefined)
      throw new Error('the page has not read what the engine knows');
  });
  return {
    ...page,
    engine,
    messages,
    told: (kind, text) =>
      until(() => {
        const found = messages(kind).find((message) => message.includes(text));
        if (found === undefined) throw new Error(`no ${kind} says '${text}': ${allMessages()}`);
        return found;
      }),
    advice,
    offers: (text) => actions(text).map(({ textContent }) => textContent),
    follow: async (text, label) => click(await until(() => messageButton(text, label))),
    answer: async (value) => {
      const button = await until(() => page.get(`confirm-${value}`));
      const question = button.closest('[role=dialog], [role=alertdialog]')?.textContent ?? '';
      await click(button);
      return question;
    },
    close: async () => {
      toast.dismiss();
      await page.close();
    },
  };
}

function shown(kind = ''): readonly HTMLElement[] {
  const ofKind = kind === '' ? '' : `[data-testid="toast-${kind}"]`;
  return [...document.querySelectorAll<HTMLElement>(`[data-sonner-toast]${ofKind}`)];
}

function messages(kind: MessageKind): readonly string[] {
  return shown(kind).map((one) => one.querySelector('[data-title]')?.textContent ?? '');
}

function advice(text: string): string {
  const message = shown().find(({ textContent }) => textContent.includes(text));
  return message?.querySelector('[data-description]')?.textContent ?? '';
}

function allMessages(): string {
  return shown()
    .map(({ textContent }) => textContent)
    .join(' | ');
}

function actions(text: string): readonly HTMLElement[] {
  const message = shown().find(({ textContent }) => textContent.includes(text));
  return [...(message?.querySelectorAll<HTMLElement>('[data-action]') ?? [])];
}

function messageButton(text: string, label: string): HTMLElement {
  const button = actions(text).find(({ textContent }) => textContent === label);
  if (button === undefined) throw new Error(`no message '${text}' with '${label}': ${allMessages()}`);
  return button;
}
