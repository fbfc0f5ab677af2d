package dev.sotto.topology.settings;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.testing.Seed;
import dev.sotto.topology.LearnerDriver;
import dev.sotto.topology.LearnerTopologyTest;
import dev.sotto.topology.Trial;
import dev.sotto.topology.processor.HomePartitioner;
import dev.sotto.topology.settings.ModelIdRule.Source;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelIdRuleTest {
  private static final int DIMENSION = 2;
  private static final ModelIdRule BY_KEY = new ModelIdRule(Source.KEY, null);
  private static final ModelIdRule BY_HEADER = new ModelIdRule(Source.HEADER, "model");

  @TempDir
  Path folder;

  @Test
  void takesOnlyAllowedIdsWhereSomeAreNamed() {
    ModelIdRule.Limits limits = new ModelIdRule.Limits(Set.of("north", "south"), 5);
    ModelRouting routing = new ModelIdRule(Source.KEY, "", limits).routing(0, 1);
    assertThat(routing.modelOf("north".getBytes(UTF_8), null)).isEqualTo("north");
    assertThat(routing.modelOf("east".getBytes(UTF_8), null)).isNull();
    assertThat(routing.most()).isEqualTo(5);
    assertThat(BY_KEY.routing(0, 1).modelOf("east".getBytes(UTF_8), null)).isEqualTo("east");
  }

  @Test
  void givesAConstantIdToEveryRecord() {
    ModelRouting routing = Trial.ONE.routing(0, 1);
    assertThat(routing.modelOf(null, null)).isEqualTo("model");
    assertThat(routing.modelOf(new byte[] {1}, new byte[] {2})).isEqualTo("model");
    assertThat(Trial.ONE.home("model".getBytes(UTF_8), 1)).isZero();
  }

  @Test
  void givesEveryPartitionAModelOfItsOwn() {
    ModelIdRule ids = new ModelIdRule(Source.PARTITION, "site-a");
    for (int partition = 0; partition < 12; partition++) {
      String id = ids.routing(partition, 12).modelOf(null, null);
      assertThat(id).isEqualTo("site-a-" + partition);
      assertThat(ids.home(id.getBytes(UTF_8), 12)).isEqualTo(partition);
    }
  }

  private static final CandidateModels ALONE = CandidateModels.of(Trial.plan(3, 4));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "user 7",
        "\u00e9t\u00e9",
        "e\u0301",
        "\u65e5\u672c",
        "\ud83d\ude00",
        "\ufeffa",
        "\ufffd",
        "a/b/0"
      })
  void keepsEveryReadableIdAndSendsItsOutputsHome(String id) {
    byte[] bytes = id.getBytes(UTF_8);
    int home = BuiltInPartitioner.partitionForKey(bytes, 7); // where producers put the key
    assertThat(BY_KEY.routing(home, 7).modelOf(bytes, null)).isEqualTo(id);
    assertThat(BY_HEADER.routing(home, 7).modelOf(null, bytes)).isEqualTo(id);
    assertThat(HomePartitioner.ofIds(BY_KEY, ALONE, 7).partitions("t", bytes, null, 7))
        .hasValueSatisfying(set -> assertThat(set).containsExactly(home));
    for (String part : List.of("/0", "/15", "/manifest")) {
      assertThat(HomePartitioner.ofParts(BY_KEY, ALONE, 7)
              .partitions("t", (id + part).getBytes(UTF_8), null, 7))
          .hasValueSatisfying(set -> assertThat(set).containsExactly(home));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", // no bytes
        "00", // a control character
        "410a42", // a line break
        "7f", // delete
        "c285", // next line, a control character of two bytes
        "80", // a continuation without a beginning
        "c0af", // overlong
        "e0809f", // overlong
        "eda080", // half of a surrogate pair
        "eda0bdedb880", // a surrogate pair, each half by itself (CESU-8)
        "f4908080", // beyond the last code point
        "f8888080", // five bytes
        "ff",
        "41f09f98", // cut short
      })
  void refusesBytesThatAreNoReadableText(String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    assertThat(BY_KEY.routing(0, 1).modelOf(bytes, null)).isNull();
    assertThat(BY_HEADER.routing(0, 1).modelOf(null, bytes)).isNull();
  }

  @Test
  void refusesMissingAndOverlongIds() {
    assertThat(BY_KEY.routing(0, 1).modelOf(null, new byte[] {'a'})).isNull();
    assertThat(BY_HEADER.routing(0, 1).modelOf(new byte[] {'a'}, null)).isNull();
    assertThat(BY_KEY.routing(0, 1).modelOf("a".repeat(200).getBytes(UTF_8), null))
        .hasSize(200);
    assertThat(BY_KEY.routing(0, 1).modelOf("a".repeat(201).getBytes(UTF_8), null))
        .isNull();
  }

  @Test
  void knowsEveryModelInOnePartitionOnly() {
    for (int i = 0; i < 100; i++) {
      byte[] id = ("model " + i).getBytes(UTF_8);
      assertThat(IntStream.range(0, 5)
              .filter(partition -> BY_KEY.routing(partition, 5).modelOf(id, null) != null))
          .hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void putsRecordsOfStrangeModelsIntoNullSlots(boolean byKey) {
    ModelIdRule ids = byKey ? BY_KEY : BY_HEADER;
    LearnerSettings settings = Trial.settings(Layout.DIRECT, ids, Trial.plan(DIMENSION, 2));
    byte[] home = id(0);
    byte[] abroad = id(1);
    Random random = Seed.random(1);
    try (LearnerDriver driver = new LearnerDriver(settings, folder, 3)) {
      for (byte[] id : new byte[][] {home, abroad, null, home, {(byte) 0xFF}, home, home}) {
        RecordHeaders headers = new RecordHeaders();
        headers.add("model", "not the last".getBytes(UTF_8));
        headers.add("model", byKey ? null : id);
        driver.pipe(byKey ? id : null, Trial.event(random, DIMENSION), headers);
      }
      assertThat(driver.takeLedger())
          .extracting(LedgerEntry::ranges)
          .containsExactly(LearnerTopologyTest.range(0, 4), LearnerTopologyTest.range(5, 7));
      assertThat(driver.takeDeadLetters())
          .extracting(letter -> LearnerDriver.header(letter, "sotto.reason") + " "
              + LearnerDriver.header(letter, "sotto.offset"))
          .containsExactly("NO_MODEL 1", "NO_MODEL 2", "NO_MODEL 4");
    }
  }

  /** An id that is at home in a partition, of three. */
  private static byte[] id(int partition) {
    return IntStream.range(0, 1000)
        .mapToObj(i -> ("m" + i).getBytes(UTF_8))
        .filter(id -> BY_KEY.home(id, 3) == partition)
        .findFirst()
        .orElseThrow();
  }
}
