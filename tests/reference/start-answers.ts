// What a server said at its start, in a comparable form: plain lines, and warnings and errors of the log.

import { hideVolatile, logRecords } from './normalise.ts';

/** The reference is a GPU build without a GPU: these say so. */
const ABOUT_THE_MACHINE =
  /CudaDriverHelper|pinned_memory|pinned system memory|CUDA memory pool|DCGM|NVML|GPU metrics|cache_dir/;

export function saidAtStart(
  text: string,
  hide: { readonly folders: readonly string[]; readonly ports: readonly number[] },
): object {
  const shown = hideVolatile(text, hide).replace(/^\S*\/tritonserver: /gm, 'tritonserver: ');
  const [plain = ''] = shown.split(/^[IWEF] /m);
  // Both streams are one text here: what the other said in between is no part of a record.
  const records = logRecords(text.replace(/^error: creating server: .*\n?/gm, ''))
    .filter(({ level, text: said }) => level !== 'I' && !ABOUT_THE_MACHINE.test(said))
    .map(({ level, text: said }) => `${level} ${hideVolatile(said, hide)}`);
  const creating = /^error: creating server: .*$/m.exec(shown)?.[0] ?? '';
  return { plain: plain.split('\n').filter(isNoHelp), records, creating };
}

/** False for the lines of the usage text, whose words are each server's own, and for what is compared elsewhere. */
function isNoHelp(line: string): boolean {
  return !/^(\s|$|Usage: |[A-Z][\w/ ]*:$|error: creating server|Error: Failed to initialize NVML)/.test(line);
}
