// Google Cloud Storage over gcp-storage-emulator: the store scenario over a real emulator.

import { afterAll } from 'vitest';

import { endEmulators, startGcsEmulator } from './emulators.ts';
import { storeScenario } from './store-scenario.ts';

afterAll(endEmulators);
storeScenario('Google Cloud Storage over gcp-storage-emulator', startGcsEmulator);
