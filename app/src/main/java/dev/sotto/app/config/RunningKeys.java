package dev.sotto.app.config;

import dev.sotto.topology.status.LearnerStatus;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Settings that change no model: how and where a learner runs, and what it leaves on disks. */
final class RunningKeys {
  private RunningKeys() {}

  static void declare(ConfigKeys keys) {
    encryption(keys);
    running(keys);
    http(keys);
  }

  private static void encryption(ConfigKeys keys) {
    keys.group("Encryption at rest");
    keys.optional(
        "encryption.key.file",
        Type.STRING,
        null,
        Rules.path(),
        "The file with the Tink keyset (JSON, AEAD, readable by its owner alone) under which all values of stores, their"
            + " changelogs and `<app>.sequence` are encrypted; without it they are in clear."
            + " `sotto key --encryption FILE` makes one, `--rotate` adds a new key to it. To be chosen before the first"
            + " start: over state that was written otherwise the learner refuses to start.");
    keys.optional(
        "encryption.key.env",
        Type.STRING,
        null,
        Rules.variable(),
        "The name of the environment variable that holds that keyset. Give either this or the file.");
  }

  private static void http(ConfigKeys keys) {
    keys.group("Health and metrics over HTTP");
    keys.optional(
        "http.listen",
        Type.STRING,
        null,
        Rules.listen(),
        "Where `run` answers /health/live, /health/ready, /health/started and /metrics (docs/monitoring.md): `host:port`,"
            + " or a port alone, which means 127.0.0.1; port 0 is any that is free. Without it nothing is opened."
            + " There is no authentication.");
    keys.optional(
        "http.ready.round.age.ms",
        Type.LONG,
        null,
        Rules.atLeast(1),
        "An instance is not ready when no round has closed for longer; without it an idle stream is ready. Needs"
            + " `http.listen`.");
    keys.optional(
        "http.models",
        Type.INT,
        LearnerStatus.MOST_MODELS,
        Rules.between(0, 10_000),
        "So many models have series of their own in /metrics, the first that come; of any more there are only totals.");
  }

  private static void running(ConfigKeys keys) {
    keys.group("Running");
    keys.optional(
        "checkpoint.slots",
        Type.LONG,
        200_000L,
        Rules.atLeast(1),
        "A round in progress is saved after so many slots, which bounds what a restart reads again.");
    keys.optional(
        "checkpoint.interval.ms", Type.LONG, 60_000L, Rules.atLeast(1), "And after so much time.");
    keys.optional(
        "state.every.rounds",
        Type.LONG,
        1L,
        Rules.atLeast(1),
        "Rounds between two writes of large state.");
    keys.optional(
        "release.every.rounds",
        Type.LONG,
        1L,
        Rules.atLeast(1),
        "Rounds between two published snapshots; what a round costs is paid all the same.");
    keys.optional(
        "state.dir", Type.STRING, "./state", Rules.notBlank(), "The folder of the local state.");
    keys.optional(
        "topics.replication.factor",
        Type.SHORT,
        (short) -1,
        Rules.numbers("-1, or at least 1", r -> r == -1 || r >= 1),
        "Of topics that are created; -1 for the broker's default.");
    keys.optional(
        "topics.history.ms",
        Type.LONG,
        7 * 24 * 3_600_000L,
        Rules.atLeast(0),
        "For how long every snapshot stays readable before only the newest is kept.");
    keys.optional(
        "threads", Type.INT, 1, Rules.between(1, 256), "Stream threads of this instance.");
    keys.optional(
        "transaction.timeout.ms",
        Type.INT,
        10_000,
        Rules.between(1_000, 900_000),
        "After this the broker ends the transaction of an instance that died. It must exceed the commit interval and"
            + " not exceed the broker's `transaction.max.timeout.ms` (15 minutes unless changed).");
    keys.optional(
        "kafka." + ConfigKeys.FREE,
        Type.STRING,
        null,
        Rules.any(),
        "Any setting of Kafka's clients or Streams, passed through: `kafka.security.protocol`,"
            + " `kafka.consumer.max.poll.records`.");
  }
}
