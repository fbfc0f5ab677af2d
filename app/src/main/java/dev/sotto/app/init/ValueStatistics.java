package dev.sotto.app.init;

import dev.sotto.learner.settings.NumberText;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The values of one field of a public sample, within bounded memory. */
final class ValueStatistics {
  /** Values that are kept by their text with their numbers of records. */
  static final int MOST_LISTED = 32;

  private static final int MOST_DISTINCT = 100_000;
  private static final int LONGEST = 200;
  private static final double LARGEST_WHOLE = 0x1p53;
  private static final int FIRST = 1024; // about what measures a range
  private static final double FEW_DEVIATIONS = 8;

  private final Set<String> distinct = new HashSet<>();
  private final SortedMap<String, Long> listed = new TreeMap<>();
  private long count;
  private long more; // values that were not told apart
  private long numbers;
  private long zeros;
  private double mean; // of the numbers
  private double squares; // of their differences from the mean, summed up
  private double firstMean; // of the first ones
  private double min = Double.POSITIVE_INFINITY;
  private double max = Double.NEGATIVE_INFINITY;
  private double last = Double.NEGATIVE_INFINITY;
  private boolean whole = true;
  private boolean rising = true;

  /** Of a field with numbers and other values, none of which is added to later. */
  static ValueStatistics of(ValueStatistics numbers, ValueStatistics others) {
    ValueStatistics both = new ValueStatistics();
    both.count = numbers.count + others.count;
    both.more = numbers.whole ? 0 : numbers.count; // of fractions each may be another
    both.distinct.addAll(numbers.whole ? numbers.distinct : Set.of());
    both.distinct.addAll(others.distinct);
    both.listed.putAll(numbers.listed);
    others.listed.forEach((text, count) -> both.listed.merge(text, count, Long::sum));
    return both;
  }

  /** The same values, for further ones that are not added here. */
  ValueStatistics copy() {
    ValueStatistics copy = new ValueStatistics();
    copy.distinct.addAll(distinct);
    copy.listed.putAll(listed);
    copy.count = count;
    copy.more = more;
    copy.numbers = numbers;
    copy.zeros = zeros;
    copy.mean = mean;
    copy.squares = squares;
    copy.firstMean = firstMean;
    copy.min = min;
    copy.max = max;
    copy.last = last;
    copy.whole = whole;
    copy.rising = rising;
    return copy;
  }

  /** Adds a number; one that is not finite is left out. */
  void number(double value) {
    if (!Double.isFinite(value)) {
      return;
    }
    numbers++;
    zeros += value == 0 ? 1 : 0;
    double above = value - mean;
    mean += above / numbers;
    squares += above * (value - mean);
    firstMean = numbers <= FIRST ? mean : firstMean;
    min = Math.min(min, value);
    max = Math.max(max, value);
    whole &= value == Math.rint(value) && Math.abs(value) < LARGEST_WHOLE;
    rising &= value >= last;
    last = value;
    text(
        value == Math.rint(value) && Math.abs(value) < LARGEST_WHOLE
            ? Long.toString((long) value)
            : NumberText.shortest(value));
  }

  /** Adds a value by its text. */
  void text(String value) {
    count++;
    String key = value.length() <= LONGEST
        ? value
        : value.substring(0, LONGEST) + "\u2026 " + value.hashCode();
    if (whole && distinct.size() < MOST_DISTINCT) { // of fractions nobody asks how many there are
      distinct.add(key);
    }
    if (listed.size() <= MOST_LISTED) {
      listed.merge(key, 1L, Long::sum);
    }
  }

  /** The number of values, with repetitions. */
  long count() {
    return count;
  }

  /**
   * The number of different values; a lower bound where they are fractions or very many, and an
   * upper one where fractions and texts are mixed.
   */
  int distinct() {
    long all = Math.max(distinct.size() + more, listed.size());
    return (int) Math.min(all, MOST_DISTINCT);
  }

  /** Each value with the number of its records, where there are at most {@link #MOST_LISTED}. */
  Optional<SortedMap<String, Long>> listed() {
    return listed.size() <= MOST_LISTED ? Optional.of(listed) : Optional.empty();
  }

  /** Those of them that one record has. */
  List<String> once() {
    return listed().stream()
        .flatMap(all -> all.entrySet().stream())
        .filter(each -> each.getValue() == 1)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Whether there are numbers and all of them are whole. */
  boolean isWhole() {
    return numbers > 0 && numbers == count && whole;
  }

  /** Whether no number is below the one before. */
  boolean isRising() {
    return numbers > 0 && rising;
  }

  /**
   * Whether a range that is measured at the beginning suits the numbers better than one from the
   * smallest to the largest: the first ones are like the rest, or some lie far out. Not where half
   * of them are 0, since no range may be found then.
   */
  boolean isRangeBetterMeasured() {
    double deviation = Math.sqrt(squares / numbers);
    boolean typical = Math.abs(firstMean - mean) <= deviation / 2;
    boolean farOut = max - min > FEW_DEVIATIONS * deviation;
    return numbers >= FIRST && 2 * zeros < numbers && (typical || farOut);
  }

  /** Whether most values are there once, as with ids of records and free text. */
  boolean isMostlyUnique() {
    return count >= 20 && whole && distinct() > count / 2;
  }

  double min() {
    return min;
  }

  double max() {
    return max;
  }
}
