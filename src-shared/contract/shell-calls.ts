// What the window asks of the desktop around it: native dialogs, the file manager, links. Answered by Electron's main
// process; a browser page has none of it and asks the engine instead (repository/browse, uploads).
//
// How a page finds its engine:
// - Electron: `window.conchShell` exists. The page calls `requestEnginePort()`; the port arrives as a window message
//   `{ type: ENGINE_PORT_MESSAGE }` (shell-channels.ts) with one MessagePort, and again, unasked, whenever the engine was restarted.
// - Browser: `/rpc?token=<token>` on the page's own origin, a WebSocket. The token is in the page's address
//   (`/?token=<token>`); files go to `/upload` with `authorization: Bearer <token>`:
//   `POST /upload` answers `{ upload, path }`; `PATCH /upload/<upload>?path=<relative>` with `upload-offset: <bytes so
//   far>` appends its body; `HEAD` of the same address tells the offset after a broken transfer; `DELETE
//   /upload/<upload>` drops it. `path` is the folder that repository/classify and repository/import understand.

import { z } from 'zod';

import type { WireError } from '../errors.ts';
import type { ArgsOf, ResultOf } from './define.ts';
import type { ShellCommand } from './shell-commands.ts';
import { defineCall } from './define.ts';

interface ShellFacts {
  readonly appVersion: string;
  readonly electronVersion: string;
  readonly platform: string;
}

/** Text of a file that is dragged out, or its bytes in base64. */
const dragged = z.object({ name: z.string(), content: z.string(), isBase64: z.boolean() });

const filters = z.array(z.object({ name: z.string(), extensions: z.array(z.string()) }));

/** Answered by the main process; a page in a browser has none of them. */
export const shellCalls = [
  defineCall('shell/facts', z.object({}))<ShellFacts>(),
  /** Native folder picker; empty when cancelled. */
  defineCall('shell/pickFolders', z.object({ title: z.string(), multiple: z.boolean() }))<
    readonly string[]
  >(),
  defineCall('shell/pickFiles', z.object({ title: z.string(), multiple: z.boolean(), filters }))<
    readonly string[]
  >(),
  /** Asks where to save and writes the text; nothing is written when that is cancelled. */
  defineCall(
    'shell/saveText',
    z.object({ title: z.string(), defaultName: z.string(), text: z.string() }),
  )<void>(),
  /** Shows a file or folder in the system's file manager. */
  defineCall('shell/reveal', z.object({ path: z.string() }))<void>(),
  /** Opens an http(s) address in the system's browser. */
  defineCall('shell/openExternal', z.object({ url: z.string() }))<void>(),
  /** Colours of the native frame follow the window's theme. */
  defineCall('shell/setTheme', z.object({ theme: z.enum(['system', 'light', 'dark']) }))<void>(),
  /** The keys that run menu commands now, as the page writes them ("Mod+Shift+P"); "" = none. */
  defineCall('shell/setKeys', z.object({ keys: z.record(z.string(), z.string()) }))<void>(),
  /** To be called while the user drags: a file of that name and content follows the pointer out of the window. */
  defineCall('shell/dragOut', dragged)<void>(),
] as const;

type AnyShellCall = (typeof shellCalls)[number];
/** The name of a call from page to the desktop app. */
export type ShellCallName = AnyShellCall['name'];
type ShellCallOf<N extends ShellCallName> = Extract<AnyShellCall, { readonly name: N }>;
/** What such a call takes. */
export type ShellCallArgs<N extends ShellCallName> = ArgsOf<ShellCallOf<N>>;
/** What such a call answers. */
export type ShellCallResult<N extends ShellCallName> = ResultOf<ShellCallOf<N>>;

/** One handler per call; leaving one out does not compile. */
export type ShellCallHandlers = {
  readonly [N in ShellCallName]: (args: ShellCallArgs<N>) => ShellCallResult<N> | Promise<ShellCallResult<N>>;
};

/** What the desktop asks of the page. */
export type ShellRequest =
  | { readonly kind: 'command'; readonly command: ShellCommand }
  /** Files and folders from the command line, the file manager, the dock; `isRecent`: repositories that were open before. */
  | { readonly kind: 'open'; readonly paths: readonly string[]; readonly isRecent: boolean }
  /** An address of the window ("wb://models/simple"). */
  | { readonly kind: 'go'; readonly address: string };

/** A thrown error would lose its code on the way through the bridge. */
export type ShellAnswer<N extends ShellCallName> =
  | { readonly value: ShellCallResult<N> }
  | { readonly error: WireError };

/** `window.conchShell`, put there by the preload script. */
export interface ShellBridge {
  /** Rejects with what the main process threw, as text. */
  call<N extends ShellCallName>(name: N, args: ShellCallArgs<N>): Promise<ShellAnswer<N>>;
  /** Absolute path of a dropped or picked file; undefined for a file that is not on disk. */
  pathForFile(file: Blob): string | undefined;
  /** Asks the main process for a port to the engine; it comes as a message to the window (ENGINE_PORT_MESSAGE). */
  requestEnginePort(): void;
  /** Returns the off-switch. Requests that came before are delivered to the first listener. */
  onRequest(listener: (request: ShellRequest) => void): () => void;
}
