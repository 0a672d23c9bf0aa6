import { expect, test } from 'vitest';

import { FakeClock } from '../../testing/fake-clock.ts';
import { EndpointRates } from './endpoint-rates.ts';

test('requests per second are those since the look before, and rest between looks', async () => {
  const clock = new FakeClock();
  const rates = new EndpointRates(clock);
  expect(rates.of({ http: 100, grpc: 0, metrics: 0 })).toEqual({ http: 0, grpc: 0, metrics: 0 });
  await clock.advance(500);
  expect(rates.of({ http: 150, grpc: 0, metrics: 0 }).http).toBe(0);
  await clock.advance(500);
  expect(rates.of({ http: 400, grpc: 3, metrics: 1 })).toEqual({ http: 300, grpc: 3, metrics: 1 });
  await clock.advance(2000);
  expect(rates.of({ http: 401, grpc: 3, metrics: 1 })).toEqual({ http: 0.5, grpc: 0, metrics: 0 });
});

test('after a silence nobody asked in, counting begins anew', async () => {
  const clock = new FakeClock();
  const rates = new EndpointRates(clock);
  rates.of({ http: 0, grpc: 0, metrics: 0 });
  await clock.advance(60_000);
  expect(rates.of({ http: 6000, grpc: 0, metrics: 0 }).http).toBe(0);
  await clock.advance(1000);
  expect(rates.of({ http: 6010, grpc: 0, metrics: 0 }).http).toBe(10);
});
