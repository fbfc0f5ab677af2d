package dev.sotto.serdes.feature;

import dev.sotto.learner.example.Hats;
import dev.sotto.learner.example.NormRule;
import dev.sotto.learner.range.NumberForm;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.range.RangeWindow;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The canonical text of a feature map ({@link FeatureMap#describe()}), which every published
 * manifest carries, one setting a line: its grammar is in {@link FeatureLine}.
 *
 * <p>Lines after the map's own (how events are encoded) are kept as they are.
 */
public final class FeatureMapText {
  /** The first line of all texts that this version reads. */
  public static final String VERSION_LINE = "feature-map 1";

  private static final String WINDOW = "window ";

  private final FeatureMapBuilder builder = FeatureMap.builder();
  private final Map<String, String> further = new TreeMap<>();

  private FeatureMapText() {}

  /** The text of a map. */
  static String of(FeatureMapBuilder map) {
    return Stream.concat(
            Stream.of(VERSION_LINE),
            Stream.of(FeatureLine.values()).flatMap(line -> line.write(map)))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException where it is not the text of a feature map, or of one that only
   *     a newer version understands; the message names the line
   */
  public static FeatureMapText parse(String text) {
    String[] lines = text.split("\n");
    if (!lines[0].equals(VERSION_LINE)) {
      throw new IllegalArgumentException(
          "the feature map must begin with the line " + CanonicalText.quoted(VERSION_LINE)
              + ", but begins with " + CanonicalText.quoted(lines[0])
              + "; a newer version of Sotto may have written it");
    }
    FeatureMapText read = new FeatureMapText();
    for (int i = 1; i < lines.length; i++) {
      try {
        read.line(CanonicalWords.of(lines[i]));
      } catch (IllegalArgumentException | IndexOutOfBoundsException wrong) {
        throw new IllegalArgumentException(
            "line " + (i + 1) + " of the feature map is not understood: "
                + CanonicalText.quoted(lines[i])
                + "; a newer version of Sotto may have written it",
            wrong);
      }
    }
    if (read.builder.labelField == null) {
      throw new IllegalArgumentException("the feature map must name its label, but does not");
    }
    return read;
  }

  /** The map as it learns: an event without a label gives no example. */
  public FeatureMap map() {
    return builder.build();
  }

  /** The map as it scores: label, weight and privacy unit of an event are not looked at. */
  public FeatureMap scoringMap() {
    return builder.buildForScoring();
  }

  /** Whether coordinate 0 is the constant 1 before the norm rule. */
  public boolean bias() {
    return builder.bias;
  }

  /** The numbers, in the order of their coordinates, which follow the bias. */
  public List<FeatureMapBuilder.Numeric> numbers() {
    return List.copyOf(builder.numerics);
  }

  /** The numbers without bounds, whose coordinates follow those of the others. */
  public List<FeatureMapBuilder.Unbounded> unbounded() {
    return List.copyOf(builder.unbounded);
  }

  /** What was measured of numbers without bounds, by their names. */
  public Map<String, NumberRange> ranges() {
    return Collections.unmodifiableMap(builder.ranges);
  }

  /** The same in the order of the numbers; none where nothing was measured. */
  public List<NumberRange> measured() {
    return builder.rangesInOrder();
  }

  /** The categories and crosses, which share the coordinates behind all numbers. */
  public List<FeatureMapBuilder.Hashed> hashed() {
    return List.copyOf(builder.hashed);
  }

  /** The coordinate of a number itself; its hats follow. */
  public int coordinateOfNumber(int number) {
    return builder.coordinateOfNumber(number);
  }

  /** Into how many intervals the knots of hats cut the range of each number; 0 without hats. */
  public int hats() {
    return hatFunctions().intervals();
  }

  /** The hats of each number. */
  Hats hatFunctions() {
    return builder.hats;
  }

  /** The first coordinate of a number without bounds. */
  public int coordinateOfUnbounded(int number) {
    return builder.coordinateOfUnbounded(number);
  }

  /** How many coordinates each number without bounds has. */
  public int weightsOfUnbounded() {
    return builder.weightsOfUnbounded();
  }

  /** Which these are. */
  public NumberForm form() {
    return builder.form;
  }

  /** The number of coordinates. */
  public int dimension() {
    return builder.dimension();
  }

  /** The first coordinate behind the numbers. */
  public int firstHashed() {
    return builder.firstHashed();
  }

  /** The number of coordinates that they share. */
  public int hashedCoordinates() {
    return builder.hashed.isEmpty() ? 0 : 1 << builder.bits;
  }

  /** How vectors are brought to norm 1. */
  public NormRule norm() {
    return builder.norm;
  }

  /** How the field of the label becomes the label. */
  public LabelRule labelRule() {
    return builder.labelRule;
  }

  /** The range of the label, where it was measured. */
  public Optional<NumberRange> labelRange() {
    return Optional.ofNullable(builder.labelRange);
  }

  /**
   * How a label in its field's unit comes out of one on the scale on which it is learned; empty
   * where both are the same.
   *
   * @throws IllegalArgumentException where the range of the label is to be measured, and none is
   *     known
   */
  public Optional<LabelScale> labelScale() {
    return LabelScale.of(builder);
  }

  /**
   * A text with what was measured of its numbers without bounds.
   *
   * @param window in which it was measured
   * @param batch slots in each of its rounds
   * @param ranges in the order of the numbers
   */
  public static String measured(
      String text, RangeWindow window, long batch, List<NumberRange> ranges) {
    return known(text + line(window, batch) + '\n', ranges);
  }

  private static String line(RangeWindow window, long batch) {
    return WINDOW + "slots " + window.allRounds() * batch
        + " sigma " + CanonicalText.number(window.sigma())
        + " share " + CanonicalText.number(window.share());
  }

  /**
   * Whether ranges that a text has were measured in the window that a ledger entry pays for; also
   * where it has none that were measured.
   *
   * @param paid {@link RangeWindow#describe} of that window; empty for none
   * @param batch slots in each of its rounds
   */
  public static boolean isMeasuredIn(String paid, long batch, String text) {
    Optional<String> found =
        text.lines().filter(line -> line.startsWith(WINDOW)).findFirst();
    return found.isEmpty()
        || RangeWindow.parse(paid).map(window -> line(window, batch)).equals(found);
  }

  /**
   * A text with ranges of its numbers without bounds.
   *
   * @param ranges in the order of the numbers, that of the label behind them where it is measured
   */
  public static String known(String text, List<NumberRange> ranges) {
    if (ranges.isEmpty()) {
      return text;
    }
    StringBuilder all = new StringBuilder(text);
    FeatureMapText map = parse(text);
    List<FeatureMapBuilder.Unbounded> numbers =
        map.form().isMeasured() ? map.unbounded() : List.of();
    for (int i = 0; i < numbers.size(); i++) {
      all.append(FeatureLine.range(numbers.get(i).name(), ranges.get(i))).append('\n');
    }
    if (ranges.size() > numbers.size()) {
      all.append(FeatureLine.labelRange(ranges.get(numbers.size()))).append('\n');
    }
    return all.toString();
  }

  /** A text as it was before anything was measured. */
  public static String unmeasured(String text) {
    return text.lines()
        .filter(line -> !line.startsWith(WINDOW)
            && !line.startsWith(FeatureLine.RANGE.word + " ")
            && !line.startsWith(FeatureLine.LABEL_RANGE.word + " "))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  /** What stands behind a word that begins one of the further lines, such as {@code events}. */
  public Optional<String> further(String word) {
    return Optional.ofNullable(further.get(word));
  }

  private void line(List<String> words) {
    List<String> rest = words.subList(1, words.size());
    FeatureLine.of(words.get(0))
        .ifPresentOrElse(
            line -> line.read(rest, builder),
            () -> further.put(words.get(0), String.join(" ", rest)));
  }
}
