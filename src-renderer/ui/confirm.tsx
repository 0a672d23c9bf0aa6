// ask(): a question with buttons, answered by a promise. Used only for what cannot be taken back: the bin, a public
// address, requests in flight, unsaved text. Focus starts on the safe answer and Escape gives it.

import { useRef } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

import { t } from '../texts/translate.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

/** An answer that a question offers. */
export interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly isDanger?: boolean;
  readonly isPrimary?: boolean;
}

/** What is asked, in words that name what will happen. */
export interface Question<T extends string> {
  readonly title: string;
  readonly text: string;
  /** Besides Cancel, which is always there, first, and the default. None: an explanation, to be closed. */
  readonly choices: readonly Choice<T>[];
  /** What the safe answer is called, when it is more than "Cancel". */
  readonly safeLabel?: string;
  readonly testId?: string;
}

interface Asked {
  readonly question: Question<string>;
  readonly answer: (value: string | undefined) => void;
}

const store = createStore<{ readonly asked: Asked | undefined }>(() => ({ asked: undefined }));

/** Undefined = cancelled. A second question cancels the first. */
export function ask<T extends string>(question: Question<T>): Promise<T | undefined> {
  store.getState().asked?.answer(undefined);
  return new Promise((resolve) => {
    const answer = (value: string | undefined): void => {
      store.setState({ asked: undefined });
      resolve(value as T | undefined);
    };
    store.setState({ asked: { question, answer } });
  });
}

/** Rendered once, near the root. */
export function ConfirmHost() {
  const asked = useStore(store, (state) => state.asked);
  const safe = useRef<HTMLButtonElement>(null);
  if (asked === undefined) return null;
  const { question, answer } = asked;
  return (
    <Dialog
      isOpen
      onClose={() => answer(undefined)}
      title={question.title}
      description={question.text}
      testId={question.testId ?? 'confirm'}
      initialFocus={safe}
      footer={
        <>
          <Button worksOffline ref={safe} data-testid="confirm-cancel" onClick={() => answer(undefined)}>
            {question.safeLabel ?? t(question.choices.length === 0 ? 'common.close' : 'common.cancel')}
          </Button>
          {question.choices.map((choice) => (
            <Button
              key={choice.value}
              data-testid={`confirm-${choice.value}`}
              variant={
                choice.isDanger === true ? 'danger' : choice.isPrimary === true ? 'primary' : 'secondary'
              }
              onClick={() => answer(choice.value)}
            >
              {choice.label}
            </Button>
          ))}
        </>
      }
    />
  );
}
