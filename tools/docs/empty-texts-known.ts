// Members of text, and functions that return it, that are empty where there is none, by the reason for which they stay so. Nothing is added here but for
// one of these reasons.

/** Why the members stay, as one sentence, and the members by file; a name stands as often as the file has it. */
interface KnownEmptyTexts {
  readonly reason: string;
  readonly members: Readonly<Record<string, readonly string[]>>;
}

const GROUPS: readonly KnownEmptyTexts[] = [
  {
    reason:
      'The protocol, its wire format or the ONNX format has the empty text itself: a version that the server chooses, a client without a name, an operator of the standard domain, a stream that did not fail.',
    members: {
      'src-main/cli/infer-call.ts': ['version'],
      'src-main/client/infer-client.ts': ['version'],
      'src-main/grpc-wire/infer-message.ts': ['errorMessage'],
      'src-main/onnx/onnx-model.ts': ['domain'],
      'src-main/perf/data/load-model.ts': ['version'],
      'src-main/service/client-book.ts': ['userAgent'],
      'src-main/service/inference-service.ts': ['version'],
      'src-renderer/features/playground/playground-context.ts': ['version'],
      'src-renderer/lib/feature.ts': ['version'],
      'src-shared/contract/graph-calls.ts': ['domain'],
      'src-shared/contract/inference-calls.ts': ['version'],
      'src-shared/config/config-debug-text.ts': ['modelConfigToDebugText'],
      'src-shared/config/config-encoder.ts': ['modelConfigToText'],
      'src-shared/config/config-path.ts': ['entryKey'],
    },
  },
  {
    reason:
      'The command line and its exported command have the empty text itself, as the default of an option or the value of a flag without one.',
    members: {
      'src-main/base/argv-scanner.ts': ['value'],
      'src-main/logging/log-output.ts': ['file'],
      'src-main/options/engine-options.ts': [
        'address',
        'defaultModel',
        'predictRoute',
        'tokenizer',
        'chatTemplate',
        'file',
      ],
      'src-main/options/keyed-text.ts': ['scope'],
      'src-main/protocol/grpc/grpc-options.ts': ['headerForwardPattern'],
      'src-main/protocol/http/cloud/vertex-ai-frontend.ts': ['predictRoute', 'defaultModel', '#model'],
      'src-main/protocol/http/http-options.ts': ['headerForwardPattern'],
      'src-main/protocol/openai/openai-server.ts': ['tokenizer', 'chatTemplate'],
      'src-main/repository/repository-options.ts': ['modelConfigName'],
      'src-main/tracing/trace-settings.ts': ['file'],
      'src-main/tracing/trace-start.ts': ['mode'],
    },
  },
  {
    reason:
      'A file that is kept has it: plans and runs of the load generator, saved requests, addresses of open tabs, shortcuts without keys.',
    members: {
      'src-renderer/lib/address.ts': ['model', 'tab'],
      'src-main/perf/runs/fingerprint.ts': ['powerSource'],
      'src-main/analyze/run/measurer.ts': ['whyNothing'],
      'src-shared/contract/perf-plan.ts': ['stringData', 'version', 'url'],
      'src-shared/contract/perf-views.ts': [
        'note',
        'firstError',
        'device',
        'powerSource',
        'title',
        'error',
        'title',
        'bestRunId',
      ],
    },
  },
  {
    reason: 'A field of a form, which is empty before somebody types.',
    members: {
      'src-renderer/features/import/framework-config.ts': ['datatype', 'dims'],
    },
  },
  {
    reason:
      'The text is shown or sent as it is, and nothing is shown or sent where it is empty: a cell of a table, a text before its document is open.',
    members: {
      'src-main/analyze/report/summary-report.ts': ['cell'],
      'src-renderer/config/drafts/use-draft.ts': ['useDraftText'],
      'src-renderer/lib/keys.ts': ['displayShortcut'],
      'src-shared/config/config-diff.ts': ['configValueText'],
      'tools/dependencies/make-release-lists.ts': ['licenceTexts'],
    },
  },
  {
    reason: 'The empty path or prefix is a real one: the whole bucket, the whole document, the whole graph.',
    members: {
      'src-main/object-stores/azure/azure-path.ts': ['key'],
      'src-main/object-stores/gcs/gcs-path.ts': ['prefix'],
      'src-main/object-stores/s3/s3-path.ts': ['key'],
      'src-renderer/features/graph/components/operator-panel.tsx': ['scope'],
      'src-renderer/features/graph/graph-scopes.ts': ['path'],
      'src-shared/config/config-issue.ts': ['path'],
      'src-shared/contract/graph-calls.ts': ['scope'],
    },
  },
];

/** The members of a file, of all reasons together. */
export function knownEmptyTexts(file: string): readonly string[] {
  return GROUPS.flatMap(({ members }) => members[file] ?? []);
}

/** The files that the list names. */
export function filesOfEmptyTexts(): readonly string[] {
  return [...new Set(GROUPS.flatMap(({ members }) => Object.keys(members)))];
}
