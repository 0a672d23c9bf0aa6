// Metrics of Python models' own, as the metrics port tells them: kinds, labels, buckets, what is refused, who shares what,
// and how long each lives.

import { get, post, reply } from './http-calls.ts';
import { ask, load, unload, wait } from './life-calls.ts';
import { ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

/** Runs the text that a request brings, with names that stay; what the text leaves in `result` is the answer. */
const KEEPS = `
class TritonPythonModel:
    def initialize(self, args):
        # Not there while the module is imported.
        self.scope = {"np": np, "F": pb_utils.MetricFamily}

    def execute(self, requests):
        responses = []
        for request in requests:
            self.scope["result"] = None
            try:
                exec(json.loads(request.parameters())["do"], self.scope)
                told = repr(self.scope["result"])
            except BaseException as error:
                told = f"{type(error).__name__}: {error}"
            responses.append(pb_utils.InferenceResponse(error=pb_utils.TritonError(told)))
        return responses
`;

const family = (name: string, kind: string, description = name): string =>
  `f_${name} = F(name="${name}", description="${description}", kind=F.${kind})`;

type Step = readonly [model: string, code: string];

// What the registry refuses ends the reference: not asked.
const THEMES: Readonly<Record<string, readonly Step[]>> = {
  counters: [
    ['one', `${family('c_plain', 'COUNTER')}; m = f_c_plain.Metric(labels={"a": "b"})`],
    ['one', 'm.increment(2.5); result = m.value()'],
    ['one', 'm.increment(0); result = m.value()'],
    ['one', 'm.increment(1e300); m.increment(1e10); result = m.value()'],
    ['one', 'm.increment(float("inf")); result = m.value()'],
    ['one', 'm.increment(float("nan")); result = m.value()'],
  ],
  gauges: [
    ['one', `${family('g_plain', 'GAUGE')}; m = f_g_plain.Metric(labels={"a": "b"})`],
    ['one', 'm.set(-2.5); result = m.value()'],
    ['one', 'm.increment(1); m.increment(-3.25); result = m.value()'],
    ['one', 'm.set(1234567890.125); result = m.value()'],
    ['one', 'm.set(1e21)'],
    ['one', 'm.set(0.1 + 0.2)'],
    ['one', 'm.set(float("nan"))'],
    ['one', 'm.set(float("-inf"))'],
  ],
  histograms: [
    [
      'one',
      `${family('h_plain', 'HISTOGRAM')}; m = f_h_plain.Metric(labels={"a": "b"}, buckets=[0.125, 1, 2.5, 10])`,
    ],
    ['one', 'for each in (0.125, 0.0625, 1, 2, 100): m.observe(each)'],
    ['one', 'm.observe(-5)'],
    ['one', 'n = f_h_plain.Metric(labels={"a": "c"}, buckets=[]); n.observe(3)'],
  ],
  labels: [
    ['one', `${family('l_plain', 'GAUGE')}; none = f_l_plain.Metric(); none.set(1)`],
    ['one', 'empty = f_l_plain.Metric(labels={}); empty.set(2); result = none.value()'],
    ['one', 'order = f_l_plain.Metric(labels={"z": "1", "a": "2", "m": "3"}); order.set(3)'],
    ['one', 'odd = f_l_plain.Metric(labels={"a": "\\"quoted\\\\ and\\nbroken"}); odd.set(4)'],
    ['one', 'word = f_l_plain.Metric(labels={"a": "schön"}); word.set(5)'],
    ['one', 'blank = f_l_plain.Metric(labels={"a": ""}); blank.set(6)'],
    ['one', 'f_l_plain.Metric(labels=[("a", "b")])'],
    ['one', 'f_l_plain.Metric(labels="a")'],
  ],
  sharing: [
    [
      'one',
      `${family('s_both', 'COUNTER', 'of the first')}; m = f_s_both.Metric(labels={"a": "b"}); m.increment(1)`,
    ],
    [
      'two',
      `${family('s_both', 'COUNTER', 'of the second')}; m = f_s_both.Metric(labels={"a": "b"}); m.increment(2); result = m.value()`,
    ],
    ['one', 'result = m.value()'],
    ['two', 'n = f_s_both.Metric(labels={"a": "own"}); n.increment(7)'],
    ['one', 'del m'],
    ['two', 'result = m.value()'],
    ['two', 'del m, n'],
    ['one', 'm = f_s_both.Metric(labels={"a": "b"}); result = m.value()'],
    [
      'one',
      'twice = F(name="s_both", description="again", kind=F.COUNTER); k = twice.Metric(labels={"a": "b"}); k.increment(5); result = m.value()',
    ],
    // A series whose other family is gone is read from freed memory there: not asked.
    ['one', 'del twice; k.value()'],
  ],
  deletion: [
    ['one', `${family('d_plain', 'GAUGE')}; m = f_d_plain.Metric(labels={"a": "b"}); m.set(1)`],
    ['one', 'n = f_d_plain.Metric(labels={"a": "c"}); n.set(2)'],
    ['one', 'del n'],
    ['one', 'n = f_d_plain.Metric(labels={"a": "c"}); result = n.value()'],
    ['one', 'n = f_d_plain.Metric(labels={"a": "b"}); n.set(3); result = m.value()'],
    ['one', 'm = None; result = n.value()'],
    ['one', 'n = None'],
    ['one', 'del f_d_plain'],
    ['one', `${family('d_plain', 'GAUGE')}`],
    ['one', 'm = f_d_plain.Metric(labels={"a": "b"}); result = m.value()'],
  ],
  life: [
    ['one', `${family('v_one', 'GAUGE')}; m = f_v_one.Metric(labels={"a": "b"}); m.set(1)`],
    [
      'two',
      `${family('v_one', 'GAUGE')}; m = f_v_one.Metric(labels={"a": "b"}); m.increment(1); result = m.value()`,
    ],
    ['unload', 'two'],
    ['one', 'result = m.value()'],
    ['load', 'two'],
    ['two', `${family('v_one', 'GAUGE')}; m = f_v_one.Metric(labels={"a": "c"}); m.set(9)`],
    ['unload', 'one'],
    ['unload', 'two'],
    ['load', 'one'],
    [
      'one',
      `${family('v_one', 'GAUGE', 'as it came back')}; m = f_v_one.Metric(labels={"a": "b"}); result = m.value()`,
    ],
  ],
};

const files = {
  ...pythonFiles('one', KEEPS, ONE_TO_ONE),
  ...pythonFiles('two', KEEPS, ONE_TO_ONE),
};

/** Lines of the families of this theme, in the order in which they stand. */
async function own(target: Target, theme: string): Promise<readonly string[]> {
  const { body } = await reply(target.metricsPort, get('/metrics'));
  const names = new RegExp(`^(# \\w+ )?${theme[0]}_(plain|both|one)(_count|_sum|_bucket)?[ {]`);
  // In which order the series of one family stand is chance.
  return body
    .split('\n')
    .filter((line) => names.test(line))
    .toSorted();
}

async function act(target: Target, [model, code]: Step): Promise<unknown> {
  if (model === 'load') return ask(target, load(code));
  if (model === 'unload') {
    const answer = await ask(target, unload(code));
    await wait(2500);
    return answer;
  }
  const input = { name: 'INPUT0', datatype: 'FP32', shape: [1], data: [1] };
  return ask(target, post(`/v2/models/${model}/infer`, { parameters: { do: code }, inputs: [input] }));
}

const theme = (name: string, steps: readonly Step[]): ReferenceCase => ({
  name: `python metrics, ${name}`,
  run: async (target) => {
    for (const model of ['one', 'two']) await ask(target, load(model));
    const answers: unknown[] = [];
    const prefix = name === 'life' ? 'v' : name;
    for (const step of steps) {
      answers.push({
        step: `${step.join(': ')}`,
        answer: await act(target, step),
        lines: await own(target, prefix),
      });
    }
    return answers;
  },
});

export const PYTHON_METRICS_SCENE: Scene = {
  name: 'python metrics',
  together: 'python models',
  repositories: sameFor(files),
  args: ['--model-control-mode=explicit'],
  cases: Object.entries(THEMES).map(([name, steps]) => theme(name, steps)),
};
