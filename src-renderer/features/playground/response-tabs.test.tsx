// The views of an answer: outputs, the wire, time, code, differences and checks.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { internal } from '../../../src-shared/errors.ts';
import { modelAddress } from '../../lib/address.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel } from '../../testing/fake-models.ts';
import { fakeInterface, fakeOutput, fakeRefusal, fakeResult } from '../../testing/fake-playground.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, renderWithHosts, type, until } from '../../testing/render.tsx';
import { clearPlaygrounds, patchDraft, playgroundOf } from './playground-store.ts';
import { PlaygroundTab } from './playground-view.tsx';

let fake: FakeEngine;
let page: Rendered | undefined;

beforeEach(() => {
  clearPlaygrounds();
  fake = new FakeEngine();
  fake.overrides['playground/interface'] = () =>
    fakeInterface({
      maxBatchSize: 8,
      inputs: [{ name: 'X', datatype: 'FP32', shape: [-1, 2], optional: false, imageLayout: '' }],
    });
  fake.overrides['playground/savedList'] = () => [];
  fake.overrides['playground/send'] = () => fakeResult();
  fake.overrides['blob/read'] = () => ({ base64: btoa('Ab\u0000\u00ff'), totalByteSize: 4 });
  fake.overrides['blob/release'] = () => undefined;
});

afterEach(async () => {
  await page?.close();
  page = undefined;
});

async function show(servedVersions: readonly string[] = ['1'], isEnsemble = false): Promise<Rendered> {
  const model = fakeModel('m', { state: 'ready', servedVersions: [...servedVersions], isEnsemble });
  fake.snapshot = { ...fake.snapshot, models: [model] };
  page = await renderWithHosts(
    <PlaygroundTab model="m" version="" address={modelAddress('m', 'playground')} />,
    fake,
  );
  await until(() => page?.get('pg-send'));
  return page;
}

async function sent(...args: Parameters<typeof show>): Promise<Rendered> {
  const shown = await show(...args);
  await click(shown.get('pg-send'));
  await until(() => expect(playgroundOf('m').getState().history).toHaveLength(1));
  return shown;
}

const open = async (tab: string): Promise<void> => click(page?.get(`pg-tab-${tab}`) as HTMLElement);
const response = (): string => page?.get('pg-response').textContent ?? '';

async function choose(trigger: HTMLElement, label: string): Promise<void> {
  await click(trigger);
  const option = await until(() => {
    const found = [...document.querySelectorAll<HTMLElement>('[role="option"]')].find(({ textContent }) =>
      textContent?.includes(label),
    );
    if (found === undefined) throw new Error(`no choice '${label}'`);
    return found;
  });
  await click(option);
}

test('of many sends the counts, the rate, the times and the reasons are told', async () => {
  fake.overrides['playground/repeat'] = () => ({
    ...{ last: fakeResult(), okCount: 8, failCount: 2, totalMs: 50, perSecond: 200 },
    errors: [{ message: 'queue is full', count: 2 }],
    latencyMs: { p50: 4, p90: 6, p99: 9, max: 11 },
  });
  const { get } = await show();
  patchDraft(playgroundOf('m'), { repeat: { count: 10, concurrency: 2 } });
  await click(get('pg-send'));
  await until(() => expect(get('pg-repeat-result').textContent).toContain('2 × queue is full'));
  for (const text of ['8', 'p50 4 ms', 'max 11 ms', '200'])
    expect(get('pg-repeat-result').textContent).toContain(text);
  await open('timing');
  await until(() => expect(response()).toContain('last'));
});

test('several answers are looked at one by one; an answer may be an error of its own', async () => {
  fake.overrides['playground/send'] = () =>
    fakeResult({
      responses: [
        { outputs: [fakeOutput('Y', ['1'])], error: undefined },
        { outputs: [], error: 'the second one broke' },
      ],
    });
  const { get } = await sent();
  await until(() => get('pg-outputs'));
  await choose(get('pg-outputs').querySelector('[role="combobox"]') as HTMLElement, '2 of 2');
  await until(() => expect(get('pg-outputs').textContent).toContain('the second one broke'));
});

test('a success without a response, and a very large one, say so', async () => {
  fake.overrides['playground/send'] = () => fakeResult({ responses: [] });
  const { get, query } = await sent();
  await until(() => expect(get('pg-outputs').textContent).toContain('without outputs'));
  const answer = (mebibytes: number) => () =>
    fakeResult({
      responses: [
        {
          outputs: [{ ...fakeOutput('Y', ['1', '2']), byteSize: mebibytes * 1024 * 1024 }],
          error: undefined,
        },
      ],
      // Numbers written out take several times the bytes of the tensor, which says nothing of what can be shown.
      responseByteSize: 900 * 1024 * 1024,
    });
  fake.overrides['playground/send'] = answer(300);
  await click(get('pg-send'));
  await until(() => expect(get('pg-large').textContent).toContain('300 MiB'));
  fake.overrides['playground/send'] = answer(38);
  await click(get('pg-send'));
  await until(() => expect(query('pg-large')).toBeNull());
});

test('the wire is shown as it came: status, headers, the head as JSON, bytes as a dump', async () => {
  fake.overrides['playground/send'] = () =>
    fakeResult({ headers: [['content-type', 'application/json']], rawHead: '{"a":[1,2],"b":"x"}' });
  const { get } = await sent();
  await open('raw');
  await until(() => expect(get('pg-raw').textContent).toContain('content-type'));
  expect(get('pg-raw-head').textContent).toContain('"a": [ 1, 2 ]');
  await until(() => expect(get('pg-raw').textContent).toMatch(/000000 {2}41 62 00 ff.+Ab\.\./));
  expect(await accessibilityFaults(get('pg-response'))).toEqual([]);
});

test('bytes that are gone say why', async () => {
  fake.overrides['blob/read'] = () => {
    throw internal('the tensor was dropped');
  };
  const { get } = await sent();
  await open('raw');
  await until(() => expect(get('pg-raw').textContent).toContain('the tensor was dropped'));
});

test('the time is told in its parts with their shares, and the batch that it ran in', async () => {
  fake.overrides['playground/send'] = () =>
    fakeResult({
      totalMs: 10,
      timing: [
        { name: 'queue', ms: 2.5 },
        { name: 'compute', ms: 7.5 },
      ],
      batchSize: 4,
    });
  const { get } = await sent();
  await open('timing');
  await until(() => expect(get('pg-timing-queue').textContent).toContain('2.5 ms'));
  expect(get('pg-timing-compute').textContent).toContain('75');
  expect(get('pg-timing-batch').textContent).toContain('4');
  expect(get('pg-timing-longest').textContent).toContain('Compute. Input, inference and output');
  expect(get('pg-timing').textContent).toContain('10 ms');
});

test('the time of an ensemble is told step by step, in the order of its plan', async () => {
  fake.overrides['playground/send'] = () => fakeResult({ timing: [{ name: 'server', ms: 10 }] });
  const step = { runCount: 2, failureCount: 0, hasFailedLast: false };
  fake.overrides['graph/ensemble'] = () => ({
    ...{ runCount: 2, failureCount: 0, meanUs: 8000, lastError: undefined },
    steps: [
      { ...step, stepIndex: 0, model: 'pre', meanUs: 2000 },
      { ...step, stepIndex: 1, model: 'net', meanUs: 6000 },
      { ...step, stepIndex: 2, model: 'post', meanUs: 0 },
    ],
  });
  const { get } = await sent(['1'], true);
  await open('timing');
  await until(() => get('pg-timing-steps'));
  const rows = [...get('pg-timing-steps').querySelectorAll('tbody tr')];
  expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
    ['1 · pre', '', '2 ms', '25 %'],
    ['2 · net', '', '6 ms', '75 %'],
    ['3 · post', '', '–', '–'],
  ]);
  expect(rows.map((row) => row.querySelector<HTMLElement>('td span span')?.style.width)).toEqual([
    '25%',
    '75%',
    undefined,
  ]);
  expect(get('pg-timing-steps').textContent).toContain('newest 2 requests, 8 ms');
  expect(fake.argsOf('graph/ensemble')).toEqual([{ model: 'm' }]);
});

test('the steps of another version than the newest are not told, nor of a model that is no ensemble', async () => {
  const { get, query } = await sent(['1', '2'], true);
  await open('timing');
  await until(() => get('pg-timing'));
  expect(query('pg-timing-steps')).toBeNull();
  await page?.close();
  clearPlaygrounds();
  const plain = await sent();
  await open('timing');
  await until(() => plain.get('pg-timing'));
  expect(fake.argsOf('graph/ensemble')).toEqual([]);
});

test('the language of the code stays when an answer comes, and the code follows the request', async () => {
  const { get } = await sent();
  await open('code');
  await until(() => expect(get('pg-code-text').textContent).toContain('curl'));
  await choose(get('pg-code-language'), 'Python HTTP');
  await until(() => expect(get('pg-code-text').textContent).toContain('tritonclient'));
  await click(get('pg-send'));
  await until(() => expect(playgroundOf('m').getState().history).toHaveLength(2));
  expect(get('pg-code-text').textContent).toContain('tritonclient');
  const before = fake.argsOf('playground/snippets').length;
  await type(get('pg-value-X-0'), '42');
  await until(() => expect(fake.argsOf('playground/snippets').length).toBeGreaterThan(before));
  expect(fake.argsOf('playground/snippets').at(-1)?.inputs[0]?.source).toMatchObject({ values: ['42', '1'] });
});

test('code that reads a body offers it as a file, and says what it needs', async () => {
  fake.overrides['playground/snippets'] = () => [
    { language: 'bash', title: 'curl', code: 'curl --data-binary @request.bin' },
  ];
  fake.overrides['playground/requestBody'] = () => ({ blob: 'body', byteSize: 4, headByteSize: 2 });
  URL.createObjectURL = () => 'blob:x';
  URL.revokeObjectURL = () => undefined;
  const { get } = await sent();
  await open('code');
  await until(() => get('pg-code-body'));
  await click(get('pg-code-body'));
  await until(() => expect(fake.argsOf('blob/release')).toContainEqual({ blob: 'body' }));
});

test('an answer is compared with the one before; what was found belongs to its question', async () => {
  const { get, query } = await sent(['1', '2']);
  let where = 'Y[1]: 2 and 3';
  fake.overrides['playground/compare'] = () => [
    { name: 'Y', maxAbsolute: 1, maxRelative: 0.5, firstDiffering: where },
  ];
  await click(get('pg-send'));
  await until(() => expect(playgroundOf('m').getState().history).toHaveLength(2));
  await open('diff');
  await until(() => get('pg-diff-run'));
  await click(get('pg-diff-run'));
  await until(() => expect(get('pg-diff-verdict').textContent).toContain('Y[1]: 2 and 3'));
  await type(get('pg-diff-tolerance'), '5');
  await until(() => expect(query('pg-diff-verdict')).toBeNull());
  where = '';
  await click(get('pg-diff-run'));
  await until(() => expect(get('pg-diff-verdict').textContent).not.toContain('Y[1]'));
  expect(fake.argsOf('playground/compare').map(({ tolerance }) => tolerance)).toEqual([1e-5, 5]);
  const gate = Promise.withResolvers<undefined>();
  fake.overrides['playground/send'] = async () => {
    await gate.promise;
    return fakeResult({ modelVersion: '2' });
  };
  await choose(get('pg-diff-against'), 'Version 2');
  await click(get('pg-diff-run'));
  await until(() => expect(get('pg-diff-run').getAttribute('aria-busy')).toBe('true'));
  await choose(get('pg-diff-against'), 'Previous answer');
  gate.resolve(undefined);
  await until(() => expect(get('pg-diff-run').getAttribute('aria-busy')).toBeNull());
  expect(fake.argsOf('playground/send').at(-1)?.version).toBe('2');
  expect(query('pg-diff-verdict')).toBeNull();
});

test('there is nothing to compare with at first, and nothing of a refusal', async () => {
  const { get, query } = await sent();
  await open('diff');
  await until(() => expect(query('pg-diff')).toBeNull());
  fake.overrides['playground/send'] = () => fakeRefusal('no');
  await click(get('pg-send'));
  await until(() => expect(playgroundOf('m').getState().history).toHaveLength(2));
  expect(query('pg-diff-run')).toBeNull();
});

test('a check of the answer tells its verdict, and tries a batch of one when they differ', async () => {
  fake.overrides['playground/parity'] = ({ inputs }) => ({
    ...{ verdict: inputs[0]?.shape[0] === 1 ? ('match' as const) : ('differ' as const), tolerance: 1e-5 },
    message: inputs[0]?.shape[0] === 1 ? 'They are the same.' : 'They differ.',
    ...{ outputs: [], answers: [] },
  });
  const { get, query } = await sent();
  await type(get('pg-batch-size'), '4');
  await open('checks');
  await until(() => get('pg-parity-run'));
  await click(get('pg-parity-run'));
  await until(() => expect(get('pg-parity-result').dataset['state']).toBe('differ'));
  await click(get('pg-parity-one'));
  await until(() => expect(get('pg-parity-verdict').textContent).toContain('They are the same.'));
  expect(query('pg-parity-one')).toBeNull();
  expect(fake.argsOf('playground/parity').map(({ inputs }) => inputs[0]?.shape[0])).toEqual([4, 1]);
});

test('both answers of a check are named by the labels of the model', async () => {
  const answer = fakeOutput('Y', ['1', '2']);
  fake.overrides['playground/labels'] = () => ({ labels: ['cat', 'dog'], step: undefined });
  fake.overrides['playground/parity'] = () =>
    ({
      ...{ verdict: 'match', tolerance: 1e-5, message: 'They are the same.' },
      outputs: [
        { name: 'Y', maxAbsolute: 0, maxRelative: 0, firstDifference: undefined, element: undefined },
      ],
      answers: [{ served: answer, bare: answer }],
    }) as never;
  const { get } = await sent();
  await open('checks');
  await click(await until(() => get('pg-parity-run')));
  const asked = fake.argsOf('playground/labels').length;
  await click((await until(() => get('pg-parity-look'))).querySelector('button') ?? get('pg-parity-look'));
  await until(() => get('answer-pair-Y'));
  // Once for each answer.
  await until(() => expect(fake.argsOf('playground/labels')).toHaveLength(asked + 2));
  expect(fake.argsOf('playground/labels').at(-1)).toMatchObject({ model: 'm', output: 'Y' });
});

test('a check goes on while a request is sent, and can be cancelled', async () => {
  fake.overrides['playground/encodingCost'] = () => Promise.withResolvers<never>().promise;
  const { get, query } = await sent();
  await open('checks');
  await until(() => get('pg-encoding-run'));
  await click(get('pg-encoding-run'));
  await until(() => expect(query('pg-encoding-run')).toBeNull());
  await click(get('pg-send'));
  await until(() => expect(playgroundOf('m').getState().history).toHaveLength(2));
  expect(query('pg-encoding-run')).toBeNull();
  const cancel = [...get('pg-encoding').querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Cancel',
  );
  await click(cancel as HTMLElement);
  await until(() => get('pg-encoding-run'));
});

test('encodings are told with what each adds to the fastest; one that failed says why', async () => {
  fake.overrides['playground/encodingCost'] = () =>
    [
      { encoding: 'http-json', bodyByteSize: 2048, p50Ms: 3, error: undefined },
      { encoding: 'grpc', bodyByteSize: 1024, p50Ms: 1, error: undefined },
      { encoding: 'http-binary', bodyByteSize: 0, p50Ms: 0, error: 'refused' },
    ] as never;
  const { get } = await sent();
  await open('checks');
  await until(() => get('pg-encoding-run'));
  await click(get('pg-encoding-run'));
  await until(() => expect(get('pg-encoding-table').textContent).toContain('+2 ms'));
  const rows = [...get('pg-encoding-table').querySelectorAll('tbody tr, [role="row"]')].map(
    ({ textContent }) => textContent,
  );
  expect(rows.find((row) => row.includes('gRPC'))).toContain('–');
  expect(rows.find((row) => row.includes('refused'))).toContain('–');
});
