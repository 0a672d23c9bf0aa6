// The summary of a chart for screen readers, renewed at most every ten seconds.

import { useEffect, useRef, useState } from 'react';

import { t } from '../texts/translate.ts';

const SUMMARY_EVERY_MS = 10_000;

export function ChartSpoken({ id, text }: { readonly id: string; readonly text: string }) {
  const [spoken, setSpoken] = useState(text);
  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  }, [text]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setSpoken(latest.current);
    }, SUMMARY_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <figcaption id={id} aria-live="polite" className="sr-only">
      {spoken} {t('chart.hint')}
    </figcaption>
  );
}
