package dev.sotto.benchmarks;

import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FeatureMapBuilder;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Made events as text: a label of two classes, and fields that are numbers of six decimals; every
 * other one a category of a thousand values where they are mixed.
 *
 * @param fields beside the label
 * @param hats of each number; 0 for none
 */
public record MadeRows(int fields, boolean mixed, int hats) {
  private static final int FRACTIONS = 1_000_000;

  /** What is made of them: bounds that most numbers keep, categories hashed to 2^16. */
  public FeatureMap map() {
    FeatureMapBuilder map =
        FeatureMap.builder().hats(hats).label("label", new LabelRule.Threshold(0.5));
    for (int i = 0; i < fields; i++) {
      if (isCategory(i)) {
        map.categorical(name(i), name(i), false);
      } else {
        map.numeric(name(i), name(i), -100, 100, Transform.IDENTITY, false);
      }
    }
    return (mixed ? map.hashBits(16) : map).build();
  }

  private boolean isCategory(int field) {
    return mixed && field % 2 == 1;
  }

  private static String name(int field) {
    return "field" + field;
  }

  /** The texts of an event, its label first. */
  public String[] event(SplittableRandom random) {
    String[] texts = new String[1 + fields];
    texts[0] = Integer.toString(random.nextInt(2));
    for (int i = 0; i < fields; i++) {
      int number = random.nextInt(-120 * FRACTIONS, 120 * FRACTIONS);
      texts[1 + i] = isCategory(i)
          ? "value-" + random.nextInt(1000)
          : String.format(Locale.ROOT, "%.6f", number / (double) FRACTIONS);
    }
    return texts;
  }

  /** The row of names. */
  public String header() {
    return "label," + join(MadeRows::name);
  }

  /** An event as a row. */
  public String row(String[] event) {
    return String.join(",", event);
  }

  /** An event as an object of JSON. */
  public byte[] json(String[] event) {
    String members = join(i -> {
      String quote = isCategory(i) ? "\"" : "";
      return '"' + name(i) + "\":" + quote + event[1 + i] + quote;
    });
    return ("{\"label\":" + event[0] + "," + members + "}").getBytes(StandardCharsets.UTF_8);
  }

  private String join(IntFunction<String> each) {
    return IntStream.range(0, fields).mapToObj(each).collect(Collectors.joining(","));
  }
}
