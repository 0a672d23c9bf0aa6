"""Models of frameworks (PyTorch, OpenVINO, TensorFlow, DALI) in the process of an instance: one runner file for each."""
