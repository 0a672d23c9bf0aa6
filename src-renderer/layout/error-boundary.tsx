// One region that fails does not take the window: its place shows what happened, with the details to copy and a way to
// try again.

import { TriangleAlert } from 'lucide-react';
import type { ContextType, ReactNode } from 'react';
import { Component } from 'react';

import { forgetFailedViews } from '../lib/lazy-view.ts';
import { t } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { OfflineContext } from '../ui/offline.ts';

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

/**
 * What is drawn inside may throw: then it says so, with a button that tries again. A new `resetKey` tries again too; what
 * could not be fetched while the server was away is fetched when it is back.
 */
export class ErrorBoundary extends Component<Props, State> {
  static override contextType = OfflineContext;
  declare context: ContextType<typeof OfflineContext>;
  override state: State = { error: undefined, resetKey: this.props.resetKey };
  #wasOffline = false;

  /** Called by React alone; what was thrown may be no Error. */
  static getDerivedStateFromError(thrown: unknown): Partial<State> {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  /** Called by React alone: a new `resetKey` takes the error away. */
  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.resetKey === state.resetKey ? null : { error: undefined, resetKey: props.resetKey };
  }

  override componentDidMount(): void {
    this.#wasOffline = this.context !== undefined;
  }

  override componentDidUpdate(before: Props): void {
    const isBack = this.#wasOffline && this.context === undefined;
    this.#wasOffline = this.context !== undefined;
    if (before.resetKey !== this.props.resetKey) forgetFailedViews();
    const { error } = this.state;
    if (isBack && error !== undefined && NOT_FETCHED.test(error.message)) this.#again();
  }

  #again(): void {
    forgetFailedViews();
    this.setState({ error: undefined });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return NOT_FETCHED.test(error.message) ? this.#notFetched(error) : this.#failed(error);
  }

  #notFetched(error: Error): ReactNode {
    // Loaded again now, the page would be lost altogether.
    const isOffline = this.context !== undefined;
    return (
      <Failed
        error={error}
        title={t('region.notFetched')}
        text={t(isOffline ? 'region.notFetchedOffline' : 'region.notFetchedHelp')}
        actions={
          isOffline ? undefined : (
            <>
              <Button onClick={() => this.#again()}>{t('common.retry')}</Button>
              <Button onClick={() => location.reload()}>{t('region.loadPage')}</Button>
            </>
          )
        }
      />
    );
  }

  #failed(error: Error): ReactNode {
    return (
      <Failed
        error={error}
        title={t('region.failed')}
        text={t('region.failedHelp')}
        actions={<Button onClick={() => this.#again()}>{t('common.retry')}</Button>}
      />
    );
  }
}

interface FailedProps {
  readonly error: Error;
  readonly title: string;
  readonly text: string;
  readonly actions: ReactNode;
}

function Failed({ error, title, text, actions }: FailedProps) {
  return (
    <EmptyState
      icon={TriangleAlert}
      testId="region-failed"
      title={title}
      text={
        <>
          <p className="mb-2">{text}</p>
          <CodeBlock text={error.stack ?? error.message} className="max-h-48 overflow-hidden text-left" />
        </>
      }
      actions={actions}
    />
  );
}
