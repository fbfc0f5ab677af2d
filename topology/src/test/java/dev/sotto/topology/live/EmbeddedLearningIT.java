package dev.sotto.topology.live;

import dev.sotto.testbroker.Cluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On the broker that this product brings. */
class EmbeddedLearningIT extends LearningContract {
  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster = Cluster.shared();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Override
  Cluster cluster() {
    return cluster;
  }
}
