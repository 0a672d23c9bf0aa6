// Metrics of Python models' own: on the metrics port, shared by name and labels, and how long they live.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needsPython, testPython } from '../../../src-main/testing/test-python.ts';
import { PROBE, probe } from './probe-model.ts';
import { PythonWorld } from './python-world.ts';

describe.skipIf(testPython() === undefined)(needsPython('metrics of Python models'), () => {
  let world: PythonWorld;

  beforeAll(async () => {
    world = await PythonWorld.create({ probe: PROBE }, { repository: { autoCompleteConfig: false } });
  });

  afterAll(() => world[Symbol.asyncDispose]());

  const scrape = async () =>
    await (await fetch(`http://127.0.0.1:${world.engine.ports.metrics}/metrics`)).text();

  test('they are on the metrics port, shared by name and labels, and leave with their object', async () => {
    const code = `
family = pb_utils.MetricFamily(name="py_requests", description="how many", kind=pb_utils.MetricFamily.COUNTER)
one = family.Metric(labels={"model": "probe"})
two = family.Metric(labels={"model": "probe"})
one.increment(2)
two.increment(1.5)
sys.modules["kept_metrics"] = (family, one)
del two
result = one.value()`;
    expect(await probe(world, code)).toBe('3.5');
    expect(await scrape()).toContain('py_requests{model="probe"} 3.5');
    await probe(world, 'sys.modules.pop("kept_metrics") and None\n\nresult = 1');
    await expect.poll(scrape).not.toContain('py_requests{');
  });

  test.each([
    ['Metric(labels=5)', 'Failed to create metric. Labels must be a dictionary.'],
    ['Metric(buckets=5)', 'Failed to create metric. Buckets must be a list.'],
    ['Metric(buckets=[1])', 'Failed to create metric. Unexpected buckets found.'],
    ['Metric().increment(-1)', /^TritonModelException: Failed to increment metric value: /],
    ['Metric().set(1)', /^TritonModelException: Failed to set metric value: .*does not support Set/],
    ['Metric().observe(1)', /^TritonModelException: Failed to observe metric value: /],
  ])('%s', async (call, expected) => {
    const code = `family = pb_utils.MetricFamily(name="py_wrong", description="d", kind=pb_utils.MetricFamily.COUNTER)
try: family.${call}
except Exception as error: result = f"{type(error).__name__}: {error}"`;
    const text = await probe(world, code);
    if (expected instanceof RegExp) expect(text).toMatch(expected);
    else expect(text).toBe(`TritonModelException: ${expected}`);
  });

  test('a family that is deleted takes the series of its metrics along', async () => {
    const code = `family = pb_utils.MetricFamily(name="py_left", description="d", kind=pb_utils.MetricFamily.GAUGE)
sys.modules["left_metric"] = family.Metric(labels={"a": "left"})
del family
result = 1`;
    expect(await probe(world, code)).toBe('1');
    await expect.poll(scrape).not.toContain('py_left{');
    await probe(world, 'sys.modules.pop("left_metric") and None\n\nresult = 1');
  });

  test('a family that is deleted first is said', async () => {
    const code =
      'pb_utils.MetricFamily(name="py_gone", description="d", kind=pb_utils.MetricFamily.GAUGE).Metric().value()';
    expect(await probe(world, code)).toContain(
      "Failed to get metric value: Invalid metric operation as the corresponding 'MetricFamily' has been deleted.",
    );
  });

  test('a metric whose object is let go stays as long as its family', async () => {
    const count = `family = globals().get("family") or pb_utils.MetricFamily(name="py_users", description="d", kind=pb_utils.MetricFamily.COUNTER)
sys.modules["py_users"] = family
family.Metric(labels={"user": "a"}).increment(2)
family.Metric(labels={"user": "a"}).increment(1)
family.Metric(labels={"user": "b"}).increment(5)
result = family.Metric(labels={"user": "a"}).value()`;
    expect(await probe(world, count)).toBe('3.0');
    expect(await scrape()).toMatch(/py_users\{user="a"\} 3\n(.*\n)*py_users\{user="b"\} 5\n/);
    await probe(world, 'sys.modules.pop("py_users") and None\n\nresult = 1');
    await expect.poll(scrape).not.toContain('py_users{');
  });

  test('what a family was asked for with labels or buckets that cannot be is no metric of it', async () => {
    const wrong = `family = pb_utils.MetricFamily(name="py_bad", description="d", kind=pb_utils.MetricFamily.HISTOGRAM)
told = []
for buckets in ([2, 1], [1, 1], [2, 1]):
    try: family.Metric(labels={"a": "b"}, buckets=buckets)
    except Exception as error: told.append(str(error))
family.Metric(labels={"a": "b"}, buckets=[1, 2]).observe(1.5)
sys.modules["py_bad"] = family
result = len(set(told)), told[0]`;
    expect(await probe(world, wrong)).toMatch(/^\(1, .Error when creating Metric: /);
    expect(await scrape()).toContain('py_bad_bucket{a="b",le="2"} 1');
  });
});
