import { expect, test } from 'vitest';

import { addLogSink, setLogSwitches } from '../base/log.ts';
import { defaultMaxBatchSize, logDefaultSetting } from './backend-defaults.ts';

test.each([
  [undefined, 4, 'Adding default backend config setting: default-max-batch-size,4'],
  ['7', 7, 'Found overwritten default setting: default-max-batch-size,7'],
])('default-max-batch-size given as %s', (given, size, line) => {
  const settings = new Map(given === undefined ? [] : [['default-max-batch-size', given]]);
  expect(defaultMaxBatchSize(settings)).toBe(size);
  const lines: string[] = [];
  const removeSink = addLogSink(({ message }) => void lines.push(message));
  setLogSwitches({ verboseLevel: 1 });
  logDefaultSetting(settings);
  setLogSwitches({ verboseLevel: 0 });
  removeSink();
  expect(lines).toEqual([line]);
});
