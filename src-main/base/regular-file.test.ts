import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRegularFile, readRegularFile, readTextFile, requireRegularFile } from './regular-file.ts';

let folder: string;
const at = (name: string): string => path.join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-regular-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe('files that others put there', () => {
  it('reads a regular file, through a link too', async () => {
    await writeFile(at('text'), 'one\n');
    await symlink('text', at('link'));
    expect(await readTextFile(at('link'))).toBe('one\n');
    const { handle, byteSize } = await openRegularFile(at('text'));
    await handle.close();
    expect(byteSize).toBe(4);
  });

  it('refuses one that is larger than its reader takes', async () => {
    await writeFile(at('text'), '12345');
    await expect(readRegularFile(at('text'), 4)).rejects.toThrow(
      `'${at('text')}' has 5 bytes, expected at most 4`,
    );
  });

  it("gives the system's own error for folders and for what is missing", async () => {
    await expect(readTextFile(folder)).rejects.toMatchObject({ code: 'EISDIR' });
    await expect(readTextFile(at('none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.skipIf(process.platform === 'win32')('refuses pipes and devices at once', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    await symlink('/dev/zero', at('endless'));
    await expect(readTextFile(at('pipe'))).rejects.toThrow(
      `'${at('pipe')}' is a named pipe, expected a regular file`,
    );
    await expect(requireRegularFile(at('endless'))).rejects.toThrow('is a device, expected a regular file');
  });
});
