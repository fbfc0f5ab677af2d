package dev.sotto.serdes.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.NormRule;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.range.NumberForm;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.range.Octaves;
import dev.sotto.learner.range.RangeWindow;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.testing.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FeatureMapTextTest {
  private static final String[] WORDS = {
    "a", "b.c", "d e", "\"quoted\"", "back\\slash", "\u00e4\u4e16\ud83d\ude00", "tab\there", "#"
  };

  private static String word(Random random) {
    return WORDS[random.nextInt(WORDS.length)];
  }

  private static LabelRule rule(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> new LabelRule.AsItIs();
      case 5 -> new LabelRule.Measured();
      case 1 -> new LabelRule.Threshold(random.nextGaussian());
      case 2 -> new LabelRule.Classes(List.of(word(random), "x y"));
      case 3 -> new LabelRule.Names(List.of("no", "yes \"sir\"", "1", "\"2\""));
      default -> new LabelRule.Range(-random.nextDouble(), 1e300 * random.nextDouble());
    };
  }

  private static FeatureMapBuilder anyMap(Random random) {
    FeatureMapBuilder builder = FeatureMap.builder()
        .bias(random.nextInt(4) > 0)
        .norm(NormRule.values()[random.nextInt(2)])
        .hats(Math.max(0, random.nextInt(20) - 10))
        .hashBits(1 + random.nextInt(24));
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      boolean optional = random.nextBoolean();
      switch (random.nextInt(4)) {
        case 0 ->
          builder.numeric(
              "n" + i,
              word(random),
              -0.1 * random.nextDouble(),
              random.nextDouble() * 1e9,
              Transform.values()[random.nextInt(2)],
              optional);
        case 1 -> builder.categorical("c" + i, word(random), optional);
        case 2 -> {
          builder.unbounded("u" + i, word(random), optional);
          if (random.nextBoolean()) {
            builder.range("u" + i, NumberRange.of(-random.nextDouble(), random.nextDouble()));
          }
        }
        default -> {
          List<String> fields = new ArrayList<>();
          for (int k = 2 + random.nextInt(3); k > 0; k--) {
            fields.add(word(random));
          }
          builder.cross("x" + i, fields, optional);
        }
      }
    }
    builder.label(word(random), rule(random));
    if (builder.labelRule instanceof LabelRule.Measured && random.nextBoolean()) {
      builder.labelRange(NumberRange.of(-random.nextDouble(), random.nextDouble()));
    }
    if (!builder.isBounded()) {
      builder.form(NumberForm.values()[random.nextInt(3)]);
    }
    if (random.nextBoolean()) {
      builder.weight(
          word(random), random.nextBoolean() ? Double.POSITIVE_INFINITY : random.nextDouble());
    }
    if (random.nextBoolean()) {
      builder.unitField(word(random));
    } else if (random.nextBoolean()) {
      builder.unitFromKey();
    }
    return builder;
  }

  @Test
  void readsWhatEveryMapSaysOfItself() {
    Random random = Seed.random(1);
    int maps = 0;
    for (int i = 0; i < 500; i++) {
      FeatureMapBuilder builder = anyMap(random);
      if (!builder.problems().isEmpty()) {
        continue; // such as two bounds of a logarithm that are one
      }
      maps++;
      FeatureMap map = builder.build();
      FeatureMapText read = FeatureMapText.parse(map.describe() + "events json\nmax-bytes 100\n");
      assertThat(read.map().describe()).isEqualTo(map.describe());
      assertThat(read.scoringMap().describe()).isEqualTo(map.describe());
      assertThat(read.scoringMap().dimension()).isEqualTo(map.dimension());
      assertThat(read.further("events")).contains("json");
      assertThat(read.further("max-bytes")).contains("100");
      assertThat(read.further("model")).isEmpty();
    }
    assertThat(maps).isGreaterThan(400);
  }

  /** A published text scores as the learner's own ranges complete its examples. */
  @Test
  void scoresAsTheLearnerCompletes() {
    FeatureMap learned = FeatureMap.builder()
        .hashBits(3)
        .hats(4)
        .numeric("n", "a", 0, 1, Transform.IDENTITY, true)
        .unbounded("x", "a", true)
        .unbounded("y", "b", true)
        .measured(true)
        .categorical("c", "c", true)
        .label("l", new LabelRule.AsItIs())
        .build();
    List<NumberRange> ranges = List.of(NumberRange.of(-2, 3), NumberRange.UNKNOWN);
    String text = FeatureMapText.measured(
        learned.describe() + "events json\n", new RangeWindow(2, 8, 5, 0.5), 12, ranges);
    assertThat(text).endsWith("""
        events json
        window slots 288 sigma 5 share 0.5
        range x measured -2 3
        range y unknown 0 0
        """);
    assertThat(FeatureMapText.unmeasured(text)).isEqualTo(learned.describe() + "events json\n");
    String paid = new RangeWindow(2, 8, 5, 0.5).describe();
    assertThat(FeatureMapText.isMeasuredIn(paid, 12, text)).isTrue();
    assertThat(FeatureMapText.isMeasuredIn(paid, 11, text)).isFalse();
    assertThat(FeatureMapText.isMeasuredIn(paid.replace("rounds=8", "rounds=9"), 12, text))
        .isFalse();
    assertThat(FeatureMapText.isMeasuredIn("", 12, text)).as("paid for none").isFalse();
    assertThat(FeatureMapText.isMeasuredIn("", 12, learned.describe())).isTrue();
    FeatureMapText read = FeatureMapText.parse(text);
    assertThat(read.ranges()).containsEntry("x", ranges.get(0)).containsEntry("y", ranges.get(1));
    FeatureMap scoring = read.scoringMap();
    assertThat(scoring.dimension()).isEqualTo(learned.dimension()).isEqualTo(1 + 6 + 2 * 115 + 8);
    for (String event : List.of(
        "{\"a\":0.3,\"b\":1e300,\"c\":\"d\"}",
        "{\"a\":-1e-12,\"b\":-7}",
        "{\"b\":0}",
        "{\"c\":1}")) {
      Slot open = new Slot(learned.dimension());
      Slot scored = new Slot(learned.dimension());
      new JsonEventDecoder(learned)
          .decode(null, Events.utf8(event.replace("}", ",\"l\":1}")), open);
      new JsonEventDecoder(scoring).decode(null, Events.utf8(event), scored);
      assertThat(open.status()).isEqualTo(RecordStatus.USED);
      assertThat(open.example().isWhole()).isFalse();
      assertThat(scored.example().isWhole()).isTrue();
      assertThat(Events.dense(open.example())).isNotEqualTo(Events.dense(scored.example()));
      learned.measured().complete(open.example(), ranges);
      assertThat(Events.dense(open.example())).isEqualTo(Events.dense(scored.example()));
      if (event.contains("0.3")) {
        scoresAsItsCurve(read, open.example());
      }
      learned.measured().complete(open.example(), ranges); // once is enough
      assertThat(Events.dense(open.example())).isEqualTo(Events.dense(scored.example()));
    }
  }

  /** What the example of x = 0.3 has of the weights of number x, and its curve, interpolated. */
  private static void scoresAsItsCurve(FeatureMapText map, Example example) {
    double[] weights = Seed.random(8).doubles(map.dimension(), -1, 1).toArray();
    double scale = example.value(0); // of the row: its bias was 1
    double score = 0;
    for (int i = 0; i < example.size(); i++) {
      int at = example.index(i) - map.coordinateOfUnbounded(0);
      if (at >= 0 && at < map.weightsOfUnbounded()) {
        score += example.value(i) / scale * weights[example.index(i)];
      }
    }
    List<NumberCurve> curves = NumberCurve.of(map, weights, 0);
    assertThat(curves).extracting(NumberCurve::name).containsExactly("n", "x", "y");
    List<NumberCurve.Point> points = curves.get(1).points();
    assertThat(points.get(8).value()).isCloseTo(-2, within(1e-12)); // the place -1
    assertThat(points.get(24).value()).isCloseTo(3, within(1e-12));
    double exact = Octaves.score(weights, map.coordinateOfUnbounded(0), 0.3)
        + NumberRange.of(-2, 3).score(weights, map.coordinateOfUnbounded(0) + Octaves.COUNT, 0.3);
    assertThat(score).isCloseTo(exact, within(1e-12));
    double[] inside =
        points.subList(8, 25).stream().mapToDouble(NumberCurve.Point::score).toArray();
    double least = Arrays.stream(inside).min().orElseThrow();
    assertThat(curves.get(1).range()).isEqualTo(NumberCurve.Range.KNOWN);
    assertThat(curves.get(1).spread()).isEqualTo(Arrays.stream(inside).max().orElseThrow() - least);
    assertThat(curves.get(2).range()).isEqualTo(NumberCurve.Range.UNKNOWN);
    assertThat(curves.get(2).points()).isEmpty();
    assertThat(curves.get(2).spread()).isZero();
  }

  /** Of many numbers each has its place alone: one coordinate, and a straight line as its curve. */
  @Test
  void numbersOfPlacesAloneHaveOneCoordinate() {
    FeatureMap learned = FeatureMap.builder()
        .unbounded("x", "a", false)
        .unbounded("y", "b", true)
        .form(NumberForm.PLACE)
        .label("l", new LabelRule.AsItIs())
        .build();
    assertThat(learned.dimension()).isEqualTo(3);
    assertThat(learned.names().of(2)).isEqualTo("y place");
    List<NumberRange> ranges = List.of(NumberRange.of(-2, 3), NumberRange.ATOM);
    String text =
        FeatureMapText.measured(learned.describe(), new RangeWindow(2, 8, 5, 0.5), 12, ranges);
    assertThat(text).contains("unbounded x \"a\" place required\n");
    FeatureMapText read = FeatureMapText.parse(text);
    Slot open = new Slot(3);
    Slot scored = new Slot(3);
    String event = "{\"a\":1.75,\"b\":-9";
    new JsonEventDecoder(learned).decode(null, Events.utf8(event + ",\"l\":1}"), open);
    learned.measured().complete(open.example(), ranges);
    new JsonEventDecoder(read.scoringMap()).decode(null, Events.utf8(event + "}"), scored);
    assertThat(Events.dense(open.example())).isEqualTo(Events.dense(scored.example()));
    double norm = Math.sqrt(1 + 0.5 * 0.5 + 1);
    assertThat(open.example().dot(new double[] {1, 0, 0})).isCloseTo(1 / norm, within(1e-12));
    assertThat(open.example().dot(new double[] {0, 1, 0})).isCloseTo(0.5 / norm, within(1e-12));
    assertThat(open.example().dot(new double[] {0, 0, 1})).isCloseTo(-1 / norm, within(1e-12));
    NumberCurve.Point middle =
        NumberCurve.of(read, new double[] {0, 4, 0}, 0).get(0).points().get(16);
    assertThat(middle.value()).isCloseTo(0.5, within(1e-12));
    assertThat(middle.score()).isCloseTo(0, within(1e-12));
  }

  /** What is learned of a label without bounds is in units of its range, and is read back. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void measuresTheLabel(boolean bounded) {
    FeatureMapBuilder builder = FeatureMap.builder().label("l", new LabelRule.Measured());
    if (bounded) {
      builder.numeric("x", "a", 0, 1, Transform.IDENTITY, false);
    } else {
      builder.unbounded("x", "a", false).measured(true);
    }
    FeatureMap learned = builder.build();
    int features = bounded ? 0 : 1;
    assertThat(learned.measured().count()).isEqualTo(features);
    assertThat(learned.measured().ranges()).isEqualTo(features + 1);
    List<NumberRange> ranges = new ArrayList<>(List.of(NumberRange.of(0, 1)).subList(0, features));
    ranges.add(NumberRange.of(100, 300));
    String text = FeatureMapText.measured(
        learned.describe(), new RangeWindow(features + 1, 8, 5, 1), 12, ranges);
    assertThat(text).contains("label \"l\" measured\n").endsWith("label-range measured 100 300\n");
    assertThat(FeatureMapText.unmeasured(text)).isEqualTo(learned.describe());
    FeatureMapText read = FeatureMapText.parse(text);
    assertThat(read.labelRange()).contains(NumberRange.of(100, 300));
    assertThat(read.scoringMap().measured().ofLabel()).isFalse();
    LabelScale scale = read.labelScale().orElseThrow();

    Slot slot = new Slot(learned.dimension());
    new JsonEventDecoder(learned).decode(null, Events.utf8("{\"a\":0.5,\"l\":250}"), slot);
    learned.measured().complete(slot.example(), List.of()); // in the window
    assertThat(slot.example().label()).isEqualTo(250);
    new JsonEventDecoder(learned).decode(null, Events.utf8("{\"a\":0.5,\"l\":250}"), slot);
    learned.measured().complete(slot.example(), ranges);
    assertThat(slot.example().label()).isEqualTo(0.25);
    assertThat(scale.value(slot.example().label())).isEqualTo(250);
    Slot scored = new Slot(learned.dimension());
    new JsonEventDecoder(read.scoringMap()).decode(null, Events.utf8("{\"a\":0.5}"), scored);
    assertThat(Events.dense(scored.example())).isEqualTo(Events.dense(slot.example()));
    assertThat(slot.example().norm()).isCloseTo(1, within(1e-12));

    new JsonEventDecoder(learned).decode(null, Events.utf8("{\"a\":0.5,\"l\":true}"), slot);
    assertThat(slot.status()).isEqualTo(RecordStatus.WRONG_TYPE);
    String without = text.replace("measured 100 300", "atom 0 0");
    assertThatThrownBy(() -> FeatureMapText.parse(without).labelScale())
        .hasMessageContaining("(atom): give label.min and label.max");
    assertThatThrownBy(() -> FeatureMapText.parse(learned.describe()).labelScale())
        .hasMessageContaining("was not found: give");
  }

  /** Octaves alone need nothing to be measured: examples are whole at once. */
  @Test
  void octavesAloneAreWholeAtOnce() {
    FeatureMap map = FeatureMap.builder()
        .unbounded("x", "a", false)
        .label("l", new LabelRule.AsItIs())
        .build();
    Slot slot = new Slot(map.dimension());
    new JsonEventDecoder(map).decode(null, Events.utf8("{\"a\":3,\"l\":1}"), slot);
    assertThat(slot.example().isWhole()).isTrue();
    assertThat(slot.example().size()).isEqualTo(3); // the bias, and the hats of two octaves
    assertThat(slot.example().norm()).isCloseTo(1, within(1e-15));
    assertThat(map.dimension()).isEqualTo(1 + 101);
    assertThat(map.names().of(1 + 50 + 11)).isEqualTo("x octave 11");
    assertThat(map.measured().isEmpty()).isTrue();
  }

  /** The same features, bit for bit, of an event that has no label, weight or unit. */
  @Test
  void scoresEventsWithoutLabelAsItLearnsThoseWithOne() {
    FeatureMap learned = FeatureMap.builder()
        .hashBits(5)
        .numeric("age", "age", 0, 120, Transform.LOG1P, false)
        .categorical("city", "city", true)
        .cross("both", List.of("city", "age"), true)
        .label("clicked", new LabelRule.Classes(List.of("yes")))
        .weight("w")
        .unitField("user")
        .build();
    FeatureMap scoring = FeatureMapText.parse(learned.describe()).scoringMap();
    Slot whole = new Slot(learned.dimension());
    Slot bare = new Slot(learned.dimension());
    new JsonEventDecoder(learned)
        .decode(
            null,
            Events.utf8(
                "{\"age\":33,\"city\":\"Bern\",\"clicked\":\"yes\",\"w\":2,\"user\":\"u\"}"),
            whole);
    new JsonEventDecoder(scoring).decode(null, Events.utf8("{\"age\":33,\"city\":\"Bern\"}"), bare);
    assertThat(whole.status()).isEqualTo(RecordStatus.USED);
    assertThat(bare.status()).isEqualTo(RecordStatus.USED);
    assertThat(Events.dense(bare.example())).isEqualTo(Events.dense(whole.example()));
    assertThat(bare.example().label()).isZero();
    assertThat(scoring.fields()).containsExactly("age", "city");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "feature-map 2\nbias true\n",
        "examples 1\ndimension 4\n",
        "",
        "feature-map 1\nbias maybe\nlabel \"y\" as-it-is\n",
        "feature-map 1\nnumeric a \"a\" 0 1 sqrt required\nlabel \"y\" as-it-is\n",
        "feature-map 1\nnumeric a \"a\" 0 1 identity\nlabel \"y\" as-it-is\n",
        "feature-map 1\nhash murmur3 1 bits 4\nlabel \"y\" as-it-is\n",
        "feature-map 1\nhats many\nlabel \"y\" as-it-is\n",
        "feature-map 1\nhats 4 4\nlabel \"y\" as-it-is\n",
        "feature-map 1\nlabel \"y\" median\n",
        "feature-map 1\nlabel \"y as-it-is\n",
        "feature-map 1\nlabel  \"y\" as-it-is\n",
        "feature-map 1\nlabel\n",
        "feature-map 1\nbias true\n"
      })
  void refusesWhatItDoesNotUnderstand(String text) {
    assertThatThrownBy(() -> FeatureMapText.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("feature map");
  }
}
