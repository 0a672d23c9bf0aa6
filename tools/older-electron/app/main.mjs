// Runs the app whose folder is the first argument that is no switch, as Electron's own default app does, which the older
// Electron comes without. The app is loaded before Electron says that it is ready.

import { app } from 'electron';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const named = process.argv.slice(1).find((argument) => !argument.startsWith('-'));
if (named === undefined) {
  process.stderr.write('name the folder of an app\n');
  app.exit(1);
} else {
  const folder = path.resolve(named);
  const { name, productName, version, main } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  );
  app.name = productName ?? name;
  app.setVersion(version);
  app.setAppPath(folder);
  app.setPath('userData', path.join(app.getPath('appData'), app.name));
  await import(pathToFileURL(path.join(folder, main)).href);
}
