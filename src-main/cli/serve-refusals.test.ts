// The command lines that `conch serve` refuses, in the words of the reference.

import { describe, expect, test } from 'vitest';
import { refusal } from '../testing/command-lines.ts';

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
    ['--log-format', 'DEFAULT', 'invalid argument for --log-format'],
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
    [
      '--trace-config',
      'X=Y,rate=3',
      'invalid value for trace mode option: x=y. Available options are "triton" and "opentelemetry"',
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

  test.each([
    ['--trace-level=x --http-port=y', 'invalid value for trace level option: x'],
    ['--load-model=m --trace-level=x', 'invalid value for trace level option: x'],
    ['--trace-config=level=x --load-model=m', "Error: Use of '--load-model' requires"],
    ['--trace-config=level=x --trace-config=mode=y', 'invalid value for trace level option: x'],
    ['--trace-config=mode=x --trace-config=mode=opentelemetry', 'invalid value for trace mode option: x'],
    ['--trace-config=count=x --http-port=7 --grpc-port=7', 'Invalid option value. Got x'],
    ['--trace-config=count=x --cache-config=local,size=1 --response-cache-byte-size=1', 'Got x'],
    ['--cache-config=local,size=1 --response-cache-byte-size=1 --load-model=m', 'Use of'],
    ['--cache-config=a,b=c --cache-config=d,e=f --http-port=x', 'Invalid option value. Got x'],
    ['--cache-config=a,b=c --cache-config=d,e=f --model-load-gpu-limit=0:5', 'expects limit fraction'],
    ['--model-load-gpu-limit=0:5 --load-model=m', 'Use of'],
  ])('of two faults the one that the reference finds first: %s', (line, message) => {
    expect(refusal(line.split(' ')).message).toContain(message);
  });

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

  test.each([
    [['--http-port=x', '--nonsense'], '--http-port', undefined],
    [['--nonsense', '--http-port=x'], undefined, "tritonserver: unrecognized option '--nonsense'"],
    [['--http-port=1', '-x', '--nonsense'], undefined, "tritonserver: invalid option -- 'x'"],
  ])('the first fault is told: %j', (args, option, line) => {
    expect(refusal(args)).toMatchObject({ option, line });
  });

  test('an ambiguous prefix names the possibilities', () => {
    expect(refusal(['--reuse=1']).line).toBe(
      "tritonserver: option '--reuse=1' is ambiguous; possibilities: '--reuse-http-port' '--reuse-grpc-port'",
    );
  });
});
