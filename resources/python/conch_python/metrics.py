"""MetricFamily: metrics of a model on the metrics port of the server."""

import math

from .arguments import number, require, text
from .errors import TritonModelException
from .link import link
from .names import NativeEnum, native

_DELETED = (
    "Invalid metric operation as the corresponding 'MetricFamily' has been deleted. The 'MetricFamily' object should be "
    "deleted AFTER its corresponding 'Metric' objects have been deleted."
)


@native
class MetricKind(NativeEnum):
    COUNTER, GAUGE, HISTOGRAM = range(3)


def _ask(failure, op, **arguments):
    try:
        return link.ask(op, **arguments)
    except TritonModelException as error:
        raise TritonModelException(f"{failure}: {error}") from None


def _sent(value):
    """JSON has no word for what is not finite: the engine reads the text."""
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


class _Family:
    """What a family and its metrics share: whether the family still is, and which metrics it has. Those live as long as
    the family, so a model may make the metric of a label set anew for each request and let it go."""

    __slots__ = ("id", "is_deleted", "metrics")

    def __init__(self, family_id):
        self.id = family_id
        self.is_deleted = False
        self.metrics = {}

    def metric(self, labels, buckets):
        """The id of the metric with these labels; asks the server once for each label set."""
        key = (tuple(sorted(labels.items())), None if buckets is None else tuple(buckets))
        if key not in self.metrics:
            self.metrics[key] = _ask(
                "Error when creating Metric", "metric.create", family=self.id, labels=labels, buckets=buckets
            )
        return self.metrics[key]

    def delete(self):
        """Takes the series of all its metrics back: they cannot be changed any more."""
        self.is_deleted = True
        while self.metrics:
            link.tell("metric.delete", metric=self.metrics.popitem()[1])


@native
class Metric:
    """Made by `MetricFamily.Metric`. Its series stays as long as the family."""

    __slots__ = ("_family", "_id", "__weakref__")

    def __init__(self, family, metric_id):
        self._family = family
        self._id = metric_id

    def increment(self, value, /):
        self._change("increment", value)

    def set(self, value, /):
        self._change("set", value)

    def observe(self, value, /):
        self._change("observe", value)

    def value(self):
        self._check("get")
        return float(_ask("Failed to get metric value", "metric.value", metric=self._id))

    def _change(self, operation, value):
        by = _sent(number(value, "value"))
        self._check(operation)
        _ask(f"Failed to {operation} metric value", f"metric.{operation}", metric=self._id, by=by)

    def _check(self, operation):
        if self._family.is_deleted:
            raise TritonModelException(f"Failed to {operation} metric value: {_DELETED}")


@native
class MetricFamily:
    COUNTER, GAUGE, HISTOGRAM = MetricKind
    __slots__ = ("_family", "_kind", "__weakref__")

    def __init__(self, name, description, kind):
        name = text(name, "name")
        description = text(description, "description")
        require(kind, MetricKind, "kind")
        self._kind = kind
        self._family = _Family(
            _ask("Error when creating MetricFamily", "metric.family", name=name, help=description, kind=kind.name)
        )

    def Metric(self, labels=None, buckets=None):  # noqa: N802 - the name is the interface
        if labels is not None and not isinstance(labels, dict):
            raise TritonModelException("Failed to create metric. Labels must be a dictionary.")
        if buckets is not None and not isinstance(buckets, list):
            raise TritonModelException("Failed to create metric. Buckets must be a list.")
        if self._kind == MetricKind.HISTOGRAM:
            if buckets is None:
                raise TritonModelException("Failed to create metric. Missing required buckets.")
        elif buckets is not None:
            raise TritonModelException("Failed to create metric. Unexpected buckets found.")
        labels = {str(key): value for key, value in (labels or {}).items()}
        for value in labels.values():
            if not isinstance(value, str):
                raise TritonModelException(
                    "Error when creating Metric: Failed to process the request for model "
                    f"'{link.instance_name}', message: attempt to access JSON non-string as string"
                )
        sent = None if buckets is None else [_sent(number(each, "each of buckets")) for each in buckets]
        return Metric(self._family, self._family.metric(labels, sent))

    def __del__(self):
        if hasattr(self, "_family"):
            self._family.delete()
