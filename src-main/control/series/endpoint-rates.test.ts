import { expect, test } from 'vitest';

import { FakeClock } from '../../testing/fake-clock.ts';
import { EndpointRates } from './endpoint-rates.ts';

const NONE = { http: 0, grpc: 0, metrics: 0, openai: 0, sagemaker: 0, vertexAi: 0 };

test('requests per second are those since the look before, and rest between looks', async () => {
  const clock = new FakeClock();
  const rates = new EndpointRates(clock);
  expect(rates.of({ ...NONE, http: 100 })).toEqual(NONE);
  await clock.advance(500);
  expect(rates.of({ ...NONE, http: 150 }).http).toBe(0);
  await clock.advance(500);
  const later = { ...NONE, http: 400, grpc: 3, metrics: 1, openai: 7 };
  expect(rates.of(later)).toEqual({ ...NONE, http: 300, grpc: 3, metrics: 1, openai: 7 });
  await clock.advance(2000);
  expect(rates.of({ ...later, http: 401 })).toEqual({ ...NONE, http: 0.5 });
});

test('after a silence nobody asked in, counting begins anew', async () => {
  const clock = new FakeClock();
  const rates = new EndpointRates(clock);
  rates.of(NONE);
  await clock.advance(60_000);
  expect(rates.of({ ...NONE, http: 6000 }).http).toBe(0);
  await clock.advance(1000);
  expect(rates.of({ ...NONE, http: 6010 }).http).toBe(10);
});
