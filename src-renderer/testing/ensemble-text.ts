// The text of the ensemble that tests of its drawing edit.

/** Two steps one behind the other: RAW -> first -> mid -> second -> CLASS. */
export const ENSEMBLE_TEXT = `name: "pair"
platform: "ensemble"
input [ { name: "RAW" data_type: TYPE_FP32 dims: [ 4 ] } ]
output [ { name: "CLASS" data_type: TYPE_FP32 dims: [ 4 ] } ]
ensemble_scheduling {
  step [
    { model_name: "first" model_version: 3
      input_map { key: "IN" value: "RAW" }
      output_map { key: "OUT" value: "mid" } },
    { model_name: "second" model_version: -1
      input_map { key: "IN" value: "mid" }
      output_map { key: "OUT" value: "CLASS" } }
  ]
}
`;
