// The language worker of this window.

import ConfigWorker from './config-worker.ts?worker';
import { LanguageClient } from './language-client.ts';

export const configLanguage = new LanguageClient(() => new ConfigWorker());
