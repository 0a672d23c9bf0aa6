// The metric that pods are added by: how long requests of a pod wait, made by the Prometheus adapter.

const NAME = 'avg_time_queue_us';
const SERIES = 'nv_inference_queue_duration_us';
const TARGET_US = 50;

/** For an autoscaler. */
export const queueMetric = {
  type: 'Pods',
  pods: { metric: { name: NAME }, target: { type: 'AverageValue', averageValue: String(TARGET_US) } },
};

/** For the Prometheus adapter. */
export const ADAPTER_RULE = {
  seriesQuery: `${SERIES}{namespace!="",pod!=""}`,
  resources: { overrides: { namespace: { resource: 'namespace' }, pod: { resource: 'pod' } } },
  name: { matches: SERIES, as: NAME },
  metricsQuery: `avg(delta(${SERIES}{<<.LabelMatchers>>}[30s])/(1+delta(nv_inference_request_success{<<.LabelMatchers>>}[30s]))) by (<<.GroupBy>>)`,
};
