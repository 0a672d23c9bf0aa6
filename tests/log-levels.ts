// Which lines the log has is a matter of the whole process. Files of one worker share it, so one that switched levels off
// over a protocol, as the settings have it, would leave the next without the lines that it looks for.

import { afterAll } from 'vitest';

import { logSwitches, setLogSwitches } from '../src-main/base/log.ts';

const before = { ...logSwitches() };

afterAll(() => setLogSwitches(before));
