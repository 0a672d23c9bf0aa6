// The worker's side of the conversation without a worker: messages in, messages out. Runs in the worker and, in tests,
// beside it.

import { ConfigLanguage } from './config-language.ts';
import { packEffective } from './effective-pack.ts';
import type { AskMessage, EffectiveText, FromWorker, ToWorker } from './language-protocol.ts';
import { LatestQueue } from './latest-queue.ts';

/** Returns what to do with each message that arrives. */
export function answerMessages(
  send: (message: FromWorker) => void,
  schedule: (drain: () => void) => void,
): (message: ToWorker) => void {
  const language = new ConfigLanguage();
  const queue = new LatestQueue<AskMessage>({
    schedule,
    work: (ask) => send(reply(language, ask)),
    onSuperseded: ({ id }) => send({ type: 'superseded', id }),
    // Findings are what somebody who types waits for.
    isUrgent: ({ question }) => question === 'check',
  });
  return (message) => {
    switch (message.type) {
      case 'ask':
        queue.push(`${message.document}\n${message.question}`, message);
        break;
      case 'context':
        language.setContext(message.document, message.context);
        break;
      case 'forget':
        language.forget(message.document);
        break;
    }
  };
}

function reply(language: ConfigLanguage, ask: AskMessage): FromWorker {
  try {
    const answer = language.answer(ask);
    return ask.question === 'effective'
      ? { type: 'effective', id: ask.id, packed: packEffective(answer as EffectiveText) }
      : { type: 'answer', id: ask.id, answer };
  } catch (thrown) {
    return {
      type: 'failed',
      id: ask.id,
      message: thrown instanceof Error ? thrown.message : String(thrown),
    };
  }
}
