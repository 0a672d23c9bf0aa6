// Settings read over one protocol after they were set over the other.

import { grpcCall } from './grpc-exchange.ts';
import { get, post } from './http-calls.ts';
import { ask } from './life-calls.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { WireCase } from './wire-cases.ts';

const FILE = /"trace_file":"[^"]*"|"log_file":"[^"]*"/g;
const setting = async (target: Target, call: WireCase): Promise<unknown> => {
  const [status, body] = (await ask(target, call)) as [number, string];
  return [status, body.replaceAll(FILE, '"file"')];
};
/** The members of both sides in one order, files of each side left out. */
function withoutFiles(response: unknown): unknown {
  const { settings = {} } = (response ?? {}) as { settings?: Readonly<Record<string, unknown>> };
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !name.endsWith('_file')));
}

export const SETTINGS_OVER_BOTH: ReferenceCase = {
  name: 'control: settings over both protocols',
  run: async (target) => {
    const answers: unknown[] = [];
    const http = async (call: WireCase): Promise<void> => {
      answers.push({ step: call.name, answer: await setting(target, call) });
    };
    const rpc = async (name: string, message: object): Promise<void> => {
      const { code, details, response } = await grpcCall(
        target.grpcPort,
        name,
        message as Record<string, unknown>,
      );
      answers.push({
        step: `${name} ${JSON.stringify(message)}`,
        code,
        details,
        settings: withoutFiles(response),
      });
    };
    const level = (...value: string[]): object => ({ settings: { trace_level: { value } } });
    await http(post('/v2/trace/setting', { trace_level: ['TIMESTAMPS'], trace_rate: '100' }));
    await rpc('TraceSetting', {});
    await rpc('TraceSetting', { model_name: 'echo' });
    await rpc('TraceSetting', { model_name: 'echo', settings: { trace_rate: { value: ['7'] } } });
    await http(get('/v2/models/echo/trace/setting'));
    await rpc('TraceSetting', { model_name: 'echo', settings: { trace_rate: { value: [] } } });
    await http(get('/v2/models/echo/trace/setting'));
    await rpc('TraceSetting', level('TIMESTAMPS', 'TENSORS'));
    await http(get('/v2/trace/setting'));
    await rpc('TraceSetting', level());
    await rpc('TraceSetting', level('off'));
    await rpc('TraceSetting', level('OFF'));
    await rpc('TraceSetting', { settings: { nothing: { value: ['1'] } } });
    await http(post('/v2/trace/setting', { trace_level: 'OFF' }));
    await http(post('/v2/trace/setting', { trace_level: [] }));
    await http(post('/v2/trace/setting', { trace_rate: '0' }));
    await http(post('/v2/trace/setting', { trace_count: '0' }));
    await http(post('/v2/trace/setting', { trace_level: ['OFF'], trace_count: '-1', trace_rate: '1000' }));
    await rpc('LogSettings', {
      settings: { log_verbose_level: { uint32_param: 1 }, log_info: { bool_param: true } },
    });
    await http(get('/v2/logging'));
    await http(post('/v2/logging', { log_verbose_level: 0, log_format: 'ISO8601' }));
    await rpc('LogSettings', {});
    await rpc('LogSettings', { settings: { log_format: { string_param: 'default' } } });
    await rpc('LogSettings', { settings: { nothing: { bool_param: true } } });
    await http(get('/v2/logging'));
    return answers;
  },
};
