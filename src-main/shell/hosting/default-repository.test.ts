import path from 'node:path';

import { expect, test } from 'vitest';

import { defaultRepositoryPath } from './default-repository.ts';
import { userDataFolder } from './user-data.ts';

test('models go where their user finds them, or into the folder that was given to the app', () => {
  const environment = { XDG_CONFIG_HOME: '/home/ada/.config', APPDATA: '/home/ada/AppData' };
  const usual = userDataFolder(undefined, environment);
  const home = path.resolve('/home/ada');
  expect(defaultRepositoryPath(usual, environment, home)).toBe(path.join(home, 'Conch', 'models'));
  expect(defaultRepositoryPath('/tmp/own', environment, home)).toBe(path.join('/tmp/own', 'models'));
});
