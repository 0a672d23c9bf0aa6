// Azure over Azurite: the store scenario over a real emulator.

import { afterAll } from 'vitest';

import { endEmulators, startAzurite } from './emulators.ts';
import { storeScenario } from './store-scenario.ts';

afterAll(endEmulators);
storeScenario('Azure over Azurite', startAzurite);
