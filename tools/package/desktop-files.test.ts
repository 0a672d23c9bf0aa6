import { expect, test } from 'vitest';

import { desktopEntry, mimeInfo } from './desktop-files.ts';

test('the menu entry hands files and folders over, and opens the type that the package declares', () => {
  const lines = desktopEntry({ program: '/opt/Conch/conch' }).split('\n');
  expect(lines[0]).toBe('[Desktop Entry]');
  expect(lines).toContain('Exec=/opt/Conch/conch %F');
  const types = lines.find((line) => line.startsWith('MimeType='))?.slice('MimeType='.length);
  expect(types).toBe('application/x-onnx;inode/directory;');
  expect(mimeInfo()).toContain('<mime-type type="application/x-onnx">');
  expect(mimeInfo()).toContain('<glob pattern="*.onnx"/>');
});
