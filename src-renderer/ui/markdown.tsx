// Text of the user as Markdown. HTML in it is shown as text, nothing is fetched for it, and a link does nothing but
// call `onLink`: the page itself never navigates. Loaded on demand; it brings a parser along.

import { Square, SquareCheck } from 'lucide-react';
import MarkdownToJsx from 'markdown-to-jsx/react';
import { Fragment } from 'react';
import type { ReactNode } from 'react';

import { t } from '../texts/translate.ts';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';

/** The text, and who opens its links. */
export interface MarkdownProps {
  readonly text: string;
  /** Called with an http, https or wb address. */
  readonly onLink: (url: string) => void;
  readonly testId?: string;
  readonly className?: string;
}

/** Whether an address in the text may be followed. */
export function isLinkAllowed(url: string): boolean {
  return /^(?:https?|wb):\/\/[^\s]+$/i.test(url);
}

const TEXT =
  'min-w-0 break-words text-strong [overflow-wrap:anywhere] [&>*+*]:mt-2 [&_ol]:list-decimal [&_ol]:pl-6 [&_li:has(>[data-task])]:-ml-5 [&_li:has(>[data-task])]:list-none [&_ul]:list-disc [&_ul]:pl-6 [&_blockquote]:border-l-2 [&_blockquote]:border-line-strong [&_blockquote]:pl-3 [&_blockquote]:text-soft [&_code]:font-mono [&_code]:text-sm [&_pre]:overflow-x-auto [&_pre]:rounded [&_pre]:border [&_pre]:border-line [&_pre]:bg-sunken [&_pre]:p-2 [&_hr]:border-line [&_td]:border [&_td]:border-line [&_td]:px-2 [&_td]:py-0.5 [&_th]:border [&_th]:border-line [&_th]:bg-sunken [&_th]:px-2 [&_th]:py-0.5 [&_th]:text-left';

/** Text with Markdown in it, without HTML and without pictures from elsewhere. */
export function Markdown({ text, onLink, testId, className }: MarkdownProps) {
  const link = ({ href, children }: { readonly href?: string; readonly children?: ReactNode }) => (
    <Link url={href ?? ''} onLink={onLink}>
      {children}
    </Link>
  );
  const image = ({ src, alt = '' }: { readonly src?: string; readonly alt?: string }) => (
    <Link url={src ?? ''} onLink={onLink}>
      {t('markdown.image', { name: alt === '' ? (src ?? '') : alt })}
    </Link>
  );
  return (
    <div data-testid={testId} className={cx(TEXT, className)}>
      <MarkdownToJsx
        options={{
          disableParsingRawHTML: true,
          forceBlock: true,
          wrapper: Fragment,
          sanitizer: (value) => (isLinkAllowed(value) ? value : null),
          overrides: {
            a: link,
            img: image,
            input: Task,
            h1: heading('h4', 'text-lg font-semibold'),
            h2: heading('h4', 'text-md font-semibold'),
            h3: heading('h5', 'font-semibold'),
            h4: heading('h5', 'font-semibold text-soft'),
            h5: heading('h6', 'font-semibold text-soft'),
            h6: heading('h6', 'text-soft'),
          },
        }}
      >
        {text}
      </MarkdownToJsx>
    </div>
  );
}

/** Without the id that the library gives: ids of the text could meet those of the page. */
function heading(Level: 'h4' | 'h5' | 'h6', className: string) {
  return ({ children }: { readonly children?: ReactNode }) => <Level className={className}>{children}</Level>;
}

function Link({
  url,
  onLink,
  children,
}: {
  readonly url: string;
  readonly onLink: (url: string) => void;
  readonly children?: ReactNode;
}) {
  if (!isLinkAllowed(url)) return <span>{children}</span>;
  return (
    <a
      href={url}
      title={url}
      className="rounded text-accent underline"
      onClick={(event) => {
        event.preventDefault();
        onLink(url);
      }}
      onAuxClick={(event) => event.preventDefault()}
    >
      {children}
    </a>
  );
}

/** A box of a task list; it is changed in the text. */
function Task({ checked = false }: { readonly checked?: boolean }) {
  return (
    <span
      data-task
      role="img"
      aria-label={t(checked ? 'markdown.done' : 'markdown.open')}
      className="mr-1 align-[-2px]"
    >
      <Icon of={checked ? SquareCheck : Square} size={14} className="inline text-soft" />
    </span>
  );
}
