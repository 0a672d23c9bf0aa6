// Ragged requests of mixed makings: several rows beside one, beside inputs that are not ragged, all kinds of batch inputs in one
// model, outputs of every type and of a wrong size, optional inputs, texts, queues with priorities, ensembles above, and
// what is counted of it.

import type { DataType } from '../../src-shared/datatypes.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { countsOf } from './flow-counts.ts';
import { grpcCall } from './grpc-exchange.ts';
import { get, post } from './http-calls.ts';
import { ask, load, unload, wait } from './life-calls.ts';
import type { Mixed, Sent } from './ragged-models.ts';
import { MIXED } from './ragged-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const titles = Object.keys(MIXED);
const nameOf = (title: string): string => `m_${titles.indexOf(title)}`;
const models: RepositoryFiles = Object.fromEntries(
  titles.flatMap((title) => {
    const { config, file, over } = MIXED[title] as Mixed;
    const name = nameOf(title);
    return [
      [`${name}/config.pbtxt`, config],
      [`${name}/1/model.onnx`, file],
      ...(over === undefined
        ? []
        : [
            [`${name}_over/config.pbtxt`, over.replace('@', name)] as const,
            [`${name}_over/1/`, ''] as const,
          ]),
    ] as const;
  }),
);

const sizeOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);
const valuesOf = (datatype: DataType, count: number): readonly unknown[] =>
  Array.from({ length: count }, (_, at) =>
    datatype === 'BYTES' ? 'x'.repeat(at + 1) : datatype === 'BOOL' ? at % 2 === 0 : at + 1,
  );
const WIDTHS: Readonly<Record<string, number>> = { BOOL: 1, INT8: 1, INT64: 8, FP16: 2, FP64: 8, FP32: 4 };
const rawOf = (datatype: DataType, count: number): Buffer =>
  datatype === 'BYTES'
    ? Buffer.concat(
        Array.from({ length: count }, (_, at) => {
          const head = Buffer.alloc(4);
          head.writeUInt32LE(at + 1);
          return Buffer.concat([head, Buffer.from('x'.repeat(at + 1))]);
        }),
      )
    : Buffer.from(
        Array.from({ length: count * (WIDTHS[datatype] ?? 4) }, (_, at) =>
          datatype === 'BOOL' ? 1 : at % 100,
        ),
      );

const PARAMETER = (one: unknown): object =>
  typeof one === 'boolean' ? { bool_param: one } : { int64_param: BigInt(Number(one)) };

function send(
  target: Target,
  model: string,
  { config, datatype = 'FP32' }: Mixed,
  one: Sent,
): Promise<unknown> {
  const tensors: { name: string; datatype: DataType; shape: readonly number[] }[] = [];
  if (one.left !== 'INPUT') tensors.push({ name: 'INPUT', datatype, shape: one.shape });
  if (config.includes('"PLAIN"')) tensors.push({ name: 'PLAIN', datatype: 'FP32', shape: one.plain ?? [] });
  if (config.includes('"ROWS"')) {
    const rows = one.shape.length === 1 ? 1 : (one.shape[0] ?? 1);
    tensors.push({ name: 'ROWS', datatype: 'FP32', shape: one.shape.length === 1 ? [1] : [rows, 1] });
  }
  const outputs = one.outputs?.map((name) => ({ name }));
  if (one.by === 'grpc' || datatype === 'FP16')
    return grpcCall(target.grpcPort, 'ModelInfer', {
      model_name: model,
      inputs: tensors.map((each) => ({ ...each, shape: each.shape.map(BigInt) })),
      ...(outputs === undefined ? {} : { outputs }),
      parameters: Object.fromEntries(
        Object.entries(one.parameters ?? {}).map(([name, each]) => [name, PARAMETER(each)]),
      ),
      raw_input_contents: tensors.map((each) => rawOf(each.datatype, sizeOf(each.shape))),
    });
  return ask(
    target,
    post(`/v2/models/${model}/infer`, {
      ...(one.parameters === undefined ? {} : { parameters: one.parameters }),
      ...(outputs === undefined ? {} : { outputs }),
      inputs: tensors.map((each) => ({ ...each, data: valuesOf(each.datatype, sizeOf(each.shape)) })),
    }),
  );
}

const asked = (title: string): ReferenceCase => ({
  name: `ragged, mixed: ${title}`,
  run: async (target) => {
    const mixed = MIXED[title] as Mixed;
    const model = nameOf(title);
    const answers: unknown[] = [{ step: 'load', answer: await ask(target, load(model)) }];
    const to = mixed.over === undefined ? model : `${model}_over`;
    if (to !== model) answers.push({ step: 'load above', answer: await ask(target, load(to)) });
    answers.push({ step: 'config', answer: await ask(target, get(`/v2/models/${model}/config`)) });
    answers.push({ step: 'metadata', answer: await ask(target, get(`/v2/models/${model}`)) });
    for (const group of mixed.groups) {
      const running: Promise<unknown>[] = [];
      for (const one of group) {
        running.push(send(target, to, mixed, one));
        await wait(120 + (one.after ?? 0));
      }
      answers.push({ step: JSON.stringify(group), answers: await Promise.all(running) });
    }
    answers.push(...(await countsOf(target, [model, ...(to === model ? [] : [to])])));
    answers.push({ step: 'unload', answer: await ask(target, unload(to)) });
    return answers;
  },
});

export const RAGGED_MIXED_SCENE: Scene = {
  name: 'mixed ragged',
  needs: 'onnxruntime',
  repositories: sameFor(models),
  args: ['--model-control-mode=explicit', '--cache-config=local,size=1048576'],
  atOnce: 5,
  cases: titles.map(asked),
};
