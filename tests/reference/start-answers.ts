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

/** Seconds that count down while a server ends; how many are told is a matter of time. */
const COUNTDOWN = /^I Timeout \d+: Found \d+ (live models|model versions that have|HTTP service) .*$/;
/** Lines of the program itself, between the records. */
const OF_THE_PROGRAM = /^(error: creating server: |Signal \(\d+\) received).*\n?/gm;
/** Tables of options and models, and what backends and their processes say of themselves. */
const OF_A_START =
  /^$|^\n?\+-|TRITONBACKEND|Cleaning|Metrics|backend config|Process for|Loading|Server side auto|Non-graceful termination/;

/** The signals and records of a whole life, without those of the machine and of the options; records are sorted. */
export function recordsOfLife(
  text: string,
  hide: { readonly folders: readonly string[]; readonly ports: readonly number[] },
): object {
  const program = [...text.matchAll(OF_THE_PROGRAM)].map(([line]) => hideVolatile(line.trim(), hide));
  const shown = logRecords(text.replace(OF_THE_PROGRAM, ''))
    .filter(({ text: said }) => !ABOUT_THE_MACHINE.test(said) && !OF_A_START.test(said))
    .map(({ level, text: said }) => `${level} ${hideVolatile(said, hide)}`)
    .map((line) => line.replace(/\n+At:[^]*$/, '').replace(COUNTDOWN, 'I Timeout'))
    .map((line) => line.replace(/^I +Failed/, 'I Failed'));
  return { program, records: [...new Set(shown)].sort() };
}
