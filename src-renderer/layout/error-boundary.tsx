// One region that fails does not take the window: its place shows what happened, with the details to copy and a way to
// try again.

import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Component } from 'react';

import { t } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

interface Props {
  readonly children: ReactNode;
  /** A new value tries again by itself, e.g. when another tab is shown. */
  readonly resetKey?: string;
}

interface State {
  readonly error: Error | undefined;
  readonly resetKey: string | undefined;
}

/** As browsers say that a script or a style of the page did not come: the app was updated, or does not answer. */
const NOT_FETCHED = /dynamically imported module|module script failed|preload CSS/i;

/** What is drawn inside may throw: then it says so, with a button that tries again. A new `resetKey` tries again too. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined, resetKey: this.props.resetKey };

  static getDerivedStateFromError(thrown: unknown): Partial<State> {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.resetKey === state.resetKey ? null : { error: undefined, resetKey: props.resetKey };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    // What was not fetched once is not asked for again before the page is loaded again.
    const isPageOld = NOT_FETCHED.test(error.message);
    return (
      <EmptyState
        icon={TriangleAlert}
        testId="region-failed"
        title={t(isPageOld ? 'region.notFetched' : 'region.failed')}
        text={
          <>
            <p className="mb-2">{t(isPageOld ? 'region.notFetchedHelp' : 'region.failedHelp')}</p>
            <CodeBlock text={error.stack ?? error.message} className="max-h-48 overflow-hidden text-left" />
          </>
        }
        actions={
          isPageOld ? (
            <Button worksOffline onClick={() => location.reload()}>
              {t('region.loadPage')}
            </Button>
          ) : (
            <Button onClick={() => this.setState({ error: undefined })}>{t('common.retry')}</Button>
          )
        }
      />
    );
  }
}
