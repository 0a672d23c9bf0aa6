import type { IpcMainInvokeEvent } from 'electron';
import { describe, expect, test, vi } from 'vitest';

import type { ShellCallHandlers } from '../../../src-shared/contract/shell-calls.ts';
import { SHELL_CHANNELS } from '../../../src-shared/contract/shell-channels.ts';
import { answerShellCalls } from './shell-answers.ts';
import { shellErrors } from './shell-errors.ts';

type Handle = (event: unknown, name: unknown, args: unknown) => Promise<unknown>;

const ours = {} as IpcMainInvokeEvent;

/** The page's way to the desktop, whose calls are answered by these. */
function answering(handlers: Partial<ShellCallHandlers>): Handle {
  const handled = new Map<string, Handle>();
  const ipcMain = { handle: (channel: string, handle: Handle) => void handled.set(channel, handle) };
  answerShellCalls(ipcMain as never, handlers as ShellCallHandlers, (event) => event === ours);
  const handle = handled.get(SHELL_CHANNELS.call);
  if (handle === undefined) throw new Error('nothing answers');
  return handle;
}

function refusal(code: string, message: string): object {
  return {
    error: {
      code,
      message: expect.stringContaining(message) as string,
      // What happened and what to do, as the window shows them.
      details: expect.objectContaining({ errorId: expect.stringMatching(/^shell\//) as string }) as object,
    },
  };
}

describe('a call of our window', () => {
  test('is answered with what its handler says, at once or later', async () => {
    const pickFolders = vi.fn(() => Promise.resolve(['/picked']));
    const facts = { appVersion: '1.2.3', electronVersion: '33', platform: 'linux' } as const;
    const call = answering({ 'shell/facts': () => facts, 'shell/pickFolders': pickFolders });
    expect(await call(ours, 'shell/facts', {})).toEqual({ value: facts });
    const options = { title: 't', multiple: true };
    expect(await call(ours, 'shell/pickFolders', options)).toEqual({ value: ['/picked'] });
    expect(pickFolders).toHaveBeenCalledWith(options);
  });

  test('whose handler throws is answered with the error, its code and what to do', async () => {
    const call = answering({
      'shell/reveal': ({ path }) => {
        throw shellErrors.missing({ path });
      },
    });
    const answer = await call(ours, 'shell/reveal', { path: '/none' });
    expect(answer).toEqual(refusal('NOT_FOUND', "'/none' is no longer there"));
  });

  test('whose handler fails later is answered with the error too', async () => {
    const call = answering({
      'shell/openExternal': ({ url }) => Promise.reject(shellErrors.address({ url })),
    });
    const answer = await call(ours, 'shell/openExternal', { url: 'file:///etc/passwd' });
    expect(answer).toEqual(refusal('INVALID_ARG', 'only http and https addresses'));
  });
});

test.each([
  ['shell/format', {}, 'NOT_FOUND', "the app has no call 'shell/format'"],
  ['constructor', {}, 'NOT_FOUND', "the app has no call 'constructor'"],
  [7, {}, 'NOT_FOUND', "the app has no call '7'"],
  ['shell/openExternal', { url: 1 }, 'INVALID_ARG', "call 'shell/openExternal'"],
  ['shell/openExternal', undefined, 'INVALID_ARG', "call 'shell/openExternal'"],
])('the call %j with %j is refused, and no handler hears of it', async (name, args, code, message) => {
  const openExternal = vi.fn(() => Promise.resolve());
  const call = answering({ 'shell/openExternal': openExternal });
  expect(await call(ours, name, args)).toEqual(refusal(code, message));
  expect(openExternal).not.toHaveBeenCalled();
});

test('a call that is not of our window is refused, and no handler hears of it', async () => {
  const facts = vi.fn();
  const call = answering({ 'shell/facts': facts });
  expect(await call({}, 'shell/facts', {})).toEqual(refusal('INVALID_ARG', 'only the window of this app'));
  expect(facts).not.toHaveBeenCalled();
});
