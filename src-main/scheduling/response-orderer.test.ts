import { expect, test } from 'vitest';
import { AnswerBook } from '../testing/tensors.ts';
import { ResponseOrderer } from './response-orderer.ts';

function tracked(count: number) {
  const book = new AnswerBook();
  const orderer = new ResponseOrderer();
  const requests = Array.from({ length: count }, (_, at) => {
    const request = book.request({ id: String(at) });
    orderer.track(request);
    return request;
  });
  const sent = () =>
    book.answers
      .flatMap((answer) => answer.responseOrder.map((order) => [order, answer.request.id] as const))
      .sort((a, b) => a[0] - b[0])
      .map(([, id]) => id)
      .join('');
  return { requests, orderer, sent };
}

test('a response waits for the requests before it', () => {
  const { requests, orderer, sent } = tracked(3);
  const [first, second, third] = requests;
  void third?.respondOutputs([], true);
  void second?.respondOutputs([], true);
  expect(sent()).toBe('');
  void first?.respondOutputs([], true);
  expect(sent()).toBe('012');
  expect(orderer.length).toBe(0);
});

test('the responses of one decoupled request stay together and end with its final flag', () => {
  const { requests, orderer, sent } = tracked(2);
  const [first, second] = requests;
  void second?.respondOutputs([], false);
  void first?.respondOutputs([], false);
  expect(sent()).toBe('0');
  void second?.respondOutputs([], false);
  void first?.respond(undefined, true);
  expect(sent()).toBe('0011');
  void second?.respondOutputs([], true);
  expect(sent()).toBe('00111');
  expect(orderer.length).toBe(0);
});

test('the sender at the head hears from its receiver, for back-pressure', async () => {
  const orderer = new ResponseOrderer();
  let open = (): void => undefined;
  const book = new AnswerBook();
  const request = book.request();
  request.interceptResponses(() => () => new Promise<void>((resolve) => (open = resolve)));
  orderer.track(request);
  const sending = request.respondOutputs([], true);
  expect(sending).toBeInstanceOf(Promise);
  open();
  await sending;
});
