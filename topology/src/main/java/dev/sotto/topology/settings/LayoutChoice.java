package dev.sotto.topology.settings;

/** A layout as it is configured. */
public enum LayoutChoice {
  /** Direct for a model a key, header or partition, ordered for one model. */
  AUTO("auto", null),
  DIRECT(Layout.DIRECT.configName(), Layout.DIRECT),
  ORDERED(Layout.ORDERED.configName(), Layout.ORDERED),
  ROUNDS(Layout.ROUNDS.configName(), Layout.ROUNDS);

  private final String configName;
  private final Layout layout;

  LayoutChoice(String configName, Layout layout) {
    this.configName = configName;
    this.layout = layout;
  }

  /** The name in configurations. */
  public String configName() {
    return configName;
  }

  /**
   * The layout. It follows from the configuration alone, and never from how many partitions there
   * are: that may change while a model lives, and its layout must not.
   *
   * @param ids where a record's model comes from
   */
  public Layout layout(ModelIdRule.Source ids) {
    if (layout != null) {
      return layout;
    }
    return ids == ModelIdRule.Source.CONSTANT ? Layout.ORDERED : Layout.DIRECT;
  }

  /**
   * Why auto takes a layout.
   *
   * @param taken {@link #layout} of auto
   */
  public static String why(Layout taken) {
    return taken == Layout.DIRECT
        ? "each model is at home in one partition"
        : "one model learns from all partitions, also from those that are added";
  }
}
