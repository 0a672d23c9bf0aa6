// docs/transcripts.md still says what the server answers.

import { execFile, execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const tool = path.resolve(import.meta.dirname, '../../tools/make-transcripts.ts');

function hasCurl(): boolean {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test.skipIf(!hasCurl())('the transcripts hold (needs the curl command)', async () => {
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [tool, '--check'], (_error, stdout, stderr) => resolve(stdout + stderr));
  });
  expect(output.trim()).toBe('all transcripts hold');
});
