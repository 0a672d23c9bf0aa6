// S3 over moto: the store scenario over a real emulator.

import { afterAll } from 'vitest';

import { endEmulators, startMoto } from './emulators.ts';
import { storeScenario } from './store-scenario.ts';

afterAll(endEmulators);
storeScenario('S3 over moto', startMoto);
