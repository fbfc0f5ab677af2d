package dev.sotto.connectors.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.WeightsChunk;
import dev.sotto.testing.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.sink.SinkRecord;

/** Records of a snapshots topic, as the learner would publish them. */
final class Snapshots {
  static final TopicPartition PARTITION = new TopicPartition("sotto.snapshots", 0);
  private static final int CHUNK = 65_536;

  String loss = "logistic";

  private final List<SinkRecord> records = new ArrayList<>();

  static double[] weights(int dimension, long seed) {
    return Seed.random(seed).doubles(dimension, -1, 1).toArray();
  }

  static byte[] run(int number) {
    byte[] run = new byte[16];
    run[0] = (byte) number;
    return run;
  }

  static ModelSnapshot manifest(String model, byte[] run, long version, double[] weights) {
    return manifest(model, run, version, weights, "logistic");
  }

  private static ModelSnapshot manifest(
      String model, byte[] run, long version, double[] weights, String loss) {
    Guarantee guarantee = new Guarantee(
        PrivacyUnit.KEY,
        Adjacency.ZERO_OUT,
        "tree",
        0.1 * version,
        0.3,
        1e-6,
        Double.POSITIVE_INFINITY,
        Double.POSITIVE_INFINITY);
    return new ModelSnapshot(
        model,
        run,
        0,
        version,
        weights.length,
        (weights.length + CHUNK - 1) / CHUNK,
        ModelSnapshot.digest(weights, guarantee),
        "bias",
        loss,
        "private-ftrl",
        version == 99,
        guarantee,
        new byte[32],
        List.of(new OffsetRange(0, 10, 20)),
        new byte[32]);
  }

  /** Adds chunks and manifest of a version. */
  Snapshots version(String model, byte[] run, long version, double[] weights) {
    ModelSnapshot manifest = manifest(model, run, version, weights, loss);
    for (int i = 0; i < manifest.chunks(); i++) {
      double[] part =
          Arrays.copyOfRange(weights, i * CHUNK, Math.min(weights.length, (i + 1) * CHUNK));
      add(
          model + "/" + i,
          Codecs.CHUNK.encode(new WeightsChunk(model, version, i, PackedDoubles.pack(part))));
    }
    return add(model + "/manifest", Codecs.SNAPSHOT.encode(manifest));
  }

  Snapshots add(String key, Object value) {
    records.add(new SinkRecord(
        PARTITION.topic(),
        PARTITION.partition(),
        null,
        key == null ? null : key.getBytes(UTF_8),
        null,
        value,
        records.size(),
        null,
        TimestampType.NO_TIMESTAMP_TYPE));
    return this;
  }

  List<SinkRecord> records() {
    return records;
  }
}
