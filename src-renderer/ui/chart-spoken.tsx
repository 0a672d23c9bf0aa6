// The summary of a chart for screen readers, renewed at most every ten seconds.

import { useEffect, useRef, useState } from 'react';

import { t } from '../texts/translate.ts';

const SUMMARY_EVERY_MS = 10_000;

export function ChartSpoken({
  id,
  textOf,
}: {
  readonly id: string;
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
    <figcaption id={id} aria-live="polite" className="sr-only">
      {spoken} {t('chart.hint')}
    </figcaption>
  );
}
