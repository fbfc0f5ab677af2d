package dev.sotto.benchmarks.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingOptions;
import java.io.IOException;
import java.nio.file.Path;

/** A recorded stream with keys, and its configuration in docs/experiments/bounded-keys. */
enum KeyedSet {
  HFLIGHTS_A("hflights-a", "hflights_by_tail.jsonl.gz", "/A", "/bounding_A", 64, 256, 1024),
  HFLIGHTS_B("hflights-b", "hflights_by_tail.jsonl.gz", "/B", "/bounding_B", 64, 256, 1024),
  INCIDENTS("incidents", "incidents_by_caller.jsonl.gz", "", "/bounding", 16, 64, 256);

  /** The records of a key that may be learned from. */
  static final int CAP = 8;

  final String label;
  private final String file;
  private final String task;
  private final String bounding;
  private final int[] batches;

  /**
   * @param batches the grid of round sizes of private runs; those without noise have smaller ones
   *     as well
   */
  KeyedSet(String label, String file, String task, String bounding, int... batches) {
    this.label = label;
    this.file = file;
    this.task = task;
    this.bounding = bounding;
    this.batches = batches;
  }

  int[] batches() {
    return batches.clone();
  }

  Path configuration() {
    return ExperimentFolders.project()
        .resolve("docs/experiments/bounded-keys")
        .resolve(label + ".yaml");
  }

  /** All records, read once. */
  Recording read(Path folder) {
    InMemoryRecording.Builder read = InMemoryRecording.of(file);
    RecordingOptions options = RecordingOptions.defaults().withFields("key", "");
    try (Recording recording = Recordings.open(folder.resolve(file), options);
        RecordCursor cursor = recording.open(0)) {
      while (cursor.next()) {
        read.add(0, cursor.key(), cursor.value());
      }
    }
    return read.build();
  }

  /**
   * What data/README.md tabulates, by FTRL-Proximal record by record at its best rate: log-losses
   * of the running prior, of all records, and of the first {@value #CAP} of every key.
   *
   * @param used how many those are
   */
  record Reference(double prior, double all, double capped, long used) {}

  /** Out of the data's own file of references. */
  Reference reference(Path folder) throws IOException {
    JsonNode set =
        new ObjectMapper().readTree(folder.resolve("reference.json").toFile()).get(file);
    for (JsonNode row : set.at(bounding)) {
      if (row.get("cap").asInt() == CAP) {
        return new Reference(
            set.at(task + "/running_prior_logloss").asDouble(),
            set.at(task + "/ftrl/logloss").asDouble(),
            row.get("logloss").asDouble(),
            row.get("records_used").asLong());
      }
    }
    throw new IllegalStateException("reference.json has no cap of " + CAP + " for " + label);
  }
}
