// The tables that the reference prints at INFO while it starts: backends, models, options.

import { shownPath } from '../../object-stores/store-path.ts';
import type { EngineOptions } from '../../options/engine-options.ts';
import type { ServeOptions } from '../../cli/serve-options.ts';
import { textTable } from '../../logging/text-table.ts';
import type { ModelId } from '../../repository/model-identity.ts';
import { compareIds, modelKey } from '../../repository/model-identity.ts';
import type { ServerMetadata } from '../../service/inference-service.ts';

function bit(value: boolean): string {
  return value ? '1' : '0';
}

/** Configuration as it is handed to a backend, in the reference's compact form. */
function backendConfig(options: ServeOptions, backend: string): string {
  const { engine } = options;
  const own = engine.backends.settings.filter(
    (setting) => setting.backend === '' || setting.backend === backend,
  );
  const cmdline = {
    ...backendDefaults(engine),
    ...Object.fromEntries(own.map(({ key, value }) => [key, value])),
  };
  return JSON.stringify({ cmdline });
}

/** Settings that every backend is given unless the user says otherwise. */
function backendDefaults({ repository, backends }: EngineOptions): Readonly<Record<string, string>> {
  return {
    'auto-complete-config': String(repository.autoCompleteConfig),
    'backend-directory': backends.directory,
    'min-compute-capability': backends.minComputeCapability.toFixed(6),
    'default-max-batch-size': '4',
  };
}

/** Agents are built in, and so have no library: the table stays empty, as in a server that loaded none. */
export function agentsTable(): string {
  return textTable([['Repository Agent', 'Path']]);
}

/** `backends` = names of those that models use. */
export function backendsTable(options: ServeOptions, backends: readonly string[]): string {
  const rows = backends.map((name) => [
    name,
    `${options.engine.backends.directory}/${name}`,
    backendConfig(options, name),
  ]);
  return textTable([['Backend', 'Path', 'Config'], ...rows]);
}

/** A model that loading was tried of. */
interface TriedModel {
  readonly id: ModelId;
  readonly versions: readonly { readonly version: number; readonly state: string; readonly reason: string }[];
}

/** One row for each version, by model; one for a model of which no version was chosen. What nobody tried to load has none. */
export function modelsTable(models: Iterable<TriedModel>): string {
  const rows = [...models]
    .sort((a, b) => compareIds(a.id, b.id))
    .flatMap(({ id, versions }) =>
      versions.length === 0
        ? [[modelKey(id), '-', 'Not loaded: No model version was found']]
        : versions.map(({ version, state, reason }) => [
            modelKey(id),
            String(version),
            state === 'UNAVAILABLE' && reason !== '' ? `${state}: ${reason}` : state,
          ]),
    );
  return textTable([['Model', 'Version', 'Status'], ...rows]);
}

/** One row for each option, in the order of the reference. */
export function optionsTable(options: ServeOptions, server: ServerMetadata): string {
  const { engine, table } = options;
  const { repository } = engine;
  const resources = engine.rateLimit.resources.map(
    ({ name, count, deviceId }) =>
      `{"name":"${name}", "count":${count}${deviceId === undefined ? '' : ` "device":${deviceId}`}}`,
  );
  const rows: (readonly [string, string])[] = [
    ['server_id', server.name],
    ['server_version', server.version],
    ['server_extensions', server.extensions.join(' ')],
    ...repository.paths.map((path, at) => [`model_repository_path[${at}]`, shownPath(path)] as const),
    ['model_control_mode', `MODE_${repository.controlMode.toUpperCase()}`],
    ...(repository.controlMode === 'explicit'
      ? repository.startupModels.map((model, at) => [`startup_models_${at}`, model] as const)
      : []),
    ['strict_model_config', bit(!repository.autoCompleteConfig)],
    ['model_config_name', repository.modelConfigName],
    ['rate_limit', engine.rateLimit.mode === 'off' ? 'OFF' : 'EXEC_COUNT'],
    ...resources.map((text, at) => [`rate_limit_resource[${at}]`, text] as const),
    ['pinned_memory_pool_byte_size', String(table.pinnedMemoryPoolByteSize)],
    ...table.cudaMemoryPools.map(
      ([deviceId, byteSize]) => [`cuda_memory_pool_byte_size{${deviceId}}`, String(byteSize)] as const,
    ),
    ['min_supported_compute_capability', engine.backends.minComputeCapability.toFixed(1)],
    ['strict_readiness', bit(engine.server.strictReadiness)],
    ['exit_timeout', String(engine.server.exitTimeoutSec)],
    ['cache_enabled', bit(engine.cache.name !== '')],
  ];
  return textTable([['Option', 'Value'], ...rows]);
}
