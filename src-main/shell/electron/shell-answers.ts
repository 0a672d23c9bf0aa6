// Answers the page's shell calls. Sender, name and arguments are checked here, once for all calls; an error is an answer
// too, since what is thrown would lose its code on the way.

import type { IpcMain, IpcMainInvokeEvent } from 'electron';

import type {
  ShellAnswer,
  ShellCallHandlers,
  ShellCallName,
  ShellCallResult,
} from '../../../src-shared/contract/shell-calls.ts';
import { shellCalls } from '../../../src-shared/contract/shell-calls.ts';
import { SHELL_CHANNELS } from '../../../src-shared/contract/shell-channels.ts';
import { errorToWire } from '../../../src-shared/errors.ts';
import { shellErrors } from './shell-errors.ts';

type AnyResult = ShellCallResult<ShellCallName>;

async function answer(handlers: ShellCallHandlers, name: unknown, args: unknown): Promise<AnyResult> {
  const call = shellCalls.find((candidate) => candidate.name === name);
  if (call === undefined) throw shellErrors.call({ name: String(name) });
  const parsed = call.args.safeParse(args);
  if (!parsed.success) {
    const [{ message = 'bad arguments' } = {}] = parsed.error.issues;
    throw shellErrors.arguments({ name: call.name, reason: message });
  }
  const handler = handlers[call.name] as (checked: unknown) => AnyResult | Promise<AnyResult>;
  return handler(parsed.data);
}

/** Starts answering; `isOurs` tells whether a message is one of our own page. */
export function answerShellCalls(
  ipcMain: Pick<IpcMain, 'handle'>,
  handlers: ShellCallHandlers,
  isOurs: (event: IpcMainInvokeEvent) => boolean,
): void {
  ipcMain.handle(
    SHELL_CHANNELS.call,
    async (event, name: unknown, args: unknown): Promise<ShellAnswer<ShellCallName>> => {
      try {
        if (!isOurs(event)) throw shellErrors.foreign();
        return { value: await answer(handlers, name, args) };
      } catch (thrown) {
        return { error: errorToWire(thrown) };
      }
    },
  );
}
