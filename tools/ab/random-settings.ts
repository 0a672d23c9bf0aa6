// Random calls of the trace and log settings, over HTTP and gRPC: documents that are right, half right and wrong. The same seed
// gives the same ones.

import type { PlainMessage } from '../../src-main/grpc-wire/messages.ts';
import { RandomChoice } from './random-choice.ts';

/** One call of either protocol. */
export type SettingCall =
  | {
      readonly protocol: 'http';
      readonly method: 'GET' | 'POST';
      readonly path: string;
      readonly body?: string;
    }
  | { readonly protocol: 'grpc'; readonly rpc: string; readonly message: PlainMessage };

/** Not a negative frequency, which wraps around there, nor an empty text, whose message ends in a blank that gRPC loses. */
const TRACE_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  trace_level: [
    ['OFF'],
    ['TIMESTAMPS'],
    ['TENSORS'],
    ['TIMESTAMPS', 'TENSORS'],
    ['OFF', 'TIMESTAMPS'],
    ['timestamps'],
    [],
    null,
    'OFF',
    ['x'],
  ],
  trace_rate: ['1', '1000', '0', 5, null, 'x', '99999999999', '1.5', ['7'], ['1', '2'], true],
  trace_count: ['-1', '0', '100', 5, null, 'x', '99999999999', ['7'], {}],
  log_frequency: ['0', '10', 5, null, 'x', ['7'], ['1', '2']],
  trace_mode: ['triton', 'opentelemetry', null, 'x'],
  nothing: ['x', null],
};

const LOG_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  log_info: [true, false, 'true', 1, null],
  log_warning: [true, false, 'x', 0],
  log_error: [true, false, {}, []],
  log_verbose_level: [0, 1, 2, -1, '1', 1.5, true, 99_999_999_999, null],
  log_format: ['default', 'ISO8601', 'x', 5, null],
  nothing: [1],
};

const WHOLE = ['', '{', '[]', '5', 'null', '"x"', '{}', '{"trace_rate":"1"} x', '\u0000'];

/** Calls, one after the other; a seed always gives the same ones. */
export class RandomSettings {
  readonly #choice: RandomChoice;

  constructor(seed: number) {
    this.#choice = new RandomChoice(seed);
  }

  /** The next one; it changes settings that later calls are answered with. */
  call(): SettingCall {
    const choice = this.#choice;
    const isTrace = choice.chance(0.6);
    const model = isTrace ? choice.one(['', '', 'copy', 'copy', 'nobody']) : '';
    const reads = choice.chance(0.15);
    const values = isTrace ? TRACE_VALUES : LOG_VALUES;
    const names = Object.keys(values);
    const chosen = new Set(
      Array.from({ length: choice.below(3) + (reads ? 0 : 1) }, () => choice.one(names)),
    );
    const document = Object.fromEntries(
      [...chosen].map((name) => [name, choice.one(values[name] ?? [null])]),
    );
    if (choice.chance(0.4))
      return reads ? this.#grpc(isTrace, model, {}) : this.#grpc(isTrace, model, document);
    const path = isTrace ? `/v2${model === '' ? '' : `/models/${model}`}/trace/setting` : '/v2/logging';
    if (reads) return { protocol: 'http', method: 'GET', path };
    const body = choice.chance(0.08) ? choice.one(WHOLE) : JSON.stringify(document);
    return { protocol: 'http', method: 'POST', path, body };
  }

  #grpc(isTrace: boolean, model: string, document: Readonly<Record<string, unknown>>): SettingCall {
    const choice = this.#choice;
    if (isTrace) {
      const settings = Object.entries(document).map(([name, value]) => {
        const list = Array.isArray(value) ? value.map(String) : value === null ? [] : [textOf(value)];
        return [name, { value: list }];
      });
      const message = { model_name: model, settings: Object.fromEntries(settings) as PlainMessage };
      return { protocol: 'grpc', rpc: 'TraceSetting', message };
    }
    const settings = Object.entries(document).map(([name, value]) => {
      if (typeof value === 'boolean') return [name, { bool_param: value }];
      if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32) {
        return [name, { uint32_param: value }];
      }
      return [name, choice.chance(0.9) ? { string_param: textOf(value) } : {}];
    });
    return {
      protocol: 'grpc',
      rpc: 'LogSettings',
      message: { settings: Object.fromEntries(settings) as PlainMessage },
    };
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
