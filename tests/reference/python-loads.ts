// Python models that load, complete their configuration, or fail to.

import { ECHO_MODEL, ONE_TO_ONE } from './python-models.ts';

const DECOUPLED = `${ONE_TO_ONE}\nmodel_transaction_policy { decoupled: true }`;
const TEXTS = `input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ -1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_STRING dims: [ -1 ] } ]`;

const load = (initialize: string, more = ''): string => `class TritonPythonModel:
${more}    def initialize(self, args):
        ${initialize}

    def execute(self, requests):
        return [pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))]) for request in requests]
`;
export const completing = (body: string): string => `class TritonPythonModel:
    @staticmethod
    def auto_complete_config(config):
        ${body}

    def execute(self, requests):
        return [pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))]) for request in requests]
`;
export const IO = `config.add_input({"name": "INPUT0", "data_type": "TYPE_FP32", "dims": [-1]}); config.add_output({"name": "OUTPUT0", "data_type": "TYPE_FP32", "dims": [-1]}); `;

/** What a helper has no method for is written into its dictionary. */
const setting = (statement: string): { readonly code: string; readonly config: string } => ({
  code: completing(`c = config.as_dict(); ${statement}; return config`),
  config: ONE_TO_ONE,
});

/** Loaded by the cases: the load's answer, the configuration, one request. */
export const LOADS: Readonly<Record<string, { readonly code: string; readonly config?: string }>> = {
  l_no_class: { code: 'x = 5\n' },
  l_syntax: { code: 'def broken(:\n' },
  l_import: { code: 'import no_such_module\n' },
  l_no_execute: { code: 'class TritonPythonModel:\n    pass\n' },
  l_attributes: {
    code: `${load('raise RuntimeError("not today")').replace('initialize', 'begin')}
    def __getattr__(self, name):
        raise RuntimeError(name)
`,
  },
  l_raises: { code: load('raise RuntimeError("not today")') },
  l_model_error: { code: load('raise pb_utils.TritonModelException("not today")') },
  l_calls: {
    code: load(
      'pb_utils.InferenceRequest(model_name="echo", requested_output_names=["OUTPUT0"], inputs=[]).exec()',
    ),
  },
  l_returns: { code: load('return 5') },
  l_args: {
    code: `class TritonPythonModel:
    def initialize(self, args):
        config = json.loads(args["model_config"])
        self.told = [str(sorted(args)), args["model_instance_kind"], args["model_instance_device_id"], args["model_name"], args["model_version"], os.path.basename(args["model_repository"]), args["model_instance_name"], str(config["max_batch_size"])]

    def execute(self, requests):
        return [pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array(self.told, dtype=object))]) for _ in requests]
`,
    config: TEXTS,
  },
  l_finalize: {
    code: `${ECHO_MODEL}    def finalize(self):\n        raise ValueError("at the end")\n`,
  },
  l_complete: { code: completing(`${IO}return config`), config: 'max_batch_size: 0' },
  l_batch: { code: completing(`${IO}config.set_max_batch_size(4); return config`), config: '#' },
  l_dynamic: {
    code: completing(`${IO}config.set_max_batch_size(4); config.set_dynamic_batching(); return config`),
    config: '#',
  },
  l_smaller_batch: {
    code: completing(`${IO}config.set_max_batch_size(4); return config`),
    config: 'max_batch_size: 8',
  },
  l_other_type: {
    code: completing(
      'config.add_input({"name": "INPUT0", "data_type": "TYPE_INT32", "dims": [-1]}); return config',
    ),
  },
  l_other_dims: {
    code: completing(
      'config.add_input({"name": "INPUT0", "data_type": "TYPE_FP32", "dims": [4]}); return config',
    ),
  },
  l_other_output: {
    code: completing(
      'config.add_output({"name": "OUTPUT0", "data_type": "TYPE_INT32", "dims": [-1]}); return config',
    ),
  },
  l_no_name: {
    code: completing('config.add_input({"data_type": "TYPE_INT32", "dims": [-1]}); return config'),
  },
  l_no_type: { code: completing('config.add_input({"name": "INPUT9", "dims": [-1]}); return config') },
  l_no_dims: {
    code: completing('config.add_input({"name": "INPUT9", "data_type": "TYPE_INT32"}); return config'),
  },
  l_extra_key: {
    code: completing(
      'config.add_input({"name": "INPUT9", "data_type": "TYPE_INT32", "dims": [1], "x": 1}); return config',
    ),
  },
  l_extra_output_key: {
    code: completing(
      'config.add_output({"name": "OUTPUT9", "data_type": "TYPE_INT32", "dims": [1], "optional": True}); return config',
    ),
  },
  l_decouple: {
    code: completing(`${IO}config.set_model_transaction_policy({"decoupled": True}); return config`),
    config: '#',
  },
  l_policy_key: {
    code: completing(`${IO}config.set_model_transaction_policy({"x": True}); return config`),
    config: '#',
  },
  l_policy_changed: {
    code: completing('config.set_model_transaction_policy({"decoupled": False}); return config'),
    config: DECOUPLED,
  },
  l_dynamic_sequence: {
    code: completing('config.set_dynamic_batching(); return config'),
    config: `${ONE_TO_ONE}\nmax_batch_size: 2\nsequence_batching {}`,
  },
  l_returns_nothing: { code: completing('pass'), config: ONE_TO_ONE },
  l_complete_raises: { code: completing('raise ValueError("cannot complete")') },
  l_bad_dtype: {
    code: completing(
      'config.add_input({"name": "INPUT9", "data_type": "TYPE_NONSENSE", "dims": [1]}); return config',
    ),
  },
  l_sets_name: setting('c["name"] = "another"'),
  l_sets_backend: setting('c["backend"] = "identity"'),
  l_sets_platform: setting('c["platform"] = "onnxruntime_onnx"'),
  l_sets_versions: setting('c["version_policy"] = {"all": {}}'),
  l_sets_group: setting('c["instance_group"] = [{"name": "", "count": 2, "kind": "KIND_CPU"}]'),
  l_sets_parameter: setting('c["parameters"]["mine"] = {"string_value": "5"}'),
  l_sets_unknown: setting('c["no_such_field"] = 5'),
  l_sets_wrong_kind: setting('c["max_batch_size"] = "many"'),
  l_drops_inputs: setting('c["input"] = []'),
  l_renames_input: setting('c["input"][0]["name"] = "OTHER"'),
  l_changes_type: setting('c["input"][0]["data_type"] = "TYPE_INT32"'),
  l_changes_dims: setting('c["output"][0]["dims"] = [2]'),
  l_sets_file: setting('c["default_model_filename"] = "other.py"'),
  l_returns_dict: { code: completing('return config.as_dict()'), config: ONE_TO_ONE },
  l_returns_other: {
    code: completing('return pb_utils.ModelConfig(json.dumps(config.as_dict()))'),
    config: ONE_TO_ONE,
  },
  l_ready_true: { code: `${ECHO_MODEL}    def is_ready(self):\n        return True\n` },
  l_env_missing: {
    code: ECHO_MODEL,
    config: `${ONE_TO_ONE}\nparameters { key: "EXECUTION_ENV_PATH" value { string_value: "/nowhere/env.tar.gz" } }`,
  },
  l_env_folder: {
    code: ECHO_MODEL,
    config: `${ONE_TO_ONE}\nparameters { key: "EXECUTION_ENV_PATH" value { string_value: "/tmp" } }`,
  },
  l_batch_two: { code: ECHO_MODEL, config: `${ONE_TO_ONE}\nmax_batch_size: 2` },
};
