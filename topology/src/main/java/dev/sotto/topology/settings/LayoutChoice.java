package dev.sotto.topology.settings;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A layout as it is configured.
 *
 * @param named the one that is named; empty where it follows from where models come from
 */
public record LayoutChoice(Optional<Layout> named) {
  /** Direct for a model a key, header or partition, ordered for one model. */
  public static final LayoutChoice AUTO = new LayoutChoice(Optional.empty());

  /** All that there are. */
  static LayoutChoice[] values() {
    return Stream.concat(Stream.of(AUTO), Arrays.stream(of(any -> true)))
        .toArray(LayoutChoice[]::new);
  }

  /** Those of layouts of which something holds. */
  public static LayoutChoice[] of(Predicate<Layout> rule) {
    return Arrays.stream(Layout.values())
        .filter(rule)
        .map(each -> new LayoutChoice(Optional.of(each)))
        .toArray(LayoutChoice[]::new);
  }

  /** The name in configurations. */
  public String configName() {
    return named.map(Layout::configName).orElse("auto");
  }

  /** {@link Layout#sumsParts}, which auto never takes. */
  public boolean sumsParts() {
    return named.filter(Layout::sumsParts).isPresent();
  }

  /**
   * The layout. It follows from the configuration alone, and never from how many partitions there
   * are: that may change while a model lives, and its layout must not.
   *
   * @param ids where a record's model comes from
   */
  public Layout layout(ModelIdRule.Source ids) {
    return named.orElseGet(() -> Layout.usual(ids));
  }
}
