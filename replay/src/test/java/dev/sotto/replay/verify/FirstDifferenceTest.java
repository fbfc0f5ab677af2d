package dev.sotto.replay.verify;

import static dev.sotto.replay.verify.Verifying.DIRECT;
import static dev.sotto.replay.verify.Verifying.OFFSETS;
import static dev.sotto.replay.verify.Verifying.changed;
import static dev.sotto.replay.verify.Verifying.events;
import static dev.sotto.replay.verify.Verifying.offset;
import static dev.sotto.replay.verify.Verifying.onlyDifference;
import static dev.sotto.replay.verify.Verifying.verify;
import static dev.sotto.replay.verify.Verifying.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sotto.learner.release.Releaser;
import dev.sotto.replay.Replay;
import dev.sotto.replay.verify.VerificationResult.Outcome;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.ModelIdRule;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a replay differs in, field by field; docs/verify.md says what each rests on. */
class FirstDifferenceTest {
  private static final ModelIdRule OTHER = new ModelIdRule(ModelIdRule.Source.CONSTANT, "other");

  private static FieldDifference field(FirstDifference difference, String name) {
    return difference.fields().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " must differ: " + difference));
  }

  private static void assertNames(FirstDifference difference, String... names) {
    assertThat(difference.fields()).extracting(FieldDifference::name).containsExactly(names);
  }

  @Test
  void namesTheKey() {
    Learned learned = Learned.from(DIRECT, whole(1));
    FirstDifference difference =
        onlyDifference(verify(DIRECT.with(Learned.key(2)), whole(1), learned));
    assertThat(difference.round()).isOne();
    assertThat(field(difference, "keyId"))
        .isEqualTo(
            new FieldDifference("keyId", Learned.key(1).id(), Learned.key(2).id()));
    assertThat(difference.fields())
        .extracting(FieldDifference::name)
        .doesNotContain("fingerprint", "origin", "ranges");
    WeightsDifference weights = difference.weights().orElseThrow();
    assertThat(weights.version()).isOne();
    assertThat(weights.coordinate()).isZero();
    assertThat(weights.differing()).isEqualTo(Learned.DIMENSION);
    assertThat(weights.published()).isNotEqualTo(weights.replayed());
  }

  @Test
  void followsTheKeysOfTheLedgerWhereItHasThem() {
    Setup rotated = DIRECT.with(Learned.key(2).withEarlier(List.of(Learned.key(1))));
    Learned before = Learned.from(DIRECT, whole(1));
    assertThat(verify(rotated, whole(1), before).outcome()).isEqualTo(Outcome.EQUAL);
    Learned learned = new Learned();
    new Replay(rotated.settings(), whole(1))
        .keys((model, round) -> round < 8 ? Learned.key(1).id() : null)
        .run(learned);
    assertThat(verify(rotated, whole(1), learned).outcome()).isEqualTo(Outcome.EQUAL);
    for (int only = 1; only <= 2; only++) {
      FirstDifference difference =
          onlyDifference(verify(DIRECT.with(Learned.key(only)), whole(1), learned));
      assertThat(difference.round()).isEqualTo(only == 1 ? 8 : 1);
      assertThat(field(difference, "keyId").replayed())
          .isEqualTo(Learned.key(only).id());
    }
  }

  @Test
  void namesTheConfigurationSettingBySetting() {
    Learned learned = Learned.from(DIRECT, whole(1));
    FirstDifference difference = onlyDifference(verify(DIRECT.withClip(2), whole(1), learned));
    assertThat(field(difference, "clip")).isEqualTo(new FieldDifference("clip", "1.0", "2.0"));
    field(difference, "fingerprint");

    difference = onlyDifference(
        verify(DIRECT.withFeatures("a line\nother\nb line\nend\n"), whole(1), learned));
    assertThat(difference.fields())
        .extracting(FieldDifference::name, FieldDifference::published, FieldDifference::replayed)
        .contains(tuple("features", "", "other"), tuple("features", "", "end"));

    difference = onlyDifference(verify(DIRECT.withSteps("steps 2"), whole(1), learned));
    assertThat(difference.fields())
        .as("steps are in the fingerprint alone")
        .extracting(FieldDifference::name)
        .contains("fingerprint", "snapshotDigest")
        .doesNotContain("clip", "batch", "sigma", "algorithm", "features");

    difference = onlyDifference(verify(DIRECT.withBatch(32), whole(1), learned));
    assertThat(field(difference, "batch")).isEqualTo(new FieldDifference("batch", "16", "32"));
  }

  @Test
  void namesRunLabelAndModelId() {
    Learned learned = Learned.from(DIRECT, whole(1));
    FirstDifference difference = onlyDifference(verify(DIRECT.withLabel("2"), whole(1), learned));
    assertNames(difference, "runId", "snapshotDigest");

    VerificationResult status = verify(DIRECT.with(OTHER), whole(1), learned);
    assertThat(status.outcome()).isEqualTo(Outcome.DIFFERENT);
    assertThat(status.models())
        .hasSize(2)
        .allSatisfy(each -> assertThat(each.difference().orElseThrow().fields())
            .containsExactly(new FieldDifference("modelId", "model", "other")));
  }

  @Test
  void namesTheVersionOfTheArithmetic() {
    Learned learned = Learned.from(DIRECT, whole(1))
        .rewritten(each -> Learned.changed(each, each.previousHash(), each.keyId(), 2));
    FirstDifference difference = onlyDifference(verify(DIRECT, whole(1), learned));
    assertThat(difference.fields())
        .containsExactly(
            new FieldDifference("semantics", "2", Integer.toString(Releaser.SEMANTICS)));
  }

  @ParameterizedTest
  @EnumSource(names = {"DIRECT", "ROUNDS"})
  void namesTheRoundWhoseRecordWasChanged(Layout layout) {
    Setup setup = Setup.of(layout);
    int partitions = layout == Layout.DIRECT ? 1 : 2;
    Learned learned = Learned.from(setup, whole(partitions));
    byte[] value = events(partitions).get(100).value().clone();
    value[value.length - 20] ^= 1;
    FirstDifference difference =
        onlyDifference(verify(setup, changed(partitions, 100, value), learned));
    assertThat(difference.round())
        .isEqualTo(layout == Layout.DIRECT ? 100 / 16 + 1 : offset(100) / 8 + 1);
    assertNames(difference, "snapshotDigest");
    assertThat(difference.weights().orElseThrow().version()).isEqualTo(difference.round());
  }

  @Test
  void namesRecordsThatAreMissing() {
    Learned learned = Learned.from(DIRECT, whole(1));
    FirstDifference first = onlyDifference(verify(DIRECT, changed(1, 0, null), learned));
    assertThat(first.round()).isOne();
    assertThat(field(first, "origin")).isEqualTo(new FieldDifference("origin", "0", "1"));

    FirstDifference middle = onlyDifference(verify(DIRECT, changed(1, 100, null), learned));
    assertThat(middle.round()).isEqualTo(7);
    assertNames(middle, "ranges", "snapshotDigest");

    int inLastRound = learned.ledger.size() * 16 - 3;
    FirstDifference last = onlyDifference(verify(
        DIRECT,
        Learned.recording(
            events(1).stream()
                .filter(each -> each.offset() != offset(inLastRound))
                .filter(each -> each.offset() <= offset(inLastRound + 2))
                .toList(),
            1,
            0,
            OFFSETS),
        learned));
    assertThat(last.round()).isEqualTo(learned.ledger.size());
    assertNames(last, "round", "ranges");
    assertThat(last.fields()).allSatisfy(each -> assertThat(each.replayed()).isEmpty());
  }

  /** Three models in one partition: one byte of one event concerns one of them. */
  @Test
  void tellsModelsApart() {
    Setup setup = DIRECT.with(new ModelIdRule(ModelIdRule.Source.KEY, "m"));
    Learned learned = Learned.from(setup, whole(1));
    byte[] value = events(1).get(100).value().clone();
    value[value.length - 20] ^= 1;
    VerificationResult status = verify(setup, changed(1, 100, value), learned);
    assertThat(status.outcome()).isEqualTo(Outcome.DIFFERENT);
    assertThat(status.models()).hasSize(3);
    assertThat(status.models())
        .filteredOn(each -> each.difference().isPresent())
        .singleElement()
        .satisfies(each -> assertThat(each.modelId())
            .isEqualTo(new String(events(1).get(100).key(), StandardCharsets.UTF_8)));
    assertThat(status.models())
        .filteredOn(each -> each.difference().isEmpty())
        .hasSize(2)
        .allSatisfy(each -> assertThat(each.rounds().equal())
            .isEqualTo(each.rounds().published())
            .isPositive());
  }
}
