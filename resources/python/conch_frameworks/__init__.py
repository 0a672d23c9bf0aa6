"""Models of frameworks (PyTorch, OpenVINO, TensorFlow, DALI, TensorRT) in the process of an instance: one runner file for each."""
