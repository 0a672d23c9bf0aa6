// The language worker: the configuration language beside the page's thread, so that typing never waits for a check.

import { answerMessages } from './answer-messages.ts';
import type { ToWorker } from './language-protocol.ts';

const onMessage = answerMessages(
  (message) => self.postMessage(message),
  (drain) => setTimeout(drain, 0),
);

self.addEventListener('message', (event: MessageEvent<ToWorker>) => onMessage(event.data));
