package dev.sotto.serdes.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.NormRule;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.settings.ConfigError;
import dev.sotto.serdes.event.JsonEventDecoder;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FeatureMapTest {
  private static double[] vector(FeatureMap map, String json) {
    Slot slot = Events.decode(map, json);
    assertThat(slot.status()).isEqualTo(RecordStatus.USED);
    return Events.dense(slot.example());
  }

  /**
   * A map that only hashes, clipped (one entry of +-1 stays as it is), so that the hash can be
   * seen.
   */
  private static FeatureMap hashOnly(int bits, FeatureMapBuilder features) {
    return features.bias(false).hashBits(bits).norm(NormRule.CLIP).build();
  }

  private static void assertOnly(double[] vector, int coordinate, double value) {
    double[] expected = new double[vector.length];
    expected[coordinate] = value;
    assertThat(vector).isEqualTo(expected);
  }

  @Test
  void putsTheBiasFirstThenTheNumbersThenTheHashedBlock() {
    var map = Events.labelled()
        .hashBits(3)
        .categorical("c", "c", false)
        .numeric("a", "x.a", 0, 10, Transform.IDENTITY, false)
        .numeric("b", "x.b", -1, 1, Transform.IDENTITY, false)
        .build();
    assertThat(map.dimension()).isEqualTo(1 + 2 + 8);
    double[] x = vector(map, "{\"x\":{\"a\":2.5,\"b\":1},\"c\":\"v\",\"y\":1}");
    double norm = Math.sqrt(1 + 0.25 + 1 + 1);
    assertThat(x[0]).isCloseTo(1 / norm, within(1e-15));
    assertThat(x[1]).isCloseTo(-0.5 / norm, within(1e-15));
    assertThat(x[2]).isCloseTo(1 / norm, within(1e-15));
    double block = 0;
    for (int i = 3; i < 11; i++) {
      block += Math.abs(x[i]);
    }
    assertThat(block).isCloseTo(1 / norm, within(1e-15));
  }

  @Test
  void isDenseWithoutAHashedBlockAndStartsEveryRecordFromZero() {
    var map = Events.labelled()
        .bias(false)
        .norm(NormRule.CLIP)
        .numeric("a", "a", 0, 1, Transform.IDENTITY, true)
        .numeric("b", "b", 0, 1, Transform.IDENTITY, true)
        .build();
    var decoder = new JsonEventDecoder(map);
    var slot = new Slot(2);
    decoder.decode(null, Events.utf8("{\"a\":1,\"y\":0}"), slot);
    assertThat(slot.example().isSparse()).isFalse();
    assertThat(Events.dense(slot.example())).containsExactly(1, 0);
    decoder.decode(null, Events.utf8("{\"b\":0,\"y\":0}"), slot);
    assertThat(Events.dense(slot.example())).containsExactly(0, -1);
  }

  /** The linear coordinate stays, and of nine hats two are not 0; a missing number adds nothing. */
  @Test
  void givesEachNumberItsHats() {
    var map = Events.labelled()
        .norm(NormRule.CLIP)
        .hats(8)
        .hashBits(2)
        .numeric("a", "a", 0, 8, Transform.IDENTITY, true)
        .numeric("b", "b", 0, 8, Transform.IDENTITY, true)
        .categorical("c", "c", true)
        .build();
    assertThat(map.dimension()).isEqualTo(1 + 2 * 10 + 4);
    double[] x = vector(map, "{\"b\":2.25,\"y\":1}");
    double z = 2 * 2.25 / 8 - 1;
    double m = Math.sqrt(0.75 * 0.75 + 0.25 * 0.25);
    double[] expected = new double[map.dimension()];
    expected[0] = 1;
    expected[11] = z;
    expected[12 + 2] = 0.5 * 0.75 / m;
    expected[12 + 3] = 0.5 * 0.25 / m;
    double norm = Math.sqrt(1 + z * z + 0.25);
    for (int i = 0; i < x.length; i++) {
      assertThat(x[i]).as("coordinate %d", i).isCloseTo(expected[i] / norm, within(1e-15));
    }
    assertThat(Events.decode(map, "{\"b\":2.25,\"y\":1}").example().size()).isEqualTo(4);
    assertThat(vector(map, "{\"a\":-1e300,\"y\":1}")[2]).isPositive();
    assertThat(vector(map, "{\"a\":1e300,\"y\":1}")[10]).isPositive();
    assertThat(Events.decode(map, "{\"a\":\"nan\",\"y\":1}").status())
        .isEqualTo(RecordStatus.NOT_FINITE);
  }

  @Test
  void refusesHatsThatAreNoNumberOfIntervals() {
    for (int hats : new int[] {-1, 65}) {
      assertThat(Events.labelled().hats(hats).problems())
          .containsExactly(
              new ConfigError("features.hats", "must lie in 0 to 64, but was " + hats));
    }
    assertThat(Events.labelled().hats(0).problems()).isEmpty();
    assertThat(Events.labelled().hats(64).problems()).isEmpty();
  }

  @Test
  void clipsNumbersToTheirBounds() {
    var map = Events.labelled()
        .bias(false)
        .norm(NormRule.CLIP)
        .numeric("a", "a", -30, 180, Transform.IDENTITY, false)
        .build();
    assertThat(vector(map, "{\"a\":-1e300,\"y\":0}")).containsExactly(-1);
    assertThat(vector(map, "{\"a\":1e300,\"y\":0}")).containsExactly(1);
    assertThat(vector(map, "{\"a\":75,\"y\":0}")).containsExactly(0);
    assertThat(vector(map, "{\"a\":22.5,\"y\":0}")).containsExactly(-0.5);
  }

  @Test
  void scalesLogarithms() {
    var map = Events.labelled()
        .bias(false)
        .norm(NormRule.CLIP)
        .numeric("a", "a", 0, 99, Transform.LOG1P, false)
        .build();
    assertThat(vector(map, "{\"a\":9,\"y\":0}")[0]).isCloseTo(0, within(1e-15));
    assertThat(vector(map, "{\"a\":-5,\"y\":0}")).containsExactly(-1);
    double expected = 2 * Math.log(21) / Math.log(100) - 1;
    assertThat(vector(map, "{\"a\":20,\"y\":0}")[0]).isCloseTo(expected, within(1e-15));
  }

  // Golden numbers: MurmurHash3 x86 32 of the texts below with seed 0x243F6A88, from an independent
  // implementation of the algorithm.
  @Test
  void hashesCategoriesToKnownBuckets() {
    var text = hashOnly(10, Events.labelled().categorical("carrier", "v", false));
    assertOnly(vector(text, "{\"v\":\"DL\",\"y\":0}"), 908, -1); // 0xcbd8ff8c
    assertOnly(vector(text, "{\"v\":\"Łódź✈😀\",\"y\":0}"), 727, -1); // 0xcd8eead7
    assertOnly(
        vector(text, "{\"v\":\"\\u0141\\u00f3d\\u017a\\u2708\\ud83d\\ude00\",\"y\":0}"), 727, -1);
    var whole = hashOnly(10, Events.labelled().categorical("dow", "v", false));
    for (String six : List.of("6", "6.0", "\"6\"", "0.6e1", "600e-2")) {
      assertOnly(vector(whole, "{\"v\":" + six + ",\"y\":0}"), 563, -1); // dow=6: 0xd880ca33
    }
    var flag = hashOnly(10, Events.labelled().categorical("flag", "v", false));
    assertOnly(vector(flag, "{\"v\":true,\"y\":0}"), 177, 1); // 0x40af84b1
    assertOnly(vector(flag, "{\"v\":false,\"y\":0}"), 380, -1); // 0xdda4097c
    var ratio = hashOnly(10, Events.labelled().categorical("ratio", "v", false));
    assertOnly(
        vector(ratio, "{\"v\":0.1,\"y\":0}"), 153, 1); // ratio=0x3fb999999999999a: 0x7aed2499
    assertOnly(vector(ratio, "{\"v\":0.100,\"y\":0}"), 153, 1);
  }

  @Test
  void hashesCrossesWithoutConfusingHowValuesSplit() {
    var map = hashOnly(10, Events.labelled().cross("route", List.of("a", "b"), false));
    assertOnly(vector(map, "{\"a\":\"IAH\",\"b\":\"ATL\",\"y\":0}"), 21, 1); // 0x43632015
    // route=2:a:1:b and route=1:a2::b: joined without lengths, both would be a::b
    assertOnly(vector(map, "{\"a\":\"a:\",\"b\":\"b\",\"y\":0}"), 993, 1); // 0x5cbf1be1
    assertOnly(vector(map, "{\"a\":\"a\",\"b\":\":b\",\"y\":0}"), 86, -1); // 0xd788ac56
  }

  @Test
  void mergesCategoriesThatShareABucketBeforeTheNormIsTaken() {
    // with one bit: a=0, b=0 go to bucket 1 with +1, a=2 to bucket 1 with -1
    var features =
        Events.labelled().hashBits(1).categorical("a", "a", false).categorical("b", "b", false);
    Example both = Events.decode(features.build(), "{\"a\":0,\"b\":0,\"y\":0}").example();
    assertThat(both.size()).isEqualTo(2);
    assertThat(Events.dense(both)[2]).isCloseTo(2 / Math.sqrt(5), within(1e-15));
    assertThat(both.norm()).isLessThanOrEqualTo(1).isCloseTo(Events.norm(both), within(1e-15));
    double[] cancelled = vector(features.build(), "{\"a\":2,\"b\":0,\"y\":0}");
    assertThat(cancelled).containsExactly(1, 0, 0);
    double[] zero = vector(features.bias(false).build(), "{\"a\":2,\"b\":0,\"y\":0}");
    assertThat(zero).containsExactly(0, 0);
  }

  @Test
  void scalesShortVectorsUpAndClipLeavesThem() {
    var features =
        Events.labelled().bias(false).numeric("a", "a", 0, 100, Transform.IDENTITY, false);
    assertThat(vector(features.norm(NormRule.CLIP).build(), "{\"a\":60,\"y\":0}")[0])
        .isCloseTo(0.2, within(1e-15));
    assertThat(vector(features.norm(NormRule.SCALE).build(), "{\"a\":60,\"y\":0}")[0])
        .isCloseTo(1, within(1e-15));
    assertThat(vector(features.build(), "{\"a\":50,\"y\":0}")).containsExactly(0);
    var clipped = features.bias(true).norm(NormRule.CLIP).build();
    assertThat(Events.norm(Events.decode(clipped, "{\"a\":60,\"y\":0}").example()))
        .isCloseTo(1, within(1e-15));
  }

  @Test
  void leavesOutWhatIsOptionalAndMissing() {
    var map = Events.labelled()
        .hashBits(4)
        .numeric("a", "a", 0, 1, Transform.IDENTITY, true)
        .categorical("b", "b", true)
        .cross("ab", List.of("a", "b"), true)
        .build();
    double[] biasOnly = new double[map.dimension()];
    biasOnly[0] = 1;
    assertThat(vector(map, "{\"y\":0}")).isEqualTo(biasOnly);
    assertThat(vector(map, "{\"a\":null,\"b\":null,\"y\":0}")).isEqualTo(biasOnly);
    assertThat(Events.decode(map, "{\"a\":1,\"y\":0}").example().size()).isEqualTo(2);
  }

  @Test
  void letsSeveralFeaturesReadOneField() {
    var map = Events.labelled()
        .hashBits(8)
        .numeric("n", "v", 0, 10, Transform.IDENTITY, false)
        .categorical("c", "v", false)
        .unitField("v")
        .build();
    Slot slot = Events.decode(map, "{\"v\":10,\"y\":0}");
    assertThat(slot.example().size()).isEqualTo(3);
    assertThat(Events.unit(slot)).isEqualTo("10");
    assertThat(map.fields()).containsExactly("v", "y");
  }

  @Test
  void describesEverySetting() {
    var text =
        Events.flights().cross("route", List.of("x.origin", "x.dest"), true).weight("w");
    assertThat(text.build().describe()).isEqualTo("""
            feature-map 1
            bias true
            norm scale
            hash murmur3 243f6a88 bits 12
            numeric distance "x.distance" 0 4000 identity required
            numeric dep_delay "x.dep_delay" -30 180 identity required
            categorical carrier "x.carrier" required
            categorical origin "x.origin" required
            categorical dest "x.dest" required
            categorical month "x.month" required
            categorical dow "x.dow" required
            categorical hour "x.hour" required
            cross route "x.origin" "x.dest" optional
            label "late" classes "1"
            weight "w"
            unit field "key"
            """);
    assertThat(Events.labelled().unitFromKey().build().describe()).contains("unit key\n");
    LabelRule names = new LabelRule.Names(List.of("red", "7", "true"));
    assertThat(Events.labelled().label("y", names).build().describe())
        .contains("label \"y\" names \"red\" \"7\" \"true\"\n");
    assertThat(
            Events.labelled().label("y", new LabelRule.Threshold(0.1)).build().describe())
        .contains(
            "label \"y\" threshold 0.1000000000000000055511151231257827021181583404541015625\n");
  }

  @Test
  void tellsAllFaultsAtOnce() {
    var broken = FeatureMap.builder()
        .hashBits(25)
        .numeric("swapped", "a", 5, 3, Transform.IDENTITY, false)
        .numeric("nan", "a", Double.NaN, 3, Transform.IDENTITY, false)
        .numeric("flat", "a", -3, -1, Transform.LOG1P, false)
        .numeric("wide", "a", -Double.MAX_VALUE, Double.MAX_VALUE, Transform.IDENTITY, false)
        .categorical("a=b", "a..b", false)
        .categorical("wide", null, false)
        .cross("alone", List.of("x"), false)
        .label("", new LabelRule.Range(1, 1))
        .weight(String.join(".", Collections.nCopies(17, "w")))
        .unitField("u")
        .unitFromKey();
    assertThat(broken.problems())
        .extracting(ConfigError::message)
        .containsExactly(
            "features.numeric.swapped.min must be below features.numeric.swapped.max, but was 5.0"
                + " and 3.0",
            "features.numeric.nan.min must be finite, but was NaN",
            "features.numeric.flat.max must lie a positive and finite width above"
                + " features.numeric.flat.min after the transform log1p, but the width was 0.0",
            "features.numeric.wide.max must lie a positive and finite width above"
                + " features.numeric.wide.min after the transform identity, but the width was"
                + " Infinity",
            "features.categorical.a=b must have a name of 1 to 100 of A-Z a-z 0-9 _ . -, but was"
                + " \"a=b\"",
            "features.categorical.wide must have a name of its own, but another feature is called"
                + " wide",
            "features.categorical.wide.field must name a field, but was missing",
            "features.cross.alone.fields must name 2 to 8 fields, but named 1",
            "features.hash.bits must lie in 1 to 24, but was 25",
            "label.field must name a field, but was empty",
            "label.min must be below label.max, but was 1.0 and 1.0",
            "weight.field must be at most 16 names deep, but was 17",
            "unit.field must be absent where the unit is the record's key, but was \"u\"");
    assertThatThrownBy(broken::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            broken.problems().stream().map(ConfigError::message).collect(Collectors.joining("\n")));
    assertThat(FeatureMap.builder().bias(false).norm(null).label("y", null).problems())
        .extracting(ConfigError::message)
        .containsExactly(
            "features must hold a feature or the bias, but was empty",
            "features.norm must be scale or clip, but was missing",
            "label.rule must be given, but was missing");
    assertThat(Events.labelled().label("y", new LabelRule.Classes(List.of())).problems())
        .extracting(ConfigError::message)
        .containsExactly("label.classes must name at least one class, but was empty");
    assertThat(Events.labelled()
            .label("y", new LabelRule.Names(List.of("7", "\"7\"")))
            .problems())
        .extracting(ConfigError::message)
        .containsExactly("label.names must name each class once, but were [7, \"7\"]");
  }
}
