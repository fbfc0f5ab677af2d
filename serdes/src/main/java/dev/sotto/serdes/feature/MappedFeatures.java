package dev.sotto.serdes.feature;

import dev.sotto.learner.range.Octaves;
import dev.sotto.learner.range.UnboundedNumbers;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the coordinates of a model mean, read from the canonical text of its feature map
 * ({@link FeatureMap#describe()}), which every published manifest carries.
 *
 * @param bias whether coordinate 0 is the constant
 * @param numbers by name, in the order of their coordinates
 * @param unbounded the numbers without bounds, likewise, behind the others
 * @param hashed the categories and crosses, each as its line without the name
 * @param bits of the block that they share, or 0 where there is none
 * @param seed of its hash
 */
record MappedFeatures(
    boolean bias,
    Map<String, Number> numbers,
    Map<String, Unbounded> unbounded,
    Map<String, String> hashed,
    int bits,
    String seed) {
  private static final Pattern NUMBER =
      Pattern.compile("numeric (\\S+) (\"(?:[^\"\\\\]|\\\\.)*\") (\\S+) (\\S+) (\\S+) (\\S+)");
  private static final Pattern UNBOUNDED =
      Pattern.compile("unbounded (\\S+) (\"(?:[^\"\\\\]|\\\\.)*\") (\\S+) (\\S+)");
  private static final Pattern HASHED = Pattern.compile("(categorical|cross) (\\S+) (.*) (\\S+)");
  private static final Pattern BLOCK = Pattern.compile("hash murmur3 (\\S+) bits ([0-9]+)");

  /**
   * A number between public bounds.
   *
   * @param coordinate of its weight
   * @param field where it stands in an event, quoted
   * @param low the transformed least value
   * @param width the transformed range
   * @param transform its name
   */
  record Number(int coordinate, String field, double low, double width, String transform) {}

  /**
   * A number without bounds.
   *
   * @param coordinate of its first weight
   * @param field where it stands in an event, quoted
   * @param weights how many it has; its octaves come first
   */
  record Unbounded(int coordinate, String field, int weights) {}

  /** Empty where the text is not that of a feature map of this form. */
  static Optional<MappedFeatures> parse(String text) {
    if (!text.startsWith("feature-map 1\n")) {
      return Optional.empty();
    }
    boolean bias = text.contains("\nbias true\n");
    Map<String, Number> numbers = new LinkedHashMap<>();
    Map<String, Unbounded> unbounded = new LinkedHashMap<>();
    Map<String, String> hashed = new LinkedHashMap<>();
    int bits = 0;
    String seed = "";
    try {
      for (String line : text.split("\n")) {
        Matcher number = NUMBER.matcher(line);
        Matcher free = UNBOUNDED.matcher(line);
        Matcher category = HASHED.matcher(line);
        Matcher block = BLOCK.matcher(line);
        if (number.matches()) {
          int at = (bias ? 1 : 0) + numbers.size();
          numbers.put(number.group(1), number(at, number));
        } else if (free.matches()) {
          int at = (bias ? 1 : 0) + numbers.size() + weights(unbounded);
          int own =
              free.group(3).equals("measured") ? UnboundedNumbers.COORDINATES : Octaves.COUNT;
          unbounded.put(free.group(1), new Unbounded(at, free.group(2), own));
        } else if (block.matches()) {
          seed = block.group(1);
          bits = Integer.parseInt(block.group(2));
        } else if (category.matches()) {
          hashed.put(category.group(2), category.group(1) + " " + category.group(3));
        }
      }
    } catch (IllegalArgumentException unreadable) {
      return Optional.empty();
    }
    return Optional.of(new MappedFeatures(bias, numbers, unbounded, hashed, bits, seed));
  }

  private static int weights(Map<String, Unbounded> unbounded) {
    return unbounded.values().stream().mapToInt(Unbounded::weights).sum();
  }

  private static Number number(int coordinate, Matcher line) {
    Transform transform = null;
    for (Transform each : Transform.values()) {
      transform = each.word().equals(line.group(5)) ? each : transform;
    }
    if (transform == null) {
      throw new IllegalArgumentException("no such transform: " + line.group(5));
    }
    double low = transform.of(Double.parseDouble(line.group(3)));
    double width = transform.of(Double.parseDouble(line.group(4))) - low;
    return new Number(coordinate, line.group(2), low, width, transform.word());
  }

  /** The number of coordinates. */
  int dimension() {
    return block() + (bits == 0 ? 0 : 1 << bits);
  }

  /** The first coordinate of the hashed block. */
  int block() {
    return (bias ? 1 : 0) + numbers.size() + weights(unbounded);
  }

  /** The names of all features. */
  Set<String> names() {
    Set<String> all = new LinkedHashSet<>(numbers.keySet());
    all.addAll(unbounded.keySet());
    all.addAll(hashed.keySet());
    return all;
  }
}
