// Each sentence is checked against the words that the server itself throws: when those change, so must the pattern.

import { describe, expect, test } from 'vitest';

import type { PlaygroundRequest } from '../../src-shared/contract/inference-calls.ts';
import { inputErrors } from '../inference/input-errors.ts';
import { pythonHostErrors } from '../backends/python-host/host-errors.ts';
import { modelErrors } from '../repository/model-errors.ts';
import { grpcErrors } from '../protocol/grpc/grpc-errors.ts';
import { httpErrors } from '../protocol/http/http-errors.ts';
import { queueErrors } from '../scheduling/queue-errors.ts';
import { sequenceErrors } from '../scheduling/sequence-errors.ts';
import { explainFailure } from './failure-explanation.ts';

const request = { inputs: [{ name: 'image' }, { name: 'mask' }] } as unknown as PlaygroundRequest;

describe('what a refusal means', () => {
  test.each<[string, string, string]>([
    [
      'a shape',
      "[request id: 1] unexpected shape for input 'image' for model 'm'. Expected [-1,3,8,8], got [1,8,8,3]. ",
      'The shape of image is [1,8,8,3], but the model takes [-1,3,8,8] (-1 stands for any size).',
    ],
    [
      'a type',
      "inference input 'mask' data-type is 'INT64', but model 'm' expects 'FP32'",
      'mask was sent as INT64; the model wants FP32.',
    ],
    [
      'a full queue',
      queueErrors.full({ prefix: '' }).message,
      'The queue of this model is full; the request was refused at once.',
    ],
    [
      'a timeout',
      queueErrors.timedOut().message,
      'The request waited longer in the queue than its policy allows.',
    ],
    [
      'a process that ended',
      pythonHostErrors.processEnded({ instance: 'm_0' }).message,
      'The Python process of the model ended while it had this request: its code exited, or native code in it crashed. It is started again at once. Logs has its exit code or signal, and what it printed before.',
    ],
    [
      'a model that is not there',
      modelErrors.unknown({ name: 'missing' }).message,
      'missing is not loaded. Load it, or check the version.',
    ],
    [
      'a text that is no number',
      "onnx runtime error 6: Non-zero status code returned while running Cast node. Name:'' Status Message: \nstoll",
      'The model reads its text as a number, and the text that was sent is none. Send digits, such as 1.',
    ],
    [
      'a batch',
      inputErrors.batchTooLarge({ prefix: '', limit: 8, model: 'm' }).message,
      'The first dimension is the batch; this model takes at most 8 at once.',
    ],
    [
      'bytes',
      inputErrors.byteSize({ prefix: '', name: 'mask', model: 'm', expected: 12, seen: 8 }).message,
      'mask has 8 bytes; its shape and type need 12.',
    ],
    [
      'a sequence without an id',
      sequenceErrors.withoutId({ model: 'm' }).message,
      'This is a sequence model: every request needs a sequence id other than 0.',
    ],
    [
      'a sequence that never began',
      sequenceErrors.notStarted({ sequence: 7, model: 'm' }).message,
      'No sequence with this id is running: it never started, it ended, or it was idle for too long. Tick "start" on the first request of a sequence.',
    ],
    ...[httpErrors.decoupled(), grpcErrors.decoupled()].map(
      ({ message }) =>
        [
          'any number of responses',
          message,
          'This model sends any number of responses. Only a gRPC stream can carry them.',
        ] as [string, string, string],
    ),
  ])('%s', (_name, message, sentence) => {
    expect(explainFailure(message, request).explanation).toBe(sentence);
  });

  test('the number of inputs', () => {
    const error = inputErrors.count({
      prefix: '',
      expected: 'expected 2 inputs',
      given: 1,
      model: 'm',
      got: "'image'",
      missing: "['mask']",
    });
    expect(explainFailure(error.message, request).explanation).toContain('The request has 1 inputs');
  });

  test('a batch of another size than OpenVINO compiled', () => {
    const said =
      "expected requests with batch size '4', got '1'... this error can be avoided by setting 'ENABLE_BATCH_PADDING'";
    const { explanation } = explainFailure(said, request);
    expect(explanation).toContain('compiled this model for batches of 4, and 1 came');
    expect(explanation).toContain('ENABLE_BATCH_PADDING');
  });

  test('names the input that the message is about', () => {
    const said = "input 'mask' batch size does not match other inputs for 'm'";
    expect(explainFailure(said, request)).toEqual({ explanation: undefined, faultyInput: 'mask' });
    expect(explainFailure("input 'other' is odd", request).faultyInput).toBeUndefined();
  });

  test('says nothing of success, and nothing of what it does not know', () => {
    expect(explainFailure(undefined, request)).toEqual({ explanation: undefined, faultyInput: undefined });
    expect(explainFailure('the moon is full', request)).toEqual({
      explanation: undefined,
      faultyInput: undefined,
    });
  });
});
