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
    """What a family and its metrics share: whether the family still is, and which metrics it has."""

    __slots__ = ("id", "is_deleted", "metrics")

    def __init__(self, family_id):
        self.id = family_id
        self.is_deleted = False
        self.metrics = set()

    def delete(self, metric_id):
        """Takes the series of a metric back, once."""
        if metric_id in self.metrics:
            self.metrics.discard(metric_id)
            link.tell("metric.delete", metric=metric_id)


@native
class Metric:
    """Made by `MetricFamily.Metric`. Deleting it takes its series back, unless others have the same."""

    __slots__ = ("_family", "_id")

    def __init__(self, family, metric_id):
        self._family = family
        self._id = metric_id
        family.metrics.add(metric_id)

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

    def __del__(self):
        if hasattr(self, "_id"):
            self._family.delete(self._id)


@native
class MetricFamily:
    COUNTER, GAUGE, HISTOGRAM = MetricKind
    __slots__ = ("_family", "_kind")

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
        metric_id = _ask(
            "Error when creating Metric",
            "metric.create",
            family=self._family.id,
            labels=labels,
            buckets=None if buckets is None else [_sent(number(each, "each of buckets")) for each in buckets],
        )
        return Metric(self._family, metric_id)

    def __del__(self):
        if hasattr(self, "_family"):
            self._family.is_deleted = True
            # Its metrics cannot be changed any more: they leave with it.
            for metric_id in tuple(self._family.metrics):
                self._family.delete(metric_id)
