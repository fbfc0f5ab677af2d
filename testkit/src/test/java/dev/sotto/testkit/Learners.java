package dev.sotto.testkit;

import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.learner.key.SecretFile;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.testing.Seed;
import dev.sotto.topology.encryption.Keyset;
import dev.sotto.topology.settings.LearnerSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Configurations as a user writes them, and made events for them. */
final class Learners {
  private static final int DIMENSION = 4;
  private static final String YAML = """
      app.id: schedules
      bootstrap.servers: localhost:9092
      events.topic: arrivals
      events.format: example
      features.dimension: 4
      loss: logistic
      clip.norm: 1
      privacy.epsilon: 1e6
      privacy.delta: 1e-6
      privacy.noise.multiplier: 0.5
      privacy.mechanism: binary-tree
      checkpoint.slots: 37
      """;

  static final String MEASURED = """
      app.id: schedules
      bootstrap.servers: localhost:9092
      events.topic: arrivals
      features.numeric.a.field: a
      features.numeric.b.field: b
      features.numeric.b.optional: true
      features.numeric.bounded: {field: a, min: 0, max: 1}
      features.categorical.user.field: user
      features.hash.bits: 2
      label.field: y
      loss: logistic
      privacy.epsilon: 4
      privacy.delta: 1e-6
      checkpoint.slots: 37
      batch.size: 12
      release.every.slots: 12
      """;

  private Learners() {}

  /** The settings that a configuration file with these further lines gives. */
  static LearnerSettings of(Path folder, String... more) {
    return of(YAML, folder, more);
  }

  private static LearnerSettings of(String yaml, Path folder, String... more) {
    try {
      Path key = folder.resolve("noise.key");
      if (!Files.exists(key)) {
        byte[] secret = new byte[32]; // of the seed: what noise alone may bring about is the same
        Seed.random(17).nextBytes(secret);
        SecretFile.create(key, HexFormat.of().formatHex(secret) + "\n");
        Keyset.create(folder.resolve("keyset.json"));
      }
      Path file = folder.resolve("sotto.yaml");
      Files.writeString(file, yaml + "noise.key.file: " + key + "\n");
      return SottoConfig.load(
              ConfigSource.of(file).withEnvironment(Map.of()).withFlags(List.of(more)))
          .learner();
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
  }

  /** The same of an algorithm that brings its mechanism, and may decide when versions end. */
  static LearnerSettings ofBlocks(Path folder, String... more) {
    String yaml = YAML.replace("privacy.mechanism: binary-tree\n", "");
    boolean blocks = List.of(more).stream().anyMatch(each -> each.startsWith("block.slots"));
    return of(
        yaml,
        folder,
        List.of(more).stream()
            .filter(each -> !blocks || !each.startsWith("release."))
            .toArray(String[]::new));
  }

  /** The same of a mechanism that these lines choose; a tree where they choose none. */
  static LearnerSettings ofAnyMechanism(Path folder, String... more) {
    boolean chosen = List.of(more).stream().anyMatch(each -> each.startsWith("privacy.mechanism="));
    return of(chosen ? YAML.replace("privacy.mechanism: binary-tree\n", "") : YAML, folder, more);
  }

  /** Events of JSON, whose labels come later, within 40 ms. */
  static LearnerSettings ofLateLabels(Path folder, String... more) {
    return of(YAML.replace("events.format: example\nfeatures.dimension: 4\n", """
            events.labels.topic: outcomes
            events.labels.id: id
            events.labels.wait.ms: 40
            features.numeric.a.field: a
            features.numeric.a.min: -1
            features.numeric.a.max: 1
            features.numeric.b.field: b
            features.numeric.b.min: -1
            features.numeric.b.max: 1
            label.field: y
            """), folder, more);
  }

  /** The same of numbers without bounds, whose ranges are measured; labels are in the events. */
  static LearnerSettings ofMeasuredNumbers(Path folder, String... more) {
    return of(MEASURED, folder, more);
  }

  /** The same of labels that come later. */
  static LearnerSettings ofMeasuredNumbersAndLateLabels(Path folder, String... more) {
    return of(MEASURED + """
        events.labels.topic: outcomes
        events.labels.id: id
        events.labels.wait.ms: 40
        """, folder, more);
  }

  static String[] algorithm(String algorithm) {
    return algorithm.equals("private-ftrl")
        ? new String[] {"algorithm=private-ftrl"}
        : new String[] {
          "algorithm=accelerated-dp-srgd", "srgd.beta=1", "srgd.set=l2", "srgd.radius=3"
        };
  }

  static String[] and(String[] some, String... more) {
    List<String> all = new ArrayList<>(List.of(some));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  /** About one offset in nine holds no record, one record in eleven is no example; seven users. */
  static InMemoryRecording events(int partitions, int offsets, long seed) {
    int[] all = new int[partitions];
    Arrays.fill(all, offsets);
    return lopsided(seed, all);
  }

  /** The same where each partition has its own number of offsets. */
  static InMemoryRecording lopsided(long seed, int... offsets) {
    Random random = Seed.random(seed);
    InMemoryRecording.Builder made = InMemoryRecording.of("arrivals").topicId("topic-id");
    for (int partition = 0; partition < offsets.length; partition++) {
      long from = 3L * partition;
      made.partition(partition, from);
      for (long offset = from; offset < from + offsets[partition]; offset++) {
        double[] values = random.doubles(DIMENSION, -1, 1).toArray();
        byte[] user = ("user-" + random.nextInt(7)).getBytes(StandardCharsets.UTF_8);
        byte[] value = ExampleCodec.encodeDense(null, user, values, random.nextInt(2), 1);
        if (random.nextInt(11) == 0) {
          value = random.nextBoolean() ? null : new byte[random.nextInt(5)];
        }
        if (random.nextInt(9) > 0) {
          made.add(partition, offset, 1000 + offset, user, value, new RecordHeaders());
        }
      }
    }
    return made.build();
  }
}
