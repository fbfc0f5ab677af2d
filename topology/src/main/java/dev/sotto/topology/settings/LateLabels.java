package dev.sotto.topology.settings;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Labels that come later, in a topic of their own.
 *
 * @param features the users' topic of what is known at once
 * @param topic the users' topic of labels, partitioned as that of features
 * @param id the path of the field that joins the two; empty for the records' keys
 * @param patience for how long a label may come after, or before, its features, in log time
 * @param grace by how much clocks of brokers and of this machine may differ where nothing is sent
 * @param most bytes that wait in an instance; empty for what is free on its disk
 */
public record LateLabels(
    String features,
    String topic,
    Optional<String> id,
    Duration patience,
    Duration grace,
    OptionalLong most) {
  /** The usual {@link #grace}. */
  public static final Duration GRACE = Duration.ofSeconds(5);

  public LateLabels {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(most, "most");
    if (patience.toMillis() < 1 || grace.isNegative()) {
      throw new IllegalArgumentException(
          "patience must be at least 1 ms, and grace at least 0, but were " + patience + ", "
              + grace);
    }
    if (features.equals(topic)) {
      throw new IllegalArgumentException(
          "features and labels must be topics of their own, but both were " + topic);
    }
  }

  /** The topics that are joined, for people. */
  public String sentence() {
    return features + " with labels of " + topic;
  }
}
