import { expect, test } from 'vitest';

import { modelConfigToDebugText } from './config-debug-text.ts';
import { parseModelConfig } from './parse-model-config.ts';

test('debug text is by number, one line a value, maps by key', () => {
  const { config } = parseModelConfig(`backend: "python"
max_batch_size: 4
input [ { name: "I" data_type: TYPE_FP32 dims: [ 2, -1 ] reshape { shape: [] } } ]
parameters { key: "b" value { string_value: "x" } }
parameters { key: "a" value { string_value: "" } }
instance_group [ { rate_limiter { resources [ { name: "ü\\"\\n" global: true } ] } } ]
optimization { input_pinned_memory { enable: false } }
version_policy { all {} }`);
  expect(modelConfigToDebugText(config)).toBe(`version_policy {
  all {
  }
}
max_batch_size: 4
input {
  name: "I"
  data_type: TYPE_FP32
  dims: 2
  dims: -1
  reshape {
  }
}
instance_group {
  rate_limiter {
    resources {
      name: "\\303\\274\\"\\n"
      global: true
    }
  }
}
optimization {
  input_pinned_memory {
  }
}
parameters {
  key: "a"
  value {
  }
}
parameters {
  key: "b"
  value {
    string_value: "x"
  }
}
backend: "python"
`);
});

test('a configuration with nothing set has no text', () => {
  expect(modelConfigToDebugText(parseModelConfig('').config)).toBe('');
});
