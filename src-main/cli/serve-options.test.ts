// The command line of `conch serve` against the rules of the reference: what is accepted, and what it means.

import { describe, expect, test } from 'vitest';
import { defaultEngineOptions } from '../options/engine-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { parseServeOptions } from './serve-options.ts';
import { parse, refusal } from '../testing/command-lines.ts';

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

  test('what stands behind the digits of a number does not count, as in the reference', () => {
    const { engine } = parse(
      '--model-repository=/m --http-port=1x --log-verbose=2.5 --metrics-interval-ms=7.5ms --rate-limit-resource=R:3x:4y',
    );
    expect([engine.http.port, engine.log.verboseLevel, engine.metrics.intervalMs]).toEqual([1, 2, 7.5]);
    expect(engine.rateLimit.resources).toEqual([{ name: 'R', count: 3, deviceId: 4 }]);
    expect(refusal(['--http-port=x1']).message).toBe('Invalid option value. Got x1');
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
    expect(parse('--ui --model-control-mode=explicit').engine.repository.startupModels).toEqual([]);
  });
});
