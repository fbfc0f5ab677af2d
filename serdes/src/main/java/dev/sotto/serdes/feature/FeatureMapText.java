package dev.sotto.serdes.feature;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the canonical text of a feature map ({@link FeatureMap#describe()}), which every published
 * manifest carries, one setting a line. The grammar is in docs/wire-format.md, "The feature map".
 *
 * <p>Lines after the map's own (how events are encoded) are kept as they are.
 */
public final class FeatureMapText {
  /** The first line of all texts that this version reads. */
  public static final String VERSION_LINE = "feature-map 1";

  private static final Pattern TOKEN = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"|[^\\s\"]+");
  private static final JsonFactory JSON = new JsonFactory();

  private final FeatureMapBuilder builder = FeatureMap.builder();
  private final Map<String, String> further = new TreeMap<>();
  private LabelRule label;

  private FeatureMapText() {}

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
        read.line(tokens(lines[i]));
      } catch (IllegalArgumentException | IndexOutOfBoundsException wrong) {
        throw new IllegalArgumentException(
            "line " + (i + 1) + " of the feature map is not understood: "
                + CanonicalText.quoted(lines[i])
                + "; a newer version of Sotto may have written it",
            wrong);
      }
    }
    if (read.label == null) {
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

  /** The categories and crosses, which share the coordinates behind the numbers. */
  public List<FeatureMapBuilder.Hashed> hashed() {
    return List.copyOf(builder.hashed);
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
    return label;
  }

  /** The field of the label. */
  public String labelField() {
    return builder.labelField;
  }

  /** What stands behind a word that begins one of the further lines, such as {@code events}. */
  public Optional<String> further(String word) {
    return Optional.ofNullable(further.get(word));
  }

  private void line(List<String> words) {
    List<String> rest = words.subList(1, words.size());
    switch (words.get(0)) {
      case "bias" -> builder.bias(bool(only(rest)));
      case "norm" -> builder.norm(norm(only(rest)));
      case "comma" -> builder.comma(comma(only(rest)));
      case "hash" -> hash(rest);
      case "numeric" -> numeric(rest);
      case "categorical", "cross" -> hashed(words.get(0), rest);
      case "label" -> label(rest);
      case "weight" -> weight(rest);
      case "unit" -> unit(rest);
      default -> further.put(words.get(0), String.join(" ", rest));
    }
  }

  private void hash(List<String> rest) {
    boolean known = rest.size() == 4
        && rest.get(0).equals("murmur3")
        && rest.get(1).equals(Integer.toHexString(HashedFeature.SEED))
        && rest.get(2).equals("bits");
    require(known);
    builder.hashBits(Integer.parseInt(rest.get(3)));
  }

  private void numeric(List<String> rest) {
    require(rest.size() == 6);
    builder.numeric(
        rest.get(0),
        unquoted(rest.get(1)),
        Double.parseDouble(rest.get(2)),
        Double.parseDouble(rest.get(3)),
        transform(rest.get(4)),
        optional(rest.get(5)));
  }

  private void hashed(String kind, List<String> rest) {
    boolean optional = optional(rest.get(rest.size() - 1));
    List<String> fields =
        rest.subList(1, rest.size() - 1).stream().map(FeatureMapText::unquoted).toList();
    if (kind.equals("cross")) {
      builder.cross(rest.get(0), fields, optional);
    } else {
      builder.categorical(rest.get(0), only(fields), optional);
    }
  }

  private void label(List<String> rest) {
    List<String> values = rest.subList(2, rest.size());
    label = switch (rest.get(1)) {
      case "as-it-is" -> {
        require(values.isEmpty());
        yield new LabelRule.AsItIs();
      }
      case "threshold" -> new LabelRule.Threshold(Double.parseDouble(only(values)));
      case "classes" ->
        new LabelRule.Classes(values.stream().map(FeatureMapText::unquoted).toList());
      case "names" ->
        new LabelRule.Names(values.stream().map(FeatureMapText::unquoted).toList());
      case "range" -> {
        require(values.size() == 2);
        yield new LabelRule.Range(
            Double.parseDouble(values.get(0)), Double.parseDouble(values.get(1)));
      }
      default -> throw new IllegalArgumentException("no such rule of a label");
    };
    builder.label(unquoted(rest.get(0)), label);
  }

  private void weight(List<String> rest) {
    if (rest.size() == 1) {
      builder.weight(unquoted(rest.get(0)));
      return;
    }
    require(rest.size() == 3 && rest.get(1).equals("max"));
    builder.weight(unquoted(rest.get(0)), Double.parseDouble(rest.get(2)));
  }

  private void unit(List<String> rest) {
    if (rest.equals(List.of("key"))) {
      builder.unitFromKey();
      return;
    }
    require(rest.size() == 2 && rest.get(0).equals("field"));
    builder.unitField(unquoted(rest.get(1)));
  }

  private static List<String> tokens(String line) {
    List<String> tokens = new ArrayList<>();
    Matcher each = TOKEN.matcher(line);
    int at = 0;
    while (each.find()) {
      require(line.substring(at, each.start()).equals(tokens.isEmpty() ? "" : " "));
      tokens.add(each.group());
      at = each.end();
    }
    require(at == line.length());
    return tokens;
  }

  private static String unquoted(String token) {
    require(token.startsWith("\""));
    try (JsonParser parser = JSON.createParser(token)) {
      parser.nextToken();
      return parser.getText();
    } catch (IOException broken) {
      throw new IllegalArgumentException(broken);
    }
  }

  private static <T> T only(List<T> values) {
    require(values.size() == 1);
    return values.get(0);
  }

  private static boolean bool(String word) {
    require(word.equals("true") || word.equals("false"));
    return word.equals("true");
  }

  private static boolean optional(String word) {
    require(word.equals(Feature.need(true)) || word.equals(Feature.need(false)));
    return word.equals(Feature.need(true));
  }

  private static NormRule norm(String word) {
    for (NormRule each : NormRule.values()) {
      if (each.word().equals(word)) {
        return each;
      }
    }
    throw new IllegalArgumentException("no such rule of norms");
  }

  private static NumberComma comma(String word) {
    for (NumberComma each : NumberComma.values()) {
      if (each.word().equals(word)) {
        return each;
      }
    }
    throw new IllegalArgumentException("no such comma");
  }

  private static Transform transform(String word) {
    for (Transform each : Transform.values()) {
      if (each.word().equals(word)) {
        return each;
      }
    }
    throw new IllegalArgumentException("no such transform");
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw new IllegalArgumentException("not of the form that is documented");
    }
  }
}
