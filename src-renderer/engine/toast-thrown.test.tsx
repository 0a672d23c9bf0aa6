// What failed is told with what may be done about it.

import { toast } from 'sonner';
import { afterEach, expect, test } from 'vitest';

import { defineErrors } from '../../src-shared/error-catalogue.ts';
import { errorFromWire, errorToWire } from '../../src-shared/errors.ts';
import { rpcErrors } from '../../src-shared/rpc/rpc-errors.ts';
import type { Rendered } from '../testing/render.tsx';
import { click, renderView, until } from '../testing/render.tsx';
import { ToastHost } from '../ui/toast.tsx';
import { explainedMessage } from './engine-client.ts';
import { toastThrown } from './toast-thrown.ts';
import { useAction } from './use-action.ts';

let page: Rendered | undefined;

afterEach(async () => {
  toast.dismiss();
  await page?.close();
});

const { errors } = defineErrors('door', {
  shut: {
    code: 'UNAVAILABLE',
    text: "the door '{name}' is shut",
    cause: 'Somebody shut it.',
    remedy: 'Open it.',
  },
});

/** As it arrives from the engine. */
const shut = (name: string): Error => errorFromWire(errorToWire(errors.shut({ name })));

const shown = () =>
  [...document.querySelectorAll<HTMLElement>('[data-sonner-toast][data-removed=false]')].map((one) =>
    [...one.querySelectorAll('[data-title], [data-description]')].map(({ textContent }) => textContent),
  );

test('an error of the catalogue comes with its remedy, another one with its message alone', async () => {
  page = await renderView(<ToastHost />);
  toastThrown(shut('front'));
  await until(() => expect(shown()).toEqual([["the door 'front' is shut", 'Open it.']]));
  toast.dismiss();
  await until(() => expect(shown()).toEqual([]));
  toastThrown(new Error('no idea'));
  await until(() => expect(shown()).toEqual([['no idea']]));
});

test('that the connection is lost is told above everything, and not once more', async () => {
  page = await renderView(<ToastHost />);
  toastThrown(errorFromWire(errorToWire(rpcErrors.lost())));
  toastThrown(new Error('told'));
  await until(() => expect(shown()).toEqual([['told']]));
});

test('an action that says nothing of its errors has them told so, and one that was cancelled is silent', async () => {
  const thrown: unknown[] = [shut('back'), new DOMException('stopped', 'AbortError')];
  const work = (): Promise<never> => Promise.reject(thrown.shift() as Error);
  const Button = () => {
    const { run } = useAction(work);
    return <button onClick={() => run()}>Go</button>;
  };
  page = await renderView(
    <>
      <Button />
      <ToastHost />
    </>,
  );
  const button = document.querySelector('button') as HTMLElement;
  await click(button);
  await until(() => expect(shown()).toEqual([["the door 'back' is shut", 'Open it.']]));
  await click(button);
  await until(() => expect(thrown).toEqual([]));
  expect(shown()).toHaveLength(1);
});

test('where there is one place for a message, its remedy follows as a sentence of its own', () => {
  expect(explainedMessage(shut('front'))).toBe("the door 'front' is shut. Open it.");
  expect(explainedMessage(new Error('no disk'))).toBe('no disk');
});
