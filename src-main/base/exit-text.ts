// How a process ended, in words.

/**
 * What Windows says by the exit code of a process that a fault ended: an NTSTATUS of Microsoft's MS-ERREF, or the code of an
 * exception of C++ that nobody caught.
 */
const WINDOWS_FAULTS: ReadonlyMap<number, string> = new Map([
  [0xc000_0005, 'access violation'],
  [0xc000_0006, 'a page of a file could not be read'],
  [0xc000_0017, 'not enough memory'],
  [0xc000_001d, 'illegal instruction: built for another processor'],
  [0xc000_0094, 'integer division by zero'],
  [0xc000_00fd, 'stack overflow'],
  [0xc000_0135, 'a DLL that it needs is missing'],
  [0xc000_0139, 'a DLL that it needs is of another version'],
  [0xc000_013a, 'ended by Ctrl+C or by closing its console'],
  [0xc000_0142, 'a DLL could not be started'],
  [0xc000_0374, 'damaged heap'],
  [0xc000_0409, 'aborted by itself'],
  [0xe06d_7363, 'an exception of C++ that nobody caught'],
]);

/** "exit code 1"; "exit code 0xC0000005, access violation". `code`: as Node tells it, signed or not. */
export function exitCodeText(code: number | null | undefined): string {
  if (code === null || code === undefined) return 'exit code unknown';
  const status = code >>> 0;
  const meaning = WINDOWS_FAULTS.get(status);
  if (meaning === undefined) return `exit code ${code}`;
  return `exit code 0x${status.toString(16).toUpperCase()}, ${meaning}`;
}
