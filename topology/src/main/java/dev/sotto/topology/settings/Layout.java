package dev.sotto.topology.settings;

import java.util.Arrays;
import java.util.Optional;

/** Who cuts the rounds; the learning step is the same. */
public enum Layout {
  /** The trainer reads the event topic itself: one model or many, each at home in one partition. */
  DIRECT("direct"),
  /**
   * The committed ends of the partitions are announced; the announcements put all slots in one
   * order, which defines one model.
   */
  ORDERED("ordered"),
  /**
   * One worker a partition sums its slice of each round, and one coordinator adds the sums: one
   * model.
   */
  ROUNDS("rounds");

  private final String configName;

  Layout(String configName) {
    this.configName = configName;
  }

  /** The name in configurations. */
  public String configName() {
    return configName;
  }

  /** The layout of a configured name, or empty where there is none of that name. */
  public static Optional<Layout> named(String name) {
    return Arrays.stream(values()).filter(each -> each.configName.equals(name)).findFirst();
  }
}
