"""The Python side of hosted models: one process per model instance, started by the engine, numpy its only need."""
