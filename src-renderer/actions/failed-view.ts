// What the list of models says of a failure that a call was answered with, and what to do about it in a sentence.

import type { ModelView } from '../../src-shared/contract/model-view.ts';
import type { ModelsStore } from '../engine/models-store.ts';
import { t } from '../texts/translate.ts';

/** News of models leave the server a fifth of a second apart at most. */
const NEWS_WITHIN_MS = 500;

/** Its failure is the one that `message` tells. */
export function isAboutFailure(model: ModelView | undefined, message: string): boolean {
  const original = model?.failure?.original ?? '';
  return original !== '' && message.includes(original);
}

/** The model with the failure of `message`, whose news may be on their way; as it is known then where none come. */
export function failedView(
  models: ModelsStore,
  name: string,
  message: string,
): Promise<ModelView | undefined> {
  const known = (): ModelView | undefined => models.getState().byName.get(name);
  if (isAboutFailure(known(), message)) return Promise.resolve(known());
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      off();
      resolve(known());
    };
    const timer = setTimeout(end, NEWS_WITHIN_MS);
    const off = models.subscribe(() => {
      if (isAboutFailure(known(), message)) end();
    });
  });
}

/** The next thing to do about a load that failed; undefined `failure` = only the server's words are known. */
export function failureAdvice(failure: ModelView['failure']): string {
  const fix = failure?.fixes[0]?.title;
  if (fix !== undefined) return t('model.advice.fix', { fix });
  if (failure?.command !== undefined) return t('model.advice.command');
  if (failure?.place !== undefined) return t('model.advice.line', failure.place);
  if (failure !== undefined && failure.line > 0)
    return t('model.advice.line', { line: failure.line, file: 'config.pbtxt' });
  return t('model.advice.look');
}
