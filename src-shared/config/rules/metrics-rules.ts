// Metric controls: complete, and for a family that can be changed.

import { configIssue, setTo, type ConfigIssue } from '../config-issue.ts';
import { CUSTOMIZABLE_METRIC_FAMILY } from '../config-defaults.ts';
import type { ModelConfig } from '../model-config.ts';

/**
 * D66 for a control without family: an error, which refuses the model. For a family that cannot be customised: a
 * warning, because Triton serves the model without the control.
 */
export function checkMetrics(config: ModelConfig): ConfigIssue[] {
  return (config.modelMetrics?.metricControl ?? []).flatMap((control, index) => {
    const path = `model_metrics.metric_control[${index}]`;
    const family = control.metricIdentifier?.family;
    const issues: ConfigIssue[] = [];
    const add = (message: string, hint: string): void => {
      issues.push(configIssue('D66', message, { path, hint }));
    };
    if (family === undefined) {
      add("metric control must specify 'metric_identifier'", 'Write metric_identifier { family: "..." }.');
    } else if (family === '') {
      add("metric identifier must specify non-empty 'family'", `Name ${CUSTOMIZABLE_METRIC_FAMILY}.`);
    } else if (family !== CUSTOMIZABLE_METRIC_FAMILY) {
      issues.push(
        configIssue(
          'D66',
          `Metric family '${family}' in 'metric_identifier' is not a customizable metric in Triton core.`,
          {
            path: `${path}.metric_identifier.family`,
            severity: 'warning',
            hint: `Only ${CUSTOMIZABLE_METRIC_FAMILY} can be changed; this entry has no effect.`,
            changes: [setTo(`${path}.metric_identifier.family`, CUSTOMIZABLE_METRIC_FAMILY)],
          },
        ),
      );
    }
    if (control.histogramOptions === undefined) {
      add("metric control must specify 'histogram_options'", 'Write histogram_options { buckets: [ ... ] }.');
    } else if (control.histogramOptions.buckets.length === 0) {
      add("histogram options must specify non-empty 'buckets'", 'List upper bounds in milliseconds.');
    }
    return issues;
  });
}
