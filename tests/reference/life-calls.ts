// Calls of the cases about the life of a server.

import { post, reply } from './http-calls.ts';
import { hideVolatile } from './normalise.ts';
import type { Target } from './reference-case.ts';
import type { WireCase } from './wire-cases.ts';

export const floats = (values: readonly number[], shape = [values.length]): object => ({
  inputs: [{ name: 'INPUT0', datatype: 'FP32', shape, data: values }],
});
export const infer = (model: string, body: object = floats([1, 2])): WireCase =>
  post(`/v2/models/${model}/infer`, body);
export const load = (model: string): WireCase => post(`/v2/repository/models/${model}/load`);
export const unload = (model: string): WireCase => post(`/v2/repository/models/${model}/unload`);
export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const ask = (target: Target, call: WireCase): Promise<unknown> =>
  reply(target.httpPort, call).then(({ status, body }) => [
    status,
    hideVolatile(body, target).replace(/(\\n)+At:.*?(?=["}])/s, ''),
  ]);
export const together = async (target: Target, calls: readonly WireCase[]): Promise<unknown> => {
  const running: Promise<unknown>[] = [];
  for (const call of calls) {
    running.push(ask(target, call));
    await wait(40);
  }
  return Promise.all(running);
};
