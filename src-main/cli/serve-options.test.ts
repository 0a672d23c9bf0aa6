// The command line of `conch serve` against the reference's rules: what is accepted, what is refused, in which words.

import { describe, expect, test } from 'vitest';

import { defaultEngineOptions } from '../options/engine-options.ts';
import { SERVER_OPTIONS } from '../options/option-table.ts';
import { UsageError } from '../options/usage-error.ts';
import type { ServeOptions } from './serve-options.ts';
import { parseServeOptions } from './serve-options.ts';
import { usageText } from './usage.ts';

function parse(args: string, environment: Record<string, string> = {}): ServeOptions {
  const options = parseServeOptions(args.split(' ').filter(Boolean), environment);
  if (options === 'help') throw new Error('unexpected help');
  return options;
}

function refusal(args: readonly string[]): {
  line: string | undefined;
  option: string | undefined;
  message: string;
} {
  try {
    parseServeOptions(args);
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown;
    return { line: thrown.lineBefore, option: thrown.option, message: thrown.message };
  }
  throw new Error(`accepted: ${args.join(' ')}`);
}

describe('accepting', () => {
  test('the window binds to loopback unless told otherwise, and says what another address means', () => {
    expect(parse('--ui').shell.uiAddress).toBe('127.0.0.1');
    const open = parse('--ui --ui-address=0.0.0.0');
    expect(open.shell.uiAddress).toBe('0.0.0.0');
    expect(open.warnings.join()).toContain('the window listens on 0.0.0.0');
    expect(parse('--ui --ui-address=localhost').warnings).toEqual([]);
    expect(refusal(['--ui', '--ui-address=']).message).toBe('--ui-address needs an address');
  });

  test('a GPU memory limit is checked as a fraction and said to have no effect', () => {
    const { warnings } = parse('--model-repository=/m --model-load-gpu-limit=0:0.8');
    expect(warnings.join()).toContain("'--model-load-gpu-limit' is accepted but has no effect");
    expect(refusal(['--model-repository=/m', '--model-load-gpu-limit=0:1.5']).message).toBe(
      'expects limit fraction to be in range [0.0, 1.0], got 1.500000',
    );
  });

  test('what is refused once all options are read stands alone, without the usage text', () => {
    const lead = (...args: string[]): string | undefined => {
      try {
        parseServeOptions(['--model-repository=/m', ...args]);
      } catch (thrown) {
        return thrown instanceof UsageError ? `${thrown.lead}${thrown.message}` : undefined;
      }
      return undefined;
    };
    expect(lead('--model-load-gpu-limit=-1:0.5')).toBe(
      'Failed to build Triton option:\nerror: setting model load GPU limit: Invalid argument - expects device ID >= 0, got -1',
    );
    expect(lead('--host-policy=a,b=c')).toBe(
      "Failed to build Triton option:\nerror: setting host policy: Unsupported - Unsupported host policy setting 'b' is specified, supported settings are 'numa-node', 'cpu-cores'",
    );
    expect(lead('--cache-config=local,size=1', '--cache-config=redis,host=h')).toBe(
      'error: creating server: Invalid argument - found multiple cache configurations, but only a single cache is currently supported',
    );
  });

  test('modes are taken in capital letters too', () => {
    const { engine } = parse('--model-repository=/m --model-control-mode=POLL --rate-limit=EXECUTION_COUNT');
    expect([engine.repository.controlMode, engine.rateLimit.mode]).toEqual(['poll', 'execution_count']);
  });

  test('a repository alone gives the defaults of the engine', () => {
    const { engine, warnings } = parse('--model-repository=/m');
    expect(engine).toEqual({
      ...defaultEngineOptions,
      repository: { ...defaultEngineOptions.repository, paths: ['/m'], pollSec: 0 },
      metrics: { ...defaultEngineOptions.metrics, address: '127.0.0.1' },
    });
    expect(warnings).toEqual([]);
  });

  test('values may follow as their own argument or after an equals sign', () => {
    expect(parse('--model-repository /m --http-port 1 --grpc-port=2').engine.http.port).toBe(1);
  });

  test('an unambiguous prefix stands for the whole name', () => {
    expect(parse('--model-rep /m --http-p 9').engine.http.port).toBe(9);
  });

  test('repositories are deduplicated and sorted, and model-store is the same option', () => {
    expect(parse('--model-store=/b --model-repository=/a --model-store=/b').engine.repository.paths).toEqual([
      '/a',
      '/b',
    ]);
  });

  test('an option that cannot be repeated keeps its last value', () => {
    expect(parse('--model-repository=/m --id=a --id=b').engine.server.id).toBe('b');
  });

  test.each([
    ['TRUE', true],
    ['On', true],
    ['1', true],
    ['false', false],
    ['OFF', false],
    ['0', false],
  ])('boolean %s', (text, value) => {
    expect(parse(`--model-repository=/m --strict-readiness=${text}`).engine.server.strictReadiness).toBe(
      value,
    );
  });

  test('log-verbose takes a level or a boolean', () => {
    const level = (text: string) =>
      parse(`--model-repository=/m --log-verbose=${text}`).engine.log.verboseLevel;
    expect([level('2'), level('true'), level('false')]).toEqual([2, 1, 0]);
  });

  test('the poll period counts in mode poll only', () => {
    const pollSec = (mode: string) =>
      parse(`--model-repository=/m --model-control-mode=${mode} --repository-poll-secs=3`).engine.repository
        .pollSec;
    expect([pollSec('poll'), pollSec('none'), pollSec('explicit')]).toEqual([3, 0, 0]);
  });

  test('settings with and without a scope', () => {
    const { engine } = parse(
      '--model-repository=/m --backend-config=default-max-batch-size=8 --backend-config=onnxruntime,x=a,b=c' +
        ' --cache-config=local,size=1048576 --rate-limit-resource=R:4:1 --rate-limit-resource=S:2' +
        ' --host-policy=gpu_0,cpu-cores=0-3 --metrics-config=summary_quantiles=0.5:0.05,0.9:0.01' +
        ' --trace-config=triton,file=/t --trace-config=level=TIMESTAMPS',
    );
    expect(engine.backends.settings).toEqual([
      { backend: '', key: 'default-max-batch-size', value: '8' },
      { backend: 'onnxruntime', key: 'x', value: 'a,b=c' },
    ]);
    expect(engine.cache).toEqual({ name: 'local', settings: [['size', '1048576']] });
    expect(engine.rateLimit.resources).toEqual([
      { name: 'R', count: 4, deviceId: 1 },
      { name: 'S', count: 2, deviceId: undefined },
    ]);
    expect(engine.backends.hostPolicies).toEqual([{ policy: 'gpu_0', setting: 'cpu-cores', value: '0-3' }]);
    expect(engine.metrics.settings).toEqual([['summary_quantiles', '0.5:0.05,0.9:0.01']]);
    expect(engine.trace.settings).toEqual([
      { mode: 'triton', key: 'file', value: '/t' },
      { mode: '', key: 'level', value: 'TIMESTAMPS' },
    ]);
  });

  test('asking for client certificates switches TLS on, wherever the files are named', () => {
    const { engine } = parse(
      '--model-repository=/m --grpc-server-key=k --grpc-use-ssl-mutual=true --grpc-server-cert=c',
    );
    expect(engine.grpc.tls).toEqual({ mutual: true, certFile: 'c', keyFile: 'k', rootFile: '' });
    expect(parse('--model-repository=/m --grpc-server-key=k').engine.grpc.tls).toBeUndefined();
  });

  test('restricted groups', () => {
    const { engine } = parse('--model-repository=/m --http-restricted-api=health,metadata:k=v=1');
    expect(engine.http.restricted).toEqual([
      { categories: ['health', 'metadata'], header: 'k', value: 'v=1' },
    ]);
  });

  test('ports of disabled services are never looked at', () => {
    const { engine } = parse('--model-repository=/m --allow-grpc=false --grpc-port=-47 --metrics-port=1');
    expect(engine.grpc.port).toBe(-47);
  });

  test('two services may both ask for a free port', () => {
    expect(parse('--model-repository=/m --http-port=0 --grpc-port=0').engine.http.port).toBe(0);
  });

  test('the environment names the repository and switches endpoints off for a managed cloud', () => {
    const { engine } = parse('', { AIP_STORAGE_URI: '/cloud', AIP_MODE: 'PREDICTION' });
    expect(engine.repository.paths).toEqual(['/cloud']);
    expect([engine.http.enabled, engine.grpc.enabled]).toEqual([false, false]);
    expect(parse('--model-repository=/m', { AIP_STORAGE_URI: '/cloud' }).engine.repository.paths).toEqual([
      '/m',
    ]);
  });

  test('options are frozen', () => {
    const { engine } = parse('--model-repository=/m');
    expect(() => Object.assign(engine.http, { port: 1 })).toThrow(TypeError);
  });
});

describe('warning', () => {
  test('an option without effect is accepted with one warning', () => {
    const { warnings } = parse('--model-repository=/m --http-thread-count=4 --http-thread-count=5');
    expect(warnings).toEqual([
      "Warning: '--http-thread-count' is accepted but has no effect: one event loop serves all connections.",
    ]);
  });

  test('a value that says what happens anyway needs no warning', () => {
    expect(
      parse('--model-repository=/m --allow-sagemaker=false --buffer-manager-thread-count=0').warnings,
    ).toEqual([]);
  });

  test.each([
    [
      '--strict-model-config=true',
      "Warning: '--strict-model-config' has been deprecated! Please use '--disable-auto-complete-config' instead.",
    ],
    [
      '--trace-level=TIMESTAMPS',
      "Warning: '--trace-level' has been deprecated and will be removed in future releases. Please use '--trace-config level=<OFF|TIMESTAMPS|TENSORS> instead.",
    ],
    [
      '--trace-log-frequency=5',
      "Warning: '--trace-log-frequency' has been deprecated and will be removed in future releases. Please use '--trace-config triton,log-frequency=<log frequency value> instead.",
    ],
    [
      '--response-cache-byte-size=100',
      "Warning: '--response-cache-byte-size' has been deprecated! This will default to the 'local' cache implementation with the provided byte size for its config. Please use '--cache-config' instead. The equivalent --cache-config CLI args would be: '--cache-config=local,size=100'",
    ],
  ])('%s is deprecated, each time', (option, warning) => {
    expect(parse(`--model-repository=/m ${option} ${option}`).warnings).toEqual([warning, warning]);
  });

  test.each([
    ['--disable-auto-complete-config --strict-model-config=false', 1],
    ['--strict-model-config=false --disable-auto-complete-config', 1],
    ['--strict-model-config=true --disable-auto-complete-config', 0],
  ])('%s: nothing is completed', (options, overridden) => {
    const { engine, warnings } = parse(`--model-repository=/m ${options}`);
    expect(engine.repository.autoCompleteConfig).toBe(false);
    expect(warnings.slice(1)).toEqual(
      [
        "Warning: Overriding deprecated '--strict-model-config' from False to True in favor of '--disable-auto-complete-config'!",
      ].slice(0, overridden),
    );
  });

  test('deprecated options mean what their successors mean', () => {
    const { engine } = parse(
      '--model-repository=/m --strict-model-config=true --response-cache-byte-size=100 --trace-file=/t --trace-level=MIN',
    );
    expect(engine.repository.autoCompleteConfig).toBe(false);
    expect(engine.cache).toEqual({ name: 'local', settings: [['size', '100']] });
    expect(engine.trace.settings).toEqual([
      { mode: 'triton', key: 'file', value: '/t' },
      { mode: '', key: 'level', value: 'MIN' },
    ]);
  });

  test('a deprecated trace level OFF beats the others; trace-config beats the deprecated options', () => {
    expect(parse('--model-repository=/m --trace-level=MIN --trace-level=OFF').engine.trace.settings).toEqual([
      { mode: '', key: 'level', value: 'OFF' },
    ]);
    const both = parse('--model-repository=/m --trace-rate=5 --trace-config=rate=7');
    expect(both.engine.trace.settings).toEqual([{ mode: '', key: 'rate', value: '7' }]);
    expect(both.warnings).toContain(
      "Warning: Overriding deprecated '--trace-rate' in favor of provided rate in --trace-config!",
    );
  });

  test('deprecated options of the trace file are ignored in mode opentelemetry, and say so', () => {
    const { engine, warnings } = parse(
      '--model-repository=/m --trace-file=/t --trace-log-frequency=5 --trace-config=mode=opentelemetry',
    );
    expect(engine.trace.settings).toEqual([{ mode: '', key: 'mode', value: 'opentelemetry' }]);
    expect(warnings.slice(-2)).toEqual([
      "Warning: '--trace-file' is deprecated and will be ignored with opentelemetry tracing mode. ",
      "Warning: '--trace-log-frequency' is deprecated and will be ignored with opentelemetry tracing mode.",
    ]);
  });
});

describe('refusing', () => {
  test.each([
    [[], '--model-repository must be specified'],
    [['--model-repository=/m', 'extra'], 'Unexpected argument: extra'],
    [['--model-repository=/m', '--', '--http-port=1'], 'Unexpected argument: --http-port=1'],
    [
      ['--model-repository=/m', '--load-model=a'],
      "Error: Use of '--load-model' requires setting '--model-control-mode=explicit' as well.",
    ],
    [
      ['--model-repository=/m', '--http-port=5', '--metrics-port=5'],
      'The server cannot listen to HTTP requests and metrics requests at the same address and port 127.0.0.1:5',
    ],
    [
      ['--model-repository=/m', '--no-repository', '--ui'],
      "'--no-repository' and '--model-repository' exclude each other.",
    ],
  ])('%j', (args, message) => {
    expect(refusal(args)).toEqual({ line: undefined, option: undefined, message });
  });

  test.each([
    ['--http-port', 'x', 'Invalid option value. Got x'],
    ['--http-port', '99999999999', 'Provided option value is out of bound. Got 99999999999'],
    ['--allow-http', 'maybe', 'invalid value for bool option: maybe'],
    ['--log-format', 'iso8601', 'invalid argument for --log-format'],
    ['--model-control-mode', 'x', 'invalid argument for --model-control-mode'],
    ['--model-config-name', '', 'Error: empty argument for --model-config-name'],
    ['--http-max-input-size', '0', 'Error: --http-max-input-size must be greater than 0.'],
    ['--http-allow-host', 'a:80', "invalid host 'a:80': expected a name without a port"],
    ['--grpc-max-decompressed-size', '0', 'Error: --grpc-max-decompressed-size must be greater than 0.'],
    ['--http-restricted-api', 'nope:a=b', "unknown restricted api 'nope'"],
    ['--grpc-restricted-protocol', 'nope:a=b', "unknown restricted protocol 'nope'"],
    [
      '--http-restricted-api',
      'health,health:a=b',
      "restricted api 'health' can not be specified in multiple config groups",
    ],
    [
      '--rate-limit-resource',
      'R',
      "--rate-limit-resource option format is '<resource_name>:<count>:<device>' or '<resource_name>:<count>'. Got R",
    ],
    [
      '--cache-config',
      'size=1',
      'No cache specified. --cache-config option format is <cache name>,<setting>=<value>. Got size=1',
    ],
    [
      '--cache-config',
      'local,size=',
      "--cache-config option format is '<cache name>,<setting>=<value>'. Got local,size=",
    ],
    [
      '--backend-config',
      ',a=b',
      'No backend specified. --backend-config option format is <backend name>,<setting>=<value> or <setting>=<value>. Got ,a=b',
    ],
    ...['a', '=b', 'a=', 'onnx,=b', 'onnx,a=', 'default-max-batch-size='].map((text) => [
      '--backend-config',
      text,
      `--backend-config option format is '<backend name>,<setting>=<value>'. Got ${text}`,
    ]),
    ['--metrics-config', 'x,a=b', '--metrics-config option format is <setting>=<value>. Got x,a=b'],
    [
      '--trace-config',
      ',rate=3',
      'No trace mode specified. --trace-config option format is <trace mode>,<setting>=<value> or <setting>=<value>. Got ,rate=3',
    ],
    ['--trace-config', 'a', "--trace-config option format is '<trace mode>,<setting>=<value>'. Got a"],
    ['--host-policy', 'p,', "--host-policy option format is '<policy name>,<setting>=<value>'. Got p,"],
    [
      '--http-restricted-api',
      'health:a',
      "--http-restricted-api option format is '<config name>:<setting>=<value>'. Got health:a",
    ],
    [
      '--model-load-gpu-limit',
      '0',
      'Cannot parse pair option due to incorrect number of inputs.--<pair option> argument requires format <first>:<second>. Found: 0',
    ],
    [
      '--grpc-infer-response-compression-level',
      'x',
      'invalid argument for --grpc_infer_response_compression_level',
    ],
  ])('%s %s', (option, value, message) => {
    const seen = refusal(['--model-repository=/m', option, value]);
    expect(seen.option).toBe(option);
    expect(seen.message).toContain(message);
  });

  test('a trace setting, under its own name', () => {
    expect(refusal(['--model-repository=/m', '--trace-config=level=x'])).toEqual({
      line: undefined,
      option: '--trace-config level',
      message: 'invalid value for trace level option: x',
    });
  });

  test('the deprecated cache option beside the one of today', () => {
    expect(
      refusal(['--model-repository=/m', '--cache-config=local,size=1', '--response-cache-byte-size=1'])
        .message,
    ).toBe(
      'Error: Incompatible flags --response-cache-byte-size and --cache-config both provided. Please provide one or the other.',
    );
  });

  test('a deprecated trace option, under its own name', () => {
    expect(refusal(['--model-repository=/m', '--trace-level=x'])).toMatchObject({
      option: '--trace-level',
      message: 'invalid value for trace level option: x',
    });
  });

  test.each(['rate', 'count', 'log-frequency'])(
    'the deprecated --trace-%s, with what is no number',
    (key) => {
      expect(refusal(['--model-repository=/m', `--trace-${key}=x`])).toMatchObject({
        option: `--trace-${key}`,
        message: 'Invalid option value. Got x',
      });
    },
  );

  test('a second cache', () => {
    expect(refusal(['--cache-config=local,size=1', '--cache-config=redis,host=h']).message).toBe(
      'found multiple cache configurations, but only a single cache is currently supported',
    );
  });

  test.each([
    [['--htp-port=1'], "tritonserver: unrecognized option '--htp-port=1'", "Did you mean '--http-port'?"],
    [['--qqqqqqqqqqqqqqq'], "tritonserver: unrecognized option '--qqqqqqqqqqqqqqq'", ''],
    [['-x'], "tritonserver: invalid option -- 'x'", ''],
    [['--http-port'], "tritonserver: option '--http-port' requires an argument", ''],
    [['--help=1'], "tritonserver: option '--help' doesn't allow an argument", ''],
  ])('the scanner: %j', (args, line, message) => {
    expect(refusal(args)).toEqual({ line, option: undefined, message });
  });

  test('an ambiguous prefix names the possibilities', () => {
    expect(refusal(['--reuse=1']).line).toBe(
      "tritonserver: option '--reuse=1' is ambiguous; possibilities: '--reuse-http-port' '--reuse-grpc-port'",
    );
  });
});

describe('the app', () => {
  test('--ui takes the defaults of the app', () => {
    const { engine } = parse('--ui');
    expect(engine.repository).toMatchObject({ controlMode: 'explicit', startupModels: ['*'], watch: true });
    expect(engine.server).toMatchObject({ exitOnError: false, listen: 'first' });
  });

  test('what was asked for stays', () => {
    const { engine } = parse('--ui --model-control-mode=poll --exit-on-error=true');
    expect(engine.repository).toMatchObject({ controlMode: 'poll', startupModels: [], pollSec: 15 });
    expect(engine.server.exitOnError).toBe(true);
    expect(parse('--ui --load-model=a').engine.repository.startupModels).toEqual(['a']);
  });
});

describe('usage', () => {
  const text = usageText(SERVER_OPTIONS);

  test('names every option once, with its argument', () => {
    for (const flag of SERVER_OPTIONS) {
      const head = flag.argument === undefined ? `  --${flag.name}` : `  --${flag.name} <${flag.argument}>`;
      expect(
        text.split('\n').filter((line) => line === head),
        head,
      ).toHaveLength(1);
    }
  });

  test('is what help asks for, whatever else is wrong', () => {
    expect(parseServeOptions(['--http-port=x', '--help'])).toBe('help');
    expect(text.startsWith('Usage: tritonserver [options]\n')).toBe(true);
  });

  test('wraps descriptions', () => {
    const long = text.split('\n').filter((line) => line.startsWith('\t') && line.length > 75);
    expect(long).toEqual([]);
  });
});
