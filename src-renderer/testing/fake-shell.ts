// A desktop around the page that answers from memory, for tests of what differs between the desktop app and a browser.

import type { ShellBridge, ShellCallName } from '../../src-shared/contract/shell-calls.ts';
import { errorToWire, unsupported } from '../../src-shared/errors.ts';

/** The desktop as it was put around the page. */
export interface FakeShell {
  /** Everything that was asked, in order. */
  readonly calls: { readonly name: ShellCallName; readonly args: unknown }[];
  /** Takes the desktop away again. */
  readonly remove: () => void;
}

/** Puts the desktop around this page. A call without an answer is refused; an answer that throws crosses as its error. */
export function installShell(
  answers: { readonly [N in ShellCallName]?: (args: never) => unknown } = {},
): FakeShell {
  const calls: { name: ShellCallName; args: unknown }[] = [];
  const bridge: ShellBridge = {
    call: (name, args) => {
      calls.push({ name, args });
      return Promise.resolve().then(() => {
        try {
          const answer = answers[name] as ((given: unknown) => unknown) | undefined;
          if (answer === undefined) throw unsupported(`the fake desktop does not answer '${name}'`);
          return { value: answer(args) as never };
        } catch (thrown) {
          return { error: errorToWire(thrown) };
        }
      });
    },
    pathForFile: () => undefined,
    requestEnginePort: () => undefined,
    onRequest: () => () => undefined,
  };
  Object.defineProperty(window, 'conchShell', { configurable: true, value: bridge });
  return { calls, remove: () => void Reflect.deleteProperty(window, 'conchShell') };
}
