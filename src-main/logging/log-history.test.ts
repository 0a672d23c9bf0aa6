import { expect, test } from 'vitest';
import { getLogger } from '../base/log.ts';
import { LogHistory } from './log-history.ts';

test('keeps the newest lines, numbered, with model and request apart', () => {
  const history = new LogHistory(3);
  const seen: number[] = [];
  const logger = getLogger('test');
  const following = history.follow((line) => seen.push(line.sequence));
  for (let i = 1; i <= 4; i += 1) logger.info(`line ${i}`, { model: 'm', requestId: 'r', step: i });
  following[Symbol.dispose]();
  logger.info('last');
  history.close();
  logger.info('unheard');
  expect(seen).toEqual([1, 2, 3, 4]);
  const messages = history.linesAfter(0, 10).map((line) => line.message);
  expect(messages).toEqual(['line 3 step=3', 'line 4 step=4', 'last']);
  expect(history.linesAfter(3, 1)).toMatchObject([{ sequence: 5, model: '', message: 'last' }]);
  expect(history.linesAfter(2, 2)[0]).toMatchObject({
    sequence: 4,
    model: 'm',
    requestId: 'r',
    room: 'test',
  });
});
