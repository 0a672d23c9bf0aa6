// Switches on the app's command line that belong to Electron, Chromium, GTK or Node. There are many hundreds and no list
// of them all, so they are known by how their names begin; what could be a slip in one of our own names is left to be
// refused with a suggestion.

/** Beginnings of names; a full name is one of them too. */
const FAMILIES: readonly string[] = [
  'accept-lang',
  'allow-file-access',
  'allow-insecure',
  'allow-running-insecure',
  'auth-',
  'auto-open-devtools',
  'blink-',
  'class',
  'crash-',
  'crashpad-',
  'device-scale-factor',
  'diagnostic-dir',
  'disable-',
  'disk-cache-',
  'enable-',
  'experimental-',
  'field-trial',
  'force-',
  'gl-',
  'gpu-',
  'gtk-',
  'high-dpi',
  'host-resolver',
  'host-rules',
  'ignore-',
  'in-process-gpu',
  'inspect',
  'js-flags',
  'lang',
  'log-net-log',
  'no-first-run',
  'no-proxy-server',
  'no-sandbox',
  'no-startup-window',
  'no-zygote',
  'original-process-start-time',
  'ozone-',
  'password-store',
  'profile-',
  'proxy-',
  'remote-allow',
  'remote-debugging',
  'renderer-',
  'run-all-compositor',
  'show-',
  'single-process',
  'squirrel-',
  'ssl-',
  'start-maximized',
  'test-type',
  'touch-',
  'trace-startup',
  'unsafely-',
  'use-',
  'user-agent',
  'user-data-dir',
  'v8-',
  'vmodule',
  'wayland-',
  'webview-',
  'wm-',
  'x11-',
];

/** A name that begins like one of ours for this long is a slip in ours. */
const SLIP_LENGTH = 12;

function isSlip(name: string, ownNames: readonly string[]): boolean {
  const start = name.slice(0, SLIP_LENGTH);
  return start.length === SLIP_LENGTH && ownNames.some((own) => own.startsWith(start));
}

/** `argument` as typed. Own names, and beginnings of one of them that the option scanner takes, are not foreign. */
export function isForeignSwitch(argument: string, ownNames: readonly string[]): boolean {
  // macOS adds its process serial number.
  if (argument.startsWith('-psn_')) return true;
  if (!argument.startsWith('--')) return false;
  const name = argument.slice(2).replace(/=.*$/s, '');
  if (ownNames.some((own) => own === name) || isSlip(name, ownNames)) return false;
  return FAMILIES.some((family) => name.startsWith(family));
}
