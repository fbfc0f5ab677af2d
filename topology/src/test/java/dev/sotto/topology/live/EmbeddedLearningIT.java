package dev.sotto.topology.live;

import dev.sotto.testbroker.Cluster;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On the broker that this product brings. */
class EmbeddedLearningIT extends LearningContract {
  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  @Override
  Cluster cluster() {
    return cluster;
  }
}
