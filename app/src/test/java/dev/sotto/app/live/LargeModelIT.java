package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.topology.Names;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** 2^20 weights on a broker with default limits. */
@Timeout(120)
class LargeModelIT {
  private static final int WEIGHTS = 1 << 20;

  @TempDir
  Path folder;

  @Test
  void publishesAMillionWeightsAndGoesOnAfterTheStateFolderIsLost() {
    Random random = new Random(1);
    List<byte[]> events = Stream.generate(() -> sparse(random)).limit(18).toList();
    try (Cluster cluster = Cluster.embedded()) {
      Trial trial =
          Trial.of("large", folder.resolve("one"), cluster.clients()).withModel(WEIGHTS, 4, null);
      cluster.createTopic(trial.topic());
      cluster.send(trial.topic(), events.subList(0, 10));
      trial.learnRounds(2);
      cluster.send(trial.topic(), events.subList(10, 18));
      Trial moved = trial.withFolder(folder.resolve("two"));
      moved.learnRounds(4);
      Published published = moved.published();
      assertThat(published.ledger())
          .extracting(LedgerEntry::snapshotDigest)
          .containsExactlyElementsOf(trial.expectedDigests(events));
      assertThat(published.models()).hasSize(4);
      assertThat(published.models().get(3).weights()).hasSize(WEIGHTS);
      assertThat(published.models().get(3).manifest().chunks()).isEqualTo(16);
      assertThat(Published.read(cluster.clients(), Names.snapshots("large")))
          .hasSize(4 * 17)
          .allSatisfy(record -> assertThat(record.serializedValueSize()).isLessThan(513 * 1024));
    }
  }

  private static byte[] sparse(Random random) {
    int[] indices = random.ints(30, 0, WEIGHTS).sorted().distinct().toArray();
    double[] values = random.doubles(indices.length, -1, 1).toArray();
    return ExampleCodec.encodeSparse(null, null, indices, values, random.nextInt(2), 1);
  }
}
