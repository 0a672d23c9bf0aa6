// What is copied of a metric: the line for Prometheus or Grafana that people mean, and the command that shows it raw.

import type { MetricFamilyView, MetricSeriesView } from '../../../../src-shared/contract/metrics-calls.ts';
import { seriesText } from './metric-history.ts';

/** Long enough for four scrapes at Prometheus' usual 15 s. */
const WINDOW = '1m';

/** A family over all its series: rates of what grows, a quantile of what is spread, the value of what goes up and down. */
export function familyQuery({ name, kind }: MetricFamilyView): string {
  switch (kind) {
    case 'counter':
      return `rate(${name}[${WINDOW}])`;
    case 'histogram':
      return `histogram_quantile(0.99, sum by (le, model, version) (rate(${name}_bucket[5m])))`;
    case 'summary':
      return `${name}{quantile="0.99"}`;
    default:
      return name;
  }
}

/** One line of a family. */
export function seriesQuery(kind: MetricFamilyView['kind'], series: MetricSeriesView): string {
  const selector = seriesText(series);
  const isValue = kind === 'gauge' || (kind === 'summary' && series.labels['quantile'] !== undefined);
  return isValue ? selector : `rate(${selector}[${WINDOW}])`;
}

/** `url`: of the metrics endpoint. Shows description, kind and lines of the family. */
export function familyCommand(url: string, { name }: MetricFamilyView): string {
  return `curl -s ${url} | grep ${name}`;
}
