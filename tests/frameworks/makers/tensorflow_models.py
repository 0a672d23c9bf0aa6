"""Writes TensorFlow models for tests: `tensorflow_models.py FOLDER`."""

import os
import sys

import tensorflow as tf


def signature(*shapes, kind=tf.float32):
    return [tf.TensorSpec(shape, kind, name=f"INPUT{index}") for index, shape in enumerate(shapes)]


def save(folder, name, function, specs, key="serving_default"):
    module = tf.Module()
    module.function = tf.function(function, input_signature=specs)
    tf.saved_model.save(module, os.path.join(folder, name), signatures={key: module.function})


def add_sub(INPUT0, INPUT1):
    return {"OUTPUT0": INPUT0 + INPUT1, "OUTPUT1": INPUT0 - INPUT1}


def freeze(folder):
    graph = tf.Graph()
    with graph.as_default():
        a = tf.compat.v1.placeholder(tf.float32, [None, 2], name="INPUT0")
        b = tf.compat.v1.placeholder(tf.float32, [None, 2], name="INPUT1")
        tf.add(a, b, name="OUTPUT0")
        tf.subtract(a, b, name="OUTPUT1")
    os.makedirs(os.path.join(folder, "graph"))
    with open(os.path.join(folder, "graph", "model.graphdef"), "wb") as target:
        target.write(graph.as_graph_def().SerializeToString())


def freeze_with_state(folder):
    """OUTPUT0 = INPUT0 + a number that the operations `one` and `two` set."""
    graph = tf.Graph()
    with graph.as_default():
        given = tf.compat.v1.placeholder(tf.float32, [None, 2], name="INPUT0")
        number = tf.compat.v1.get_variable("number", [], use_resource=False)
        for value, name in ((1.0, "one"), (2.0, "two")):
            tf.compat.v1.assign(number, value, name=name)
        tf.add(given, number, name="OUTPUT0")
    os.makedirs(os.path.join(folder, "state"))
    with open(os.path.join(folder, "state", "model.graphdef"), "wb") as target:
        target.write(graph.as_graph_def().SerializeToString())


def freeze_a_counter(folder):
    """OUTPUT0 = how often the session has run, once the operation `zero` was.

    Additions lock the variable, so none is lost when two instances run at once. Reading comes after
    adding without a lock: two that run at once may both read the larger number.
    """
    graph = tf.Graph()
    with graph.as_default():
        given = tf.compat.v1.placeholder(tf.float32, [None, 2], name="INPUT0")
        number = tf.compat.v1.get_variable("number", [], use_resource=False)
        tf.compat.v1.assign(number, 0.0, name="zero")
        tf.add(given * 0.0, tf.compat.v1.assign_add(number, 1.0, use_locking=True), name="OUTPUT0")
    os.makedirs(os.path.join(folder, "counter"))
    with open(os.path.join(folder, "counter", "model.graphdef"), "wb") as target:
        target.write(graph.as_graph_def().SerializeToString())


def freeze_with_a_fault(folder):
    """OUTPUT1 fails whenever it is computed."""
    graph = tf.Graph()
    with graph.as_default():
        given = tf.compat.v1.placeholder(tf.float32, [None, 2], name="INPUT0")
        tf.add(given, given, name="OUTPUT0")
        tf.debugging.check_numerics(tf.math.log(-1.0 - tf.abs(given)), "OUTPUT1 was computed", name="OUTPUT1")
    os.makedirs(os.path.join(folder, "fault"))
    with open(os.path.join(folder, "fault", "model.graphdef"), "wb") as target:
        target.write(graph.as_graph_def().SerializeToString())


def convert_to_lite(folder):
    function = tf.function(add_sub, input_signature=signature([1, 2], [1, 2]))
    converter = tf.lite.TFLiteConverter.from_concrete_functions([function.get_concrete_function()])
    os.makedirs(os.path.join(folder, "lite"))
    with open(os.path.join(folder, "lite", "model.tflite"), "wb") as target:
        target.write(converter.convert())


def freeze_on_a_gpu(folder):
    graph = tf.Graph()
    with graph.as_default():
        given = tf.compat.v1.placeholder(tf.float32, [None, 2], name="INPUT0")
        with tf.device("/device:GPU:0"):
            tf.add(given, given, name="OUTPUT0")
    os.makedirs(os.path.join(folder, "placed"))
    with open(os.path.join(folder, "placed", "model.graphdef"), "wb") as target:
        target.write(graph.as_graph_def().SerializeToString())


def main(folder):
    freeze_on_a_gpu(folder)
    convert_to_lite(folder)
    save(folder, "addsub", add_sub, signature([None, 2], [None, 2]))
    save(folder, "fixed", add_sub, signature([1, 2], [1, 2]))
    save(folder, "texts", lambda INPUT0: {"OUTPUT0": tf.identity(INPUT0)}, signature([None, 1], kind=tf.string))
    save(folder, "named", add_sub, signature([None, 2], [None, 2]), key="other")
    freeze(folder)
    freeze_with_state(folder)
    freeze_a_counter(folder)
    freeze_with_a_fault(folder)


main(sys.argv[1])
