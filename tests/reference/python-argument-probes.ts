// Expressions about what the interface for models takes as an argument, and about metrics.

/** By theme, evaluated like all probes of Python models. */
export const ARGUMENT_PROBES: Readonly<Record<string, readonly string[]>> = {
  // What counts as text, as a whole number, as a list.
  arguments: [
    'Tensor(b"a", np.zeros(1)).name()',
    'Tensor(name="a", array=np.zeros(1))',
    'repr(Tensor("a", np.zeros(1))).split(" at ")[0]',
    ...['b"x"', 'bytearray(b"x")', 'np.str_("x")', '"\\ud800"', '5'].map(
      (value) => `request(request_id=${value}).request_id()`,
    ),
    ...['np.uint32(2)', 'np.array(2)', 'True', '2.0', '"2"', '-1', '2**32'].map(
      (value) => `request(flags=${value}).flags()`,
    ),
    ...['np.int64(5)', '2**64 - 1', '2**64', '1.5'].map((value) => `request(timeout=${value}).timeout()`),
    ...['np.int64(1)', '2**63', '1.0'].map((value) => `request(model_version=${value}).request_id()`),
    ...['True', '2**64 - 1', 'np.int64(5)', '""'].map(
      (value) => `request(correlation_id=${value}).correlation_id()`,
    ),
    ...['("a",)', 'np.array(["a"])', '{"a"}', 'iter(["a"])', '[b"a"]', 'range(2)'].map(
      (value) => `request(requested_output_names=${value}).requested_output_names()`,
    ),
    ...['()', 'np.array([])', 'range(0)', '{}', '""'].map((value) => `request(inputs=${value}).inputs()`),
    ...['()', 'np.array([])', 'range(0)', '{}', '""'].map(
      (value) => `InferenceResponse(${value}).output_tensors()`,
    ),
    'this.inputs().clear() or len(this.inputs())',
    'this.set_flags(np.int64(2)) or this.flags()',
    'this.set_flags(-1)',
    'this.get_response_sender().send(flags=np.int64(7))',
    'request().exec(decoupled=None)',
    'request().exec(decoupled="x")',
    'TritonError(b"x").message()',
    'pb_utils.PreferredMemory()',
    'pb_utils.Logger.log_info(b"x")',
    ...['np.dtype("float32")', '"float32"', 'float', 'bool', 'object', 'np.dtype("S5")', 'None'].map(
      (type) => `pb_utils.numpy_to_triton_type(${type})`,
    ),
    ...['11.0', '"11"', 'None', '[1]'].map((code) => `pb_utils.triton_to_numpy_type(${code})`),
    'pb_utils.using_decoupled_model_transaction_policy({"model_transaction_policy": {}})',
    'pb_utils.get_input_config_by_name(None, "a")',
    'pb_utils.load_model("spare", files={"file:1/a": "x"})',
    'pb_utils.unload_model("spare", unload_dependents="x")',
    'pb_utils.np is np',
  ],
  // What the registry refuses ends the reference's process now and then: not asked.
  metrics: [
    ...['b"by_bytes"', '"a:b"'].map(
      (name) =>
        `repr(type(pb_utils.MetricFamily(name=${name}, description="d", kind=pb_utils.MetricFamily.COUNTER)))`,
    ),
    'repr(type(pb_utils.MetricFamily(name="silent", description="", kind=pb_utils.MetricFamily.COUNTER)))',
    'repr(type(pb_utils.MetricFamily(name="nv_inference_count", description="d", kind=pb_utils.MetricFamily.COUNTER)))',
    ...['"_a"', '"le"'].map(
      (label) => `family(pb_utils.MetricFamily.COUNTER).Metric(labels={${label}: "x"}).value()`,
    ),
    ...['(1, 2)', '[np.float32(1), np.int64(2)]', '[]'].map(
      (buckets) =>
        `repr(type(family(pb_utils.MetricFamily.HISTOGRAM).Metric(labels={"a": "x"}, buckets=${buckets})))`,
    ),
    ...['np.float32(1.5)', 'np.int64(2)', 'np.array(1.5)', 'True', '"1"', 'None'].map(
      (step) => `use(pb_utils.MetricFamily.COUNTER, lambda m: m.increment(${step}) or m.value())`,
    ),
    'use(pb_utils.MetricFamily.COUNTER, lambda m: m.increment(value=2))',
    'pb_utils.MetricFamily()',
    'pb_utils.MetricFamily(name="a", description="d", kind=7)',
    'family(pb_utils.MetricFamily.COUNTER).Metric(labels=5)',
    'use(pb_utils.MetricFamily.COUNTER, lambda m: m.increment(2) or m.value())',
    'use(pb_utils.MetricFamily.GAUGE, lambda m: m.set(2.5) or m.increment(-1) or m.value())',
  ],
};
