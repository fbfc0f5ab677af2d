#!/usr/bin/env python3
"""Published Sotto models from Python: list versions, check them, score events.

One file. Over Kafka it needs Debian's python3-confluent-kafka and python3-avro, and the schemas that
`./sotto schemas --out schemas` writes; over a file that `./sotto export` writes it needs Python 3.9 and nothing else.

    sotto_models.py versions --bootstrap-server HOST:PORT --app-id APP --schemas schemas
    sotto_models.py check    --bootstrap-server HOST:PORT --app-id APP --schemas schemas
    sotto_models.py score    --file model.json < events.jsonl
    sotto_models.py score    --bootstrap-server HOST:PORT --app-id APP --schemas schemas < events.jsonl

As a module:

    import sotto_models
    model = sotto_models.read_file("model.json")
    model.score({"x": 0.3})["prediction"]

What topics and files hold, byte by byte: docs/wire-format.md. Exit codes: 0 all well, 1 something does not verify, 2 usage.
"""

import argparse
import hashlib
import json
import math
import re
import struct
import sys

SEED = 0x243F6A88


class ModelError(Exception):
    """A model, a record or a file that cannot be used; the message says why."""


class Unusable(Exception):
    """An event that cannot be scored; the message is the reason's name, as the learner names it."""


# ---------------------------------------------------------------------------------------------- features


def murmur3(data, seed=SEED):
    """MurmurHash3, x86, 32 bits, as an unsigned number."""
    h = seed
    end = len(data) & ~3
    for i in range(0, end, 4):
        k = int.from_bytes(data[i : i + 4], "little")
        k = k * 0xCC9E2D51 & 0xFFFFFFFF
        k = (k << 15 | k >> 17) & 0xFFFFFFFF
        h ^= k * 0x1B873593 & 0xFFFFFFFF
        h = (h << 13 | h >> 19) & 0xFFFFFFFF
        h = (h * 5 + 0xE6546B64) & 0xFFFFFFFF
    if end < len(data):
        k = int.from_bytes(data[end:], "little")
        k = k * 0xCC9E2D51 & 0xFFFFFFFF
        k = (k << 15 | k >> 17) & 0xFFFFFFFF
        h ^= k * 0x1B873593 & 0xFFFFFFFF
    h ^= len(data)
    h ^= h >> 16
    h = h * 0x85EBCA6B & 0xFFFFFFFF
    h ^= h >> 13
    h = h * 0xC2B2AE35 & 0xFFFFFFFF
    return h ^ h >> 16


def field(event, path):
    """The value at a path of names with dots between; None where there is none. A name with dots in it comes first."""
    return found(event, path.split("."))[1]


def found(event, names):
    """Whether there is such a field, and its value."""
    if not isinstance(event, dict):
        return False, None
    for end in range(len(names), 0, -1):
        name = ".".join(names[:end])
        if name in event:
            there = (True, event[name]) if end == len(names) else found(event[name], names[end:])
            if there[0]:
                return there
    return False, None


BLANKS = " \t\u00a0"
TEXT_NUMBERS = {
    comma: re.compile(r"[+-]?(?:(?:%s)(?:%s[0-9]*)?|%s[0-9]+)(?:[eE][+-]?[0-9]+)?" % (whole, point, point))
    for comma, whole, point in (
        (None, r"[0-9]+", r"\."),
        ("decimal", r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+|[0-9]+", ","),
        ("thousands", r"[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]+", r"\."),
    )
}
NOT_GIVEN = re.compile(r"[ \t]*(?:#?n/?a|nan|null|nil|none|missing|unknown|[?.-]{1,7})[ \t]*", re.IGNORECASE | re.ASCII)
NO_NUMBERS = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)


def number_in(text, comma, marks):
    """The number that a text is where one is due; comma says what one means in it: decimal, thousands or None."""
    plain = text.strip(BLANKS)
    if not text.strip(" \t"):
        raise Unusable("MISSING_FIELD")
    if marks and NOT_GIVEN.fullmatch(text):
        raise Unusable("MISSING_FIELD")
    if len(plain.encode("utf-8", "replace")) <= 400:
        if NO_NUMBERS.fullmatch(plain):
            raise Unusable("MISSING_FIELD" if marks and plain[-1] in "nN" else "NOT_FINITE")
        if TEXT_NUMBERS[comma].fullmatch(plain):
            group = {"decimal": ".", "thousands": ","}.get(comma)
            plain = plain.replace(group, "") if group else plain
            return float(plain.replace(",", "."))
    raise Unusable("WRONG_TYPE")


def number_of(value, comma=None, marks=False):
    """A finite number, also one in a text. A boolean is none; marks: whether NA and the like are missing."""
    if value is None:
        raise Unusable("MISSING_FIELD")
    if isinstance(value, str):
        value = number_in(value, comma, marks)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Unusable("WRONG_TYPE")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise Unusable("MISSING_FIELD" if marks and math.isnan(number) else "NOT_FINITE")
    return number


def text_of(value, marks=False):
    """The text of a category, as bytes: text, a boolean, or a number."""
    if isinstance(value, bool):
        return b"true" if value else b"false"
    if isinstance(value, str):
        return value.encode("utf-8", "replace")
    number = number_of(value, None, marks)
    if isinstance(value, int):
        return str(value).encode()
    if abs(number) < 2.0**53 and number == round(number):
        return str(int(number)).encode()
    return b"0x" + struct.pack(">d", number).hex().encode()


def add_hats(vector, first, position, intervals):
    """Two neighbouring hats of a position between 0 and the number of intervals: together of norm 0.5."""
    lower = min(int(position), intervals - 1)
    r = position - lower
    scale = 0.5 / math.sqrt((1 - r) ** 2 + r**2)
    for place, hat in ((first + lower, scale * (1 - r)), (first + lower + 1, scale * r)):
        if hat:
            vector[place] = vector.get(place, 0.0) + hat


class Numeric:
    def __init__(self, words, coordinate, hats, reading):
        self.hats, self.reading = hats, reading
        _, path, low, high, transform, need = words
        self.path, self.coordinate, self.optional = path, coordinate, need == "optional"
        self.min, self.max = float(low), float(high)
        if transform not in ("identity", "log1p"):
            raise ModelError("the transform %r is not known" % transform)
        self.t = (lambda v: v) if transform == "identity" else (lambda v: math.log1p(max(v, 0.0)))
        self.low = self.t(self.min)
        self.width = self.t(self.max) - self.low

    def add_to(self, vector, event):
        value = number_of(field(event, self.path), *self.reading)
        if value <= self.min:
            z = -1.0
        elif value >= self.max:
            z = 1.0
        else:
            z = 2 * max(0.0, min(1.0, (self.t(value) - self.low) / self.width)) - 1
        vector[self.coordinate] = z
        if self.hats:
            add_hats(vector, self.coordinate + 1, (z + 1) * (self.hats / 2), self.hats)


class Unbounded:
    """A number without bounds: hats at its octaves, its place in a range that was measured, or both."""

    OCTAVES, PLACES = 101, 14

    def __init__(self, words, coordinate, reading, ranges):
        self.reading = reading
        name, self.path, kind, need = words
        self.octaves, self.places = {
            "measured": (self.OCTAVES, self.PLACES),
            "octaves": (self.OCTAVES, 0),
            "place": (0, 1),
        }[kind]
        self.coordinate, self.optional = coordinate, need == "optional"
        self.range = ranges.get(name, ("unknown", 0.0, 0.0)) if ranges else None

    def dimension(self):
        return self.octaves + self.places

    def place(self, x):
        state, low, high = self.range
        if state == "unknown":
            z = math.copysign(math.log1p(abs(x)) / math.log1p(1e6), x)
        elif state == "atom":
            z = float((x > 0) - (x < 0))
        else:
            z = 2 * ((x - low) / (high - low)) - 1
            if abs(z) > 1:
                z = math.copysign(1 + 0.5 * (math.log(abs(z)) if math.isfinite(z) else 1e3), z)
        return max(-3.0, min(3.0, z))

    def add_to(self, vector, event):
        x = number_of(field(event, self.path), *self.reading)
        if self.octaves:
            octave = math.log1p(1024 * abs(x)) / math.log(2) if 1024 * abs(x) < math.inf else 50.0
            add_hats(vector, self.coordinate, math.copysign(min(50.0, octave), x) + 50, self.OCTAVES - 1)
        if self.places and self.range:
            z, first = self.place(x), self.coordinate + self.octaves
            vector[first] = vector.get(first, 0.0) + z
            if self.places > 1:
                add_hats(vector, first + 1, (z + 3) * 2, self.PLACES - 2)


class Hashed:
    def __init__(self, words, first, bits, marks):
        self.marks = marks
        self.prefix = words[0].encode() + b"="
        self.paths, self.optional = words[1:-1], words[-1] == "optional"
        self.first, self.mask = first, (1 << bits) - 1

    def add_to(self, vector, event):
        data = self.prefix
        for path in self.paths:
            text = text_of(field(event, path), self.marks)
            data += (b"%d:" % len(text) if len(self.paths) > 1 else b"") + text
        h = murmur3(data)
        place = self.first + (h & self.mask)
        vector[place] = vector.get(place, 0.0) + (-1.0 if h & 0x80000000 else 1.0)


class FeatureMap:
    """From an event (a dict) to a vector (a dict from coordinate to value), by the manifest's own text."""

    TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s"]+')

    def __init__(self, text):
        lines = text.split("\n")
        if lines[0] != "feature-map 1":
            raise ModelError(
                "the features begin with %r, which this reader does not know: it reads 'feature-map 1'" % lines[0]
            )
        self.bias, self.norm, self.label, self.further = True, "scale", None, {}
        numeric, unbounded, ranges, hashed, bits, hats, comma, marks = [], [], {}, [], 0, 0, None, False
        label_range = "unknown", 0.0, 0.0
        for number, line in enumerate(lines[1:], 2):
            if not line:
                continue
            words = self.TOKEN.findall(line)
            rest = [json.loads(word) if word.startswith('"') else word for word in words[1:]]
            kind = words[0]
            try:
                if kind == "bias":
                    self.bias = {"true": True, "false": False}[rest[0]]
                elif kind == "norm":
                    self.norm = {"scale": "scale", "clip": "clip"}[rest[0]]
                elif kind == "hash":
                    if rest[:3] != ["murmur3", "%x" % SEED, "bits"]:
                        raise ModelError("hash")
                    bits = int(rest[3])
                elif kind == "hats":
                    (hats,) = map(int, rest)
                elif kind == "comma":
                    comma = {"decimal": "decimal", "thousands": "thousands"}[rest[0]]
                elif kind == "missing":
                    marks = {"usual": True}[rest[0]]
                elif kind == "numeric":
                    numeric.append(rest)
                elif kind == "unbounded":
                    unbounded.append(rest)
                elif kind == "range":
                    name, state, low, high = rest
                    if state not in ("unknown", "atom", "measured"):
                        raise ModelError("state")
                    ranges[name] = state, float(low), float(high)
                elif kind in ("categorical", "cross"):
                    hashed.append(rest)
                elif kind == "label":
                    self.label = rest
                elif kind == "label-range":
                    state, low, high = rest
                    label_range = state, float(low), float(high)
                elif kind not in ("weight", "unit"):
                    self.further[kind] = rest
            except (KeyError, IndexError, ValueError, ModelError) as wrong:
                raise ModelError("line %d of the feature map is not understood: %s" % (number, line)) from wrong
        if self.label is None:
            raise ModelError("the feature map names no label")
        self.scale = self.label_scale(label_range)
        offset = 1 if self.bias else 0
        each = hats + 2 if hats else 1
        first = offset + each * len(numeric)
        self.features = [Numeric(words, offset + i * each, hats, (comma, marks)) for i, words in enumerate(numeric)]
        for words in unbounded:
            self.features.append(Unbounded(words, first, (comma, marks), ranges))
            first += self.features[-1].dimension()
        self.features += [Hashed(words, first, bits, marks) for words in hashed]
        self.dimension = first + (1 << bits if hashed else 0)

    def label_scale(self, measured):
        """What 0 and 1 are in the unit of the label's field; None where predictions are in it."""
        rule = self.label[1]
        if rule == "range":
            low, high = map(float, self.label[2:])
            return low, high - low
        if rule != "measured":
            return None
        state, low, high = measured
        if state != "measured":
            raise ModelError(
                "nothing was learned of the label %r, whose range was not found (%s): give label.min and label.max,"
                " and learn again" % (self.label[0], state)
            )
        return low + (high - low) / 2, high - low

    def vector(self, event):
        if not isinstance(event, dict):
            raise Unusable("WRONG_TYPE")
        vector = {0: 1.0} if self.bias else {}
        for feature in self.features:
            try:
                feature.add_to(vector, event)
            except Unusable as fault:
                if not (feature.optional and str(fault) == "MISSING_FIELD"):
                    raise
        norm = math.sqrt(math.fsum(v * v for v in vector.values()))
        if norm > 0 and (self.norm == "scale" or norm > 1):
            vector = {i: v / norm for i, v in vector.items()}
        return vector


NUMBER_OR_BOOLEAN = re.compile(
    r"[ \t\u00a0]*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?[ \t\u00a0]*|true|false", re.I | re.A
)


def class_text(item):
    """The text of a listed class: quotes around a number or a boolean make it a text only."""
    inner = item[1:-1]
    if len(item) > 2 and item[0] == item[-1] == '"':
        if NUMBER_OR_BOOLEAN.fullmatch(inner) or class_text(inner) != inner:
            return inner
    return item


# ------------------------------------------------------------------------------------------------- losses


def logistic(score):
    small = math.exp(-abs(score))
    return 1 / (1 + small) if score >= 0 else small / (1 + small)


def poisson(score):
    try:
        return min(sys.float_info.max, math.exp(score))
    except OverflowError:
        return sys.float_info.max


LINKS = {
    "logistic": logistic,
    "squared": lambda s: s,
    "absolute": lambda s: s,
    "quantile": lambda s: s,
    "huber": lambda s: s,
    "hinge": lambda s: 1.0 if s >= 0 else 0.0,
    "smoothed-hinge": lambda s: 1.0 if s >= 0 else 0.0,
    "poisson": poisson,
}


def gelu(a):
    return a * logistic(2 * math.sqrt(2 / math.pi) * (a + 0.044715 * a * a * a))


ACTIVATIONS = {
    "tanh": math.tanh,
    "sigmoid": logistic,
    "softplus": lambda a: max(a, 0.0) + math.log1p(math.exp(-abs(a))),
    "swish": lambda a: a * logistic(a),
    "gelu": gelu,
}


def softmax(scores):
    largest = max(scores)
    shares = [math.exp(s - largest) for s in scores]
    total = sum(shares)
    return [share / total for share in shares]


class Objective:
    """What a vector and weights predict, by the manifest's name of the loss."""

    CALL = re.compile(r"([a-z-]+)(?:\(([^()]*)\))?$")
    NETWORK = re.compile(r"network\(hidden=(\d+) activation=([a-z]+) output=([a-z]+(?:\(\d+\))?) seed=-?\d+\)$")

    def __init__(self, name):
        network = self.NETWORK.match(name)
        self.hidden = int(network.group(1)) if network else 0
        head = network.group(3) if network else name
        self.activation = ACTIVATIONS.get(network.group(2)) if network else None
        call = self.CALL.match(head)
        kind = call.group(1) if call else None
        self.classes = int(call.group(2)) if kind == "softmax" else 0
        self.link = LINKS.get(kind)
        if not (self.classes or self.link) or (network and not self.activation):
            raise ModelError("the loss %r is not known to this reader" % name)

    def rows(self):
        return self.hidden or self.classes or 1

    def tail(self):
        return (self.classes or 1) * (self.hidden + 1) if self.hidden else 0

    def predict(self, vector, weights):
        inputs = (len(weights) - self.tail()) // self.rows()
        rows = [math.fsum(weights[r * inputs + i] * v for i, v in vector.items()) for r in range(self.rows())]
        if self.hidden:
            units = [self.activation(a) for a in rows]
            at = len(weights) - self.tail()
            outputs = self.classes or 1
            biases = len(weights) - outputs
            rows = [
                weights[biases + k] + math.fsum(weights[at + k * self.hidden + j] * u for j, u in enumerate(units))
                for k in range(outputs)
            ]
        return softmax(rows) if self.classes else [self.link(rows[0])]


# -------------------------------------------------------------------------------------------------- model


def digest(weights, guarantee):
    """SHA-256 over the weights (big-endian doubles) and every figure of the guarantee."""
    h = hashlib.sha256(struct.pack(">%dd" % len(weights), *weights))
    names = "|".join(guarantee[k] for k in ("unit", "adjacency", "mechanism"))
    h.update(names.encode())
    figures = [math.inf if guarantee[k] is None else guarantee[k] for k in ("mu", "epsilon", "delta", "muLimit", "epsilonLimit")]
    h.update(struct.pack(">5d", *figures))
    return h.digest()


class Model:
    """One published version: a manifest (dict) and its weights, checked as it is made."""

    def __init__(self, manifest, weights):
        self.manifest, self.weights = manifest, weights
        self.model_id, self.version = manifest["modelId"], manifest["version"]
        if digest(weights, manifest["guarantee"]) != manifest["digest"]:
            raise ModelError(
                "version %d of model %s does not verify: weights and guarantee do not give its digest"
                % (self.version, self.model_id)
            )
        self.objective = Objective(manifest["loss"])
        self.features = None
        if manifest["features"].startswith("feature-map "):
            self.features = FeatureMap(manifest["features"])
            expected = self.objective.rows() * self.features.dimension + self.objective.tail()
            if expected != len(weights):
                raise ModelError("the features ask for %d weights, but there are %d" % (expected, len(weights)))

    def score(self, event):
        """The prediction for an event: a dict with 'prediction', and 'probabilities' where there are classes.

        Raises Unusable where the event lacks what is needed."""
        if self.features is None:
            raise ModelError("this model learns from vectors: use score_vector")
        return self.shown(self.objective.predict(self.features.vector(event), self.weights))

    def score_vector(self, vector):
        """The same for a vector: a dict from coordinate to value, or a list."""
        entries = vector if isinstance(vector, dict) else dict(enumerate(vector))
        return self.shown(self.objective.predict(entries, self.weights))

    def shown(self, figures):
        rule = self.features.label[1:] if self.features else ["as-it-is"]
        if self.objective.classes:
            likeliest = max(range(len(figures)), key=lambda k: (figures[k], -k))
            names = rule[1:] if rule[0] == "names" else None
            return {
                "prediction": class_text(names[likeliest]) if names else likeliest,
                "probability": figures[likeliest],
                "probabilities": figures,
            }
        if self.features and self.features.scale:
            zero, one = self.features.scale
            return {"prediction": zero + one * figures[0]}
        return {"prediction": figures[0]}


def read_file(path):
    """The model in a file that `./sotto export` has written."""
    with open(path, encoding="utf-8") as file:
        try:
            held = json.load(file)
        except ValueError as broken:
            raise ModelError("%s is not JSON: %s" % (path, broken)) from broken
    if held.get("format") != "sotto-model 1":
        raise ModelError("%s is of format %r; this reader knows 'sotto-model 1'" % (path, held.get("format")))
    manifest = dict(held)
    manifest["digest"] = bytes.fromhex(held["digest"])
    return Model(manifest, manifest.pop("weights"))


# ------------------------------------------------------------------------------------------------- MLflow


class PythonFunction:
    """A model as MLflow's flavour python_function calls it; docs/mlflow.md."""

    def __init__(self, model):
        self.model = model

    def predict(self, model_input, params=None):
        """The prediction of each row, as a list; with the parameter probabilities those of the classes.

        Rows are a DataFrame, a dict of columns, a list of dicts (events), or vectors (a list of lists, an array).
        Raises ModelError where a row cannot be scored."""
        wanted = "probabilities" if (params or {}).get("probabilities") else "prediction"
        if wanted == "probabilities" and not self.model.objective.classes:
            raise ModelError("this model has no classes, so it has no probabilities of them")
        return [self.scored(number, row)[wanted] for number, row in enumerate(rows(model_input), 1)]

    def scored(self, number, row):
        try:
            if isinstance(row, dict) and self.model.features:
                return self.model.score({name: value for name, value in row.items() if not missing(value)})
            vector = list(row.values() if isinstance(row, dict) else row)
            inputs = (len(self.model.weights) - self.model.objective.tail()) // self.model.objective.rows()
            if len(vector) != inputs:
                raise ModelError("row %d has %d numbers, but the model takes %d" % (number, len(vector), inputs))
            return self.model.score_vector([number_of(value) for value in vector])
        except Unusable as why:
            raise ModelError("row %d cannot be scored: %s" % (number, why)) from why


def rows(given):
    """The rows of what MLflow hands over."""
    if hasattr(given, "to_dict"):
        return given.to_dict(orient="records")
    if isinstance(given, dict):
        columns = {name: each.tolist() if hasattr(each, "tolist") else each for name, each in given.items()}
        if any(not isinstance(each, (list, tuple)) for each in columns.values()):
            return [columns]
        if len({len(each) for each in columns.values()}) > 1:
            raise ModelError("columns must be equally long, but are not")
        return [dict(zip(columns, row)) for row in zip(*columns.values())]
    return given.tolist() if hasattr(given, "tolist") else given


def missing(value):
    """Whether a cell of a table holds nothing: None, NaN, and what pandas has for them."""
    return value is None or isinstance(value, float) and value != value or type(value).__name__ == "NAType"


def _load_pyfunc(path):
    """What MLflow calls with the path of the model's data."""
    return PythonFunction(read_file(path))


# -------------------------------------------------------------------------------------------------- Kafka


class Schemas:
    """The schemas that `./sotto schemas --out FOLDER` has written, by the header of their records."""

    def __init__(self, folder):
        import os

        self.by_header = {}
        for name in sorted(os.listdir(folder)):
            if name.endswith(".avsc"):
                header = name[: -len(".avsc")].rsplit("-", 1)[-1]
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    self.by_header[bytes.fromhex(header)] = file.read()
        if not self.by_header:
            raise ModelError("%s holds no schemas: write them with ./sotto schemas --out %s" % (folder, folder))
        self.readers = {}

    def decode(self, value):
        """The record (a dict) of bytes in single-object encoding."""
        import io

        import avro.io
        import avro.schema

        header = value[:10]
        if header not in self.by_header:
            raise ModelError(
                "a record begins with %s, which no schema at hand writes: a newer version of Sotto may have; write"
                " the schemas again with its ./sotto schemas" % header.hex()
            )
        if header not in self.readers:
            schema = avro.schema.parse(self.by_header[header])
            self.readers[header] = avro.io.DatumReader(schema, schema)
        return self.readers[header].read(avro.io.BinaryDecoder(io.BytesIO(value[10:])))


def records(servers, topic, more=None, last=None):
    """Every committed record of a topic, as (partition, offset, key, value), up to its present end.

    Of each partition the last offsets alone, where their number is given."""
    from confluent_kafka import Consumer, KafkaException, TopicPartition

    settings = {
        "bootstrap.servers": servers,
        "group.id": "unused",  # the client asks for one; nothing is committed to it
        "isolation.level": "read_committed",
        "enable.auto.commit": False,
        "enable.partition.eof": False,
        "auto.offset.reset": "error",
    }
    settings.update(more or {})
    consumer = Consumer(settings)
    try:
        try:
            known = consumer.list_topics(topic, timeout=20).topics[topic]
        except KafkaException as unreachable:
            raise ModelError("no broker answers at %s: %s" % (servers, unreachable)) from unreachable
        if known.error is not None or not known.partitions:
            raise ModelError("topic %s does not exist on %s; check --app-id" % (topic, servers))
        for partition in sorted(known.partitions):
            low, high = consumer.get_watermark_offsets(TopicPartition(topic, partition), timeout=20)
            if low >= high:
                continue
            first = low if last is None else max(low, high - last)
            consumer.assign([TopicPartition(topic, partition, first)])
            while True:
                message = consumer.poll(0.2)
                if message is not None:
                    if message.error():
                        raise ModelError("reading %s failed: %s" % (topic, message.error()))
                    yield partition, message.offset(), message.key(), message.value()
                position = consumer.position([TopicPartition(topic, partition)])[0].offset
                if position >= high:
                    break
    finally:
        consumer.close()


# Offsets at the end of a partition that are looked at before all of it is.
ENDS = (64, 1024, 16384, None)


def plain(record):
    """A manifest as this module keeps it, from its Avro record."""
    manifest = dict(record)
    manifest["runId"] = manifest["runId"].hex()
    return manifest


def versions(servers, app, schemas, more=None, last=None):
    """Every whole version that the snapshots topic holds, oldest first, as (Model or None, manifest, what is wrong).

    With a number of offsets those at the end of each partition only."""
    chunks = {}
    for _, _, key, value in records(servers, app + ".snapshots", more, last):
        if key is None or value is None:
            continue
        record = schemas.decode(value)
        if not key.endswith(b"/manifest"):
            chunks.setdefault(record["modelId"], {})[record["index"]] = (record["version"], record["weights"])
            continue
        manifest = plain(record)
        held = chunks.get(manifest["modelId"], {})
        pieces = [held.get(i) for i in range(manifest["chunks"])]
        if any(piece is None or piece[0] != manifest["version"] for piece in pieces):
            yield None, manifest, "a chunk of its weights is missing (compaction, or a reader that saw only a part)"
            continue
        packed = b"".join(piece[1] for piece in pieces)
        if len(packed) != 8 * manifest["dimension"]:
            yield None, manifest, "its chunks do not add up"
            continue
        weights = list(struct.unpack("<%dd" % manifest["dimension"], packed))
        try:
            yield Model(manifest, weights), manifest, None
        except ModelError as wrong:
            yield None, manifest, str(wrong)


def newest(servers, app, schemas, model_id="model", version=None, more=None):
    """The newest whole version of a model, or that of one number: looked for from the end of the topic."""
    found, wrong = None, None
    for last in ENDS:
        for model, manifest, fault in versions(servers, app, schemas, more, last):
            if manifest["modelId"] == model_id and version in (None, manifest["version"]):
                found, wrong = (model or found), fault
        if found is not None:
            break
    if found is None:
        raise ModelError(
            "topic %s.snapshots holds no whole version%s of model %s%s"
            % (app, "" if version is None else " %d" % version, model_id, ": " + wrong if wrong else "")
        )
    return found


def alias_target(servers, app, schemas, name, more=None):
    """The (model id, version) that an alias names."""
    newest_record = None
    for _, _, key, value in records(servers, app + ".aliases", more):
        if key == name.encode() and value is not None:
            newest_record = schemas.decode(value)
    target = newest_record["newest"]["target"] if newest_record else None
    if target is None:
        raise ModelError("topic %s.aliases names no version %s: set one with ./sotto alias set" % (app, name))
    return target["modelId"], target["version"]


def check_ledger(servers, app, schemas, more=None):
    """Follows the chain of every ledger partition: (entries by (model, round), faults)."""
    before, sequence, entries, faults = {}, {}, {}, []
    for partition, offset, _, value in records(servers, app + ".ledger", more):
        where = "%s.ledger, partition %d, offset %d" % (app, partition, offset)
        if value is None:
            faults.append(where + ": a deletion mark instead of an entry")
            continue
        entry = schemas.decode(value)
        if entry["previousHash"] != before.get(partition, bytes(32)):
            faults.append(where + ": previousHash is not the hash of the entry before")
        if entry["sequence"] != sequence.get(partition, 0) + 1:
            faults.append(where + ": sequence %d follows %d" % (entry["sequence"], sequence.get(partition, 0)))
        before[partition], sequence[partition] = hashlib.sha256(value).digest(), entry["sequence"]
        entries[entry["modelId"], entry["round"]] = (before[partition], entry)
    return entries, faults


def measured_in(paid, batch, features):
    """Whether the window in which a feature map was measured, if it has one, is the one that an entry pays for."""
    lines = [line.split(" ") for line in features.split("\n") if line.startswith("window ")]
    if not lines:
        return True
    words = dict(word.split("=") for word in paid.split(" ")) if paid else {}
    due = words and [3 * int(words["rounds"]) * batch] + [float.fromhex(words[each]) for each in ("sigma", "share")]
    return due == [int(lines[0][2]), float(lines[0][4]), float(lines[0][6])]


def confirms(entry, digest, manifest):
    """Whether a ledger entry, whose bytes have this SHA-256, is that of a version: of its run, weights and ranges."""
    return (
        manifest["ledgerHash"] == digest
        and manifest["runId"] == entry["runId"].hex()
        and manifest["digest"] == entry["snapshotDigest"]
        and measured_in(entry.get("rangeWindow", ""), entry["batch"], manifest["features"])
    )


# ------------------------------------------------------------------------------------------- command line


def arguments():
    parser = argparse.ArgumentParser(description="Published Sotto models from Python.")
    parser.add_argument("command", choices=["versions", "check", "score"])
    parser.add_argument("--file", help="a model that ./sotto export has written; for score")
    parser.add_argument("--bootstrap-server")
    parser.add_argument("--app-id")
    parser.add_argument("--schemas", default="schemas", help="the folder that ./sotto schemas --out has written")
    parser.add_argument("--model", metavar="MODEL[@VERSION]", help="default: the newest version of model")
    parser.add_argument("--version-number", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--alias", help="the version that this alias names, of whatever model")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of librdkafka")
    given = parser.parse_args()
    if not given.file and not (given.bootstrap_server and given.app_id):
        parser.error("give --file, or --bootstrap-server and --app-id")
    if given.file and given.command != "score":
        parser.error("--file goes with score")
    if given.file and (given.model or given.version_number or given.alias):
        parser.error("the file of --file holds one version: leave out --model and --alias")
    name, at, number = (given.model or "model").rpartition("@")
    if at and number == "newest":
        given.model = name
    elif at and number.isdigit():
        given.model, given.version_number = name, int(number)
    else:
        given.model = given.model or "model"
    return given


def list_versions(given, schemas, more):
    for model, manifest, fault in versions(given.bootstrap_server, given.app_id, schemas, more):
        epsilon = manifest["guarantee"]["epsilon"]
        print(
            "%-20s version %-8d %-7d weights  epsilon %-12s %s"
            % (
                manifest["modelId"],
                manifest["version"],
                manifest["dimension"],
                "infinite" if epsilon is None else "%.6f" % epsilon,
                fault or "verified",
            )
        )
    return 0


def check(given, schemas, more):
    entries, faults = check_ledger(given.bootstrap_server, given.app_id, schemas, more)
    whole = 0
    for model, manifest, fault in versions(given.bootstrap_server, given.app_id, schemas, more):
        name = "version %d of model %s" % (manifest["version"], manifest["modelId"])
        entry = entries.get((manifest["modelId"], manifest["version"]))
        if fault and "chunk of its weights is missing" in fault:
            continue  # an older version that compaction has thinned out
        if fault:
            faults.append(name + ": " + fault)
        elif entry is None:
            faults.append(name + ": the ledger has no entry of it")
        elif not confirms(entry[1], entry[0], manifest):
            faults.append(name + ": its ledger entry is another one")
        else:
            whole += 1
    for fault in faults:
        print(fault, file=sys.stderr)
    print("%d ledger entries, %d whole versions, %d faults" % (len(entries), whole, len(faults)))
    return 1 if faults else 0


def score(given, schemas, more):
    if given.file:
        model = read_file(given.file)
    else:
        model_id, version = given.model, given.version_number
        if given.alias:
            model_id, version = alias_target(given.bootstrap_server, given.app_id, schemas, given.alias, more)
        model = newest(given.bootstrap_server, given.app_id, schemas, model_id, version, more)
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        try:
            print(json.dumps(model.score(json.loads(line))))
        except ValueError:
            print(json.dumps({"unusable": "UNREADABLE"}))
        except Unusable as why:
            print(json.dumps({"unusable": str(why)}))
    return 0


def main():
    given = arguments()
    try:
        schemas = None if given.file else Schemas(given.schemas)
        more = dict(each.split("=", 1) for each in given.set)
        return {"versions": list_versions, "check": check, "score": score}[given.command](given, schemas, more)
    except ModelError as wrong:
        print("sotto_models: %s" % wrong, file=sys.stderr)
        return 1
    except OSError as wrong:
        print("sotto_models: %s" % wrong, file=sys.stderr)
        return 1
    except ImportError as missing:
        print(
            "sotto_models: the module %s is not there: topics need Debian's python3-confluent-kafka and python3-avro"
            " (docs/python.md); a file of ./sotto export needs neither: score --file" % missing.name,
            file=sys.stderr,
        )
        return 1


if __name__ == "__main__":
    sys.exit(main())
