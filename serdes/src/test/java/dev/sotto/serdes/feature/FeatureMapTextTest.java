package dev.sotto.serdes.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.testing.Seed;
import java.util.ArrayList;
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
    return switch (random.nextInt(5)) {
      case 0 -> new LabelRule.AsItIs();
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
      switch (random.nextInt(3)) {
        case 0 ->
          builder.numeric(
              "n" + i,
              word(random),
              -0.1 * random.nextDouble(),
              random.nextDouble() * 1e9,
              Transform.values()[random.nextInt(2)],
              optional);
        case 1 -> builder.categorical("c" + i, word(random), optional);
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
    assertThat(scoring.namesUnits()).isFalse();
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
