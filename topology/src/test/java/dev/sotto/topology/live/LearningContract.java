package dev.sotto.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.Names;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a learner does on any broker, wherever that comes from. */
abstract class LearningContract {
  @TempDir
  Path folder;

  /** A broker that runs as long as the tests of a class. */
  abstract Cluster cluster();

  @Test
  void learnsTheSameThroughARestartAsWithoutABroker() {
    Trial trial = Trial.of("restarted", folder, cluster().clients());
    cluster().createTopic(trial.topic());
    List<byte[]> events = new ArrayList<>(Trial.events(202, 1));
    events.set(3, null);
    events.set(77, new byte[] {1, 2, 3});
    cluster().send(trial.topic(), events.subList(0, 90));
    trial.learnRounds(22);
    try (LearnerService service = trial.start()) {
      cluster().send(trial.topic(), events.subList(90, events.size()));
      trial.awaitRounds(service, 50);
    }
    Published published = trial.published();
    assertThat(published.ledger())
        .extracting(LedgerEntry::snapshotDigest)
        .containsExactlyElementsOf(trial.expectedDigests(events));
    assertThat(published.models())
        .extracting(model -> model.manifest().version())
        .hasSize(50)
        .isSorted();
    assertThat(published.letters())
        .extracting(letter -> Published.header(letter, "sotto.offset"))
        .containsExactly("3", "77");
  }

  @Test
  void learnsOneModelFromManyPartitions() {
    Trial trial = Trial.of("gathered", folder, cluster().clients()).with(Layout.ORDERED);
    cluster().createTopic(trial.topic(), 2, Map.of());
    cluster().send(trial.topic(), Trial.events(40, 2));
    trial.learnRounds(10);
    assertThat(trial.published().models()).hasSize(10);
    assertThat(Published.read(cluster().clients(), Names.order(trial.app()))).isNotEmpty();
  }
}
