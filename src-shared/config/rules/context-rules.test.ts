// The rules that depend on more than the configuration (devices, backends, stage), warm-up, and findings that are no errors.

import { describe, expect, test } from 'vitest';
import type { ConfigIssue } from '../config-issue.ts';
import { SOME_BACKENDS } from '../../testing/some-backends.ts';
import { IO, dynamic, errorOf, identity, issuesOf } from '../../testing/rule-check.ts';

describe('devices', () => {
  const gpu = identity('instance_group { kind: KIND_GPU }');

  test('a config that asks for a GPU where none is runs on the CPU with a warning, or is refused', () => {
    const message = 'instance group m_0 of model m has kind KIND_GPU but no GPUs are available';
    const [warning] = issuesOf(gpu);
    expect(warning).toMatchObject({ severity: 'warning', message, code: 'D40' });
    expect(errorOf(gpu, { gpuPolicy: 'strict' })?.message).toBe(message);
    expect(issuesOf(gpu, { gpuInventory: [{ id: 0 }], gpuPolicy: 'strict' })).toEqual([]);
  });

  test('a GPU id that does not exist names the ones that do', () => {
    const error = errorOf(identity('instance_group { kind: KIND_GPU gpus: [ 0, 2 ] }'), {
      gpuInventory: [{ id: 0 }, { id: 1 }],
    });
    expect(error?.message).toBe(
      'instance group m_0 of model m specifies invalid or unsupported gpu id 2. GPUs with at least the minimum required CUDA compute compatibility of 7.500000 are: 0, 1',
    );
  });
});

describe('the backends of the server', () => {
  const unknown = (name: string): string =>
    `unable to find backend library for backend '${name}', try specifying runtime on the model configuration.`;
  const issueOf = (backend: string): ConfigIssue | undefined =>
    errorOf(`backend: "${backend}" ${IO}`, { backends: SOME_BACKENDS });

  test('one that is there is fine', () => {
    expect(issueOf('onnxruntime')).toBeUndefined();
  });

  test.each(['onnx', 'onnxruntme'])('%s leads to the one that is meant', (name) => {
    const issue = issueOf(name);
    expect(issue?.message).toBe(unknown(name));
    expect(issue?.hint).toBe('Did you mean "onnxruntime"? Backends here: onnxruntime.');
    expect(issue?.changes).toEqual([
      expect.objectContaining({ sets: [{ path: 'backend', value: 'onnxruntime' }] }),
    ]);
  });

  test('a name like none of them gets the list alone', () => {
    expect(issueOf('zzz')).toMatchObject({ hint: 'Backends here: onnxruntime.', changes: [] });
  });

  test('one that misses something says what', () => {
    expect(issueOf('python')).toMatchObject({
      message: unknown('python'),
      hint: 'Python models need the Python backend.',
      changes: [],
    });
  });

  test('nothing is said where they are not known', () => {
    expect(errorOf(`backend: "whatever" ${IO}`)).toBeUndefined();
  });
});

describe('warmup and machine', () => {
  const warmup = (body: string): string => identity(`model_warmup { name: "w" batch_size: 1 ${body} }`);
  const withData = (data: string): string =>
    `inputs { key: "A" value { data_type: TYPE_FP32 dims: ${data} } }`;

  test.each([
    [warmup(''), 'D60', 'error', "warmup sample 'w' has no data for input 'A'"],
    [warmup(withData('1')), 'D60', 'error', "warmup setting expects input 'A' to have input_data_type set"],
    [
      warmup(withData('-1 zero_data: true')),
      'D60',
      'error',
      "warmup setting expects all variable-size dimensions are specified for input 'A'",
    ],
    [
      warmup(withData('1 zero_data: true')).replace('batch_size: 1', 'batch_size: 0'),
      'D60',
      'warning',
      "warmup sample 'w' is skipped because its batch_size is 0",
    ],
    [
      warmup(withData('1 zero_data: true')).replace('batch_size: 1', 'batch_size: 9'),
      'D60',
      'warning',
      "warmup sample 'w' has batch_size 9, the model takes 8",
    ],
    [
      identity('optimization { cuda { graphs: true } }'),
      'D70',
      'info',
      'optimization.cuda has no effect here: this machine has no usable GPU',
    ],
    [
      `platform: "onnxruntime_onnx" parameters { key: "intra_op_thread_count" value { string_value: "4" } } ${IO}`,
      'D41',
      'warning',
      '2 instances with 4 threads each want 8 threads on 2 cores',
    ],
    [
      dynamic('').replace('max_batch_size: 8', ''),
      'D30',
      'warning',
      'dynamic_batching has no effect while max_batch_size is 0',
    ],
    [
      dynamic('preferred_batch_size: [ 2, 4 ]'),
      'D31',
      'info',
      'preferred_batch_size is given; the default, max_batch_size, is usually better',
    ],
  ])('case %#', (text, code, severity, message) => {
    const issues = issuesOf(text, { physicalCores: 2 });
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({ code, severity, message });
    // What only production uses is kept: there is nothing to repair.
    expect(issues[0]?.fixes.length ?? 0).toBeGreaterThan(code === 'D70' ? -1 : 0);
  });
});

describe('stages', () => {
  const noType = 'backend: "x" input { name: "A" dims: 1 }';

  test('inputs are checked when the file is read only in strict mode', () => {
    expect(errorOf(noType, { stage: 'poll' })).toBeUndefined();
    expect(errorOf(noType, { stage: 'poll', isStrict: true })?.code).toBe('D25');
    expect(errorOf(noType, { stage: 'load' })?.code).toBe('D25');
  });

  test('a policy that leaves no version fails the load, not the poll', () => {
    const text = identity('version_policy { latest { } }');
    expect(errorOf(text, { stage: 'poll', availableVersions: [1] })).toBeUndefined();
    expect(errorOf(text, { stage: 'load', availableVersions: [1] })?.message).toBe(
      "at least one version must be available under the version policy of model 'm'",
    );
  });

  test('an unknown metric family is a warning with the words of the reference', () => {
    const issues = issuesOf(
      identity(
        'model_metrics { metric_control { metric_identifier { family: "nv_inference_request_success" } histogram_options { buckets: 1 } } }',
      ),
    );
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({
      severity: 'warning',
      message:
        "Metric family 'nv_inference_request_success' in 'metric_identifier' is not a customizable metric in Triton core.",
    });
  });
});
