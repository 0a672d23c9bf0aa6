// Which files run code when a model is loaded from their folder, told by their names. A name is no proof of the
// opposite: a backend that runs code takes files of any name, so it is asked too (Backend.runsCode).

import path from 'node:path';

const EXTENSION = /\.(py|pyc|pyd|js|mjs|cjs|ts|mts|cts|node|so|dll|dylib)(\.\d+)*$/i;

/** Whether the last part of the path names a file of code. Dots, blanks and streams that Windows drops are dropped. */
export function isCodeFile(file: string): boolean {
  const [name = ''] = path.basename(path.normalize(file)).split(':');
  return EXTENSION.test(name.replace(/[. ]+$/, ''));
}
