// Answers about the app itself: providers, our own data, the settings file, licences.

import type { CallHandlers } from '../../src-shared/contract/contract.ts';

/** A machine without a GPU whose CUDA libraries could be fetched. */
export function fakeAppHandlers(): Partial<CallHandlers> {
  return {
    'runtime/view': () => ({
      providers: [
        { name: 'cpu', isUsable: true },
        { name: 'cuda', isUsable: false },
      ],
      gpus: [],
      cuda: {
        isInstalled: false,
        installedBytes: 0,
        unavailable: undefined,
        folder: '/opt/ort',
        download: '8 file(s), 1486 MiB to fetch, at most 2480 MiB on disk',
      },
    }),
    'runtime/selfTest': ({ provider }) =>
      provider === 'cpu'
        ? { isOk: true, message: 'It works: a small model ran 10 times, at best in 0.04 ms.' }
        : { isOk: false, message: 'the library of this provider is missing' },
    'runtime/installGpu': () => undefined,
    'runtime/removeGpu': () => undefined,
    'python/view': () => ({
      programs: [
        {
          path: '/usr/bin/python3',
          origin: 'system',
          isUsed: false,
          version: undefined,
          fault: "Python 3.12.1 ('/usr/bin/python3') has no numpy, which Python models need",
          packages: [],
        },
        {
          path: '/home/ada/.config/conch/python/bin/python3',
          origin: 'own',
          isUsed: false,
          version: '3.12.1',
          fault: undefined,
          packages: [{ name: 'numpy', version: '2.4.0' }],
        },
      ],
      setup: {
        folder: '/home/ada/.config/conch/python',
        isDone: true,
        tool: 'venv',
        unavailable: undefined,
        packages: ['numpy'],
        downloadBytes: 20_000_000,
        diskBytes: 110_000_000,
      },
    }),
    'python/setUp': () => ({ path: '/home/ada/.config/conch/python/bin/python3' }),
    'data/usage': () => [
      {
        kind: 'runs-and-requests',
        path: '/home/ada/.config/conch/repositories',
        fileCount: 12,
        byteSize: 48_112,
      },
      { kind: 'logs', path: '/home/ada/.config/conch/logs', fileCount: 2, byteSize: 21_000_000 },
    ],
    'data/deleteAll': () => ({ movedTo: 'the system bin' }),
    'settings/readText': () => ({ path: '/home/ada/.config/conch/settings.json', text: '{ "a.b": 1 }' }),
    'app/licences': () => [{ name: 'react', version: '19.3.1', licence: 'MIT' }],
  };
}
