// Settings of traces and logs over HTTP.

import type { ReferenceCase } from './reference-case.ts';
import { script } from './reference-case.ts';
import { call } from './script-calls.ts';
import type { WireCase } from './wire-cases.ts';

const file = [/"trace_file":"[^"]*"/, /"log_file":"[^"]*"/];
const trace = (body: string, model = ''): WireCase =>
  call('POST', `/v2${model === '' ? '' : `/models/${model}`}/trace/setting`, body, file);
const logging = (body: string): WireCase => call('POST', '/v2/logging', body, file);

export const SETTING_SCRIPTS: readonly ReferenceCase[] = [
  script('trace settings', [
    trace('{"trace_rate":"5"}'),
    trace('{"trace_rate":"7"}', 'add_sub'),
    trace('{"trace_rate":"9"}'),
    call('GET', '/v2/models/add_sub/trace/setting', undefined, file),
    trace('{"trace_rate":null}', 'add_sub'),
    trace('{"trace_rate":null}'),
    trace('{"trace_count":"5"}'),
    trace('{"trace_count":"-1"}'),
    trace('{"trace_count":"x"}'),
    trace('{"trace_count":"99999999999"}'),
    trace('{"trace_count":5}'),
    trace('{"trace_count":null}'),
    trace('{"log_frequency":"3"}'),
    trace('{"log_frequency":"x"}'),
    trace('{"log_frequency":null}'),
    trace('{"trace_level":"TIMESTAMPS"}'),
    trace('{"trace_level":["NONSENSE"]}'),
    trace('{"trace_level":["OFF"]}'),
    trace('{"trace_level":[5]}'),
    trace('{"trace_level":null}'),
    trace('{"trace_rate":"-1"}'),
    trace('{"trace_rate":"99999999999"}'),
    trace('{"trace_rate":"5x"}'),
    trace('{"trace_rate":""}'),
    trace('{"trace_rate":true}'),
    trace('{"trace_file":null}'),
    trace('{"trace_mode":"opentelemetry"}'),
    trace('{"nonsense":"5"}'),
    trace('{}'),
    trace('[]'),
    trace(''),
    trace('5'),
    trace('{"trace_rate":"5"}', 'nope'),
    call('GET', '/v2/trace/setting', undefined, file),
  ]),
  script('log settings', [
    logging('{"log_info":true}'),
    logging('{"log_info":1}'),
    logging('{"log_info":null}'),
    logging('{"log_warning":"false"}'),
    logging('{"log_error":5}'),
    logging('{"log_verbose_level":1}'),
    logging('{"log_verbose_level":4294967296}'),
    logging('{"log_verbose_level":0}'),
    logging('{"log_verbose_level":"1"}'),
    logging('{"log_verbose_level":1.5}'),
    logging('{"log_verbose_level":true}'),
    logging('{"log_verbose_level":null}'),
    logging('{"log_format":"ISO8601"}'),
    logging('{"log_format":"default"}'),
    logging('{"log_format":5}'),
    logging('{"log_format":null}'),
    logging('{"log_file":null}'),
    logging('{"nonsense":1}'),
    logging('{}'),
    logging('[]'),
    logging(''),
    logging('{'),
    call('GET', '/v2/logging', undefined, file),
  ]),
];
