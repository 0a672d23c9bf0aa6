// The summary of a chart for screen readers, renewed at most every ten seconds. It is read again by itself only while one
// is at the chart: with several of them on a screen nothing else would be heard.

import { useEffect, useRef, useState } from 'react';

import { t } from '../texts/translate.ts';

const SUMMARY_EVERY_MS = 10_000;

/** What a chart says to a reader: the values under the crosshair while it has the focus. */
export function ChartSpoken({
  id,
  hintId,
  isFollowed,
  textOf,
}: {
  readonly id: string;
  readonly hintId: string;
  /** The chart has the focus. */
  readonly isFollowed: boolean;
  /** Put together when it is due, not for every new point. */
  readonly textOf: () => string;
}) {
  const [spoken, setSpoken] = useState(textOf);
  const latest = useRef(textOf);
  useEffect(() => {
    latest.current = textOf;
  }, [textOf]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setSpoken(latest.current());
    }, SUMMARY_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <figcaption className="sr-only">
      <span id={id} aria-live={isFollowed ? 'polite' : 'off'}>
        {spoken}
      </span>{' '}
      <span id={hintId}>{t('chart.hint')}</span>
    </figcaption>
  );
}
