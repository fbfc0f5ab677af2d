package dev.sotto.replay.verify;

import static dev.sotto.replay.verify.Verifying.DIRECT;
import static dev.sotto.replay.verify.Verifying.OFFSETS;
import static dev.sotto.replay.verify.Verifying.events;
import static dev.sotto.replay.verify.Verifying.onlyDifference;
import static dev.sotto.replay.verify.Verifying.verify;
import static dev.sotto.replay.verify.Verifying.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.learner.training.VersionSchedule;
import dev.sotto.replay.Replay;
import dev.sotto.replay.cluster.NoiseKeyHistory;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.replay.verify.VerificationResult.Outcome;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.ModelIdRule;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VerificationTest {
  @ParameterizedTest
  @EnumSource(names = {"DIRECT", "ROUNDS"})
  void findsEqualWhatIsEqual(Layout layout) {
    Setup setup = Setup.of(layout);
    int partitions = layout == Layout.DIRECT ? 1 : 2;
    Learned learned = Learned.from(setup, whole(partitions));
    VerificationResult status = verify(setup, whole(partitions), learned);
    assertThat(status.outcome()).isEqualTo(Outcome.EQUAL);
    assertThat(status.models()).singleElement().satisfies(model -> {
      assertThat(model.rounds().published()).isEqualTo(learned.ledger.size()).isGreaterThan(20);
      assertThat(model.rounds().equal()).isEqualTo(model.rounds().published());
      assertThat(model.versions().published()).isEqualTo(model.rounds().published());
      assertThat(model.versions().equal()).isEqualTo(model.rounds().published());
      assertThat(model.rounds().beyond()).isZero();
    });
  }

  /** A model that was retired after four rounds of three models in one partition. */
  @Test
  void findsEqualWhatWasRetiredMeanwhile() {
    Setup open = DIRECT.with(new ModelIdRule(ModelIdRule.Source.KEY, "m"));
    ModelIdRule.Limits limits = new ModelIdRule.Limits(Set.of(), Long.MAX_VALUE, Set.of("b"));
    Setup setup = DIRECT.with(new ModelIdRule(ModelIdRule.Source.KEY, "m", limits));
    Learned learned = new Learned();
    new Replay(setup.settings(), whole(1))
        .keys(new NoiseKeyHistory() {
          @Override
          public String keyOf(String modelId, long round) {
            return null;
          }

          @Override
          public long rounds(String modelId) {
            return 4;
          }
        })
        .run(learned);
    assertThat(learned.entries()).filteredOn(each -> each.modelId().equals("b")).hasSize(4);
    VerificationResult status = verify(setup, whole(1), learned);
    assertThat(status.outcome()).isEqualTo(Outcome.EQUAL);
    assertThat(status.models())
        .hasSize(3)
        .allSatisfy(each -> assertThat(each.rounds().beyond()).isZero());
    assertThat(verify(open, whole(1), learned).outcome()).isEqualTo(Outcome.DIFFERENT);
  }

  @Test
  void comparesWhatCompactionHasLeft() {
    Learned learned = Learned.from(DIRECT, whole(1)).compacted();
    ModelOutcome model = verify(DIRECT, whole(1), learned).models().get(0);
    assertThat(model.rounds().equal()).isEqualTo(model.rounds().published());
    assertThat(model.versions().equal()).isOne();
  }

  /** Versions of three rounds of 16 slots each. */
  @Test
  void comparesVersionsOfSeveralRounds() {
    Setup setup = DIRECT.with(new VersionSchedule(40, 0));
    Learned learned = Learned.from(setup, whole(1));
    VerificationResult status = verify(setup, whole(1), learned);
    assertThat(status.outcome()).isEqualTo(Outcome.EQUAL);
    ModelOutcome model = status.models().get(0);
    assertThat(model.rounds().published()).isEqualTo(3L * learned.ledger.size());
    assertThat(model.rounds().equal()).isEqualTo(model.rounds().published());
    assertThat(model.versions().published()).isEqualTo(learned.ledger.size());
    assertThat(model.versions().equal()).isEqualTo(learned.ledger.size());
  }

  @Test
  void namesTheFirstVersionThatAnotherConfigurationCutsElsewhere() {
    Learned learned = Learned.from(DIRECT.with(new VersionSchedule(40, 0)), whole(1));
    FirstDifference difference =
        onlyDifference(verify(DIRECT.with(new VersionSchedule(32, 0)), whole(1), learned));
    assertThat(difference.round()).isEqualTo(3);
    assertThat(difference.fields())
        .extracting(FieldDifference::name)
        .contains("round", "fingerprint");
  }

  @Test
  void comparesPrivateMetrics() {
    Setup setup = DIRECT.with(new PrivateMetrics(20, 2, 4, 2));
    Learned learned = Learned.from(setup, whole(1));
    assertThat(learned.metrics).hasSizeGreaterThan(5);
    ModelOutcome model = verify(setup, whole(1), learned).models().get(0);
    assertThat(model.equalMetrics()).isEqualTo(learned.metrics.size());

    Learned.Item old = learned.metrics.get(3);
    learned.metrics.set(3, new Learned.Item(old.partition(), old.key(), louder(old.value())));
    VerificationResult status = verify(setup, whole(1), learned);
    FirstDifference difference = onlyDifference(status);
    assertThat(difference.what()).isEqualTo("metrics");
    assertThat(difference.round()).isEqualTo(8);
    assertThat(difference.fields()).extracting(FieldDifference::name).containsExactly("sums[2]");
  }

  /**
   * What stands in a manifest beside weights and guarantee is under no digest: only a replay finds
   * that it was changed.
   */
  @Test
  void findsAManifestThatWasChanged() {
    Learned learned = Learned.from(DIRECT, whole(1));
    int at = 2 * 5 - 1; // a chunk and a manifest a version
    Learned.Item item = learned.snapshots.get(at);
    ModelSnapshot of = Codecs.SNAPSHOT.decode(item.value());
    ModelSnapshot changed = new ModelSnapshot(
        of.modelId(),
        of.runId(),
        of.generation(),
        of.version(),
        of.dimension(),
        of.chunks(),
        of.digest(),
        "a line\nb changed\n",
        of.loss(),
        of.algorithm(),
        of.last(),
        of.guarantee(),
        of.fingerprint(),
        of.ranges(),
        of.ledgerHash());
    learned.snapshots.set(at, new Learned.Item(0, item.key(), Codecs.SNAPSHOT.encode(changed)));
    VerificationResult status = verify(DIRECT, whole(1), learned);
    FirstDifference difference = onlyDifference(status);
    assertThat(difference.what()).isEqualTo("snapshot");
    assertThat(difference.round()).isEqualTo(5);
    assertThat(status.models().get(0).rounds().equal()).isEqualTo(4);
    assertThat(difference.fields())
        .containsExactly(new FieldDifference("features", "b changed", "b line"));
    assertThat(difference.weights().orElseThrow().differing()).isZero();
  }

  @Test
  void saysHowFarAShorterRecordingReaches() {
    Learned learned = Learned.from(DIRECT, whole(1));
    VerificationResult status = verify(DIRECT, Learned.recording(events(1), 1, 0, 200), learned);
    assertThat(status.outcome()).isEqualTo(Outcome.SHORTER);
    ModelOutcome model = status.models().get(0);
    assertThat(model.rounds().equal()).isEqualTo(11);
    assertThat(model.rounds().published()).isGreaterThan(20);
    assertThat(model.uncovered()).contains("round 12 needs partition 0", "ends after offset 199");
  }

  @Test
  void goesBeyondTheLedger() {
    Learned learned = Learned.from(DIRECT, Learned.recording(events(1), 1, 0, 200));
    VerificationResult status = verify(DIRECT, whole(1), learned);
    assertThat(status.outcome()).isEqualTo(Outcome.EQUAL);
    assertThat(status.models().get(0).rounds().equal()).isEqualTo(11);
    assertThat(status.models().get(0).rounds().beyond()).isGreaterThan(9);
  }

  @ParameterizedTest
  @EnumSource(names = {"DIRECT", "ROUNDS"})
  void needsTheBeginningAndNothingBeforeIt(Layout layout) {
    Setup setup = Setup.of(layout);
    int partitions = layout == Layout.DIRECT ? 1 : 2;
    InMemoryRecording late = Learned.recording(events(partitions), partitions, 50, OFFSETS);
    Learned learned = Learned.from(setup, late);
    assertThat(verify(setup, whole(partitions), learned).outcome()).isEqualTo(Outcome.EQUAL);
    VerificationResult status =
        verify(setup, Learned.recording(events(partitions), partitions, 51, OFFSETS), learned);
    assertThat(status.outcome()).isEqualTo(Outcome.UNVERIFIABLE);
    assertThat(status.reason()).contains("begins at offset 51", "since offset 50");
    if (layout == Layout.ROUNDS) {
      status = verify(setup, Learned.recording(events(1), 1, 0, OFFSETS), learned);
      assertThat(status.reason()).contains("lacks partition 1");
    }
  }

  @Test
  void refusesPublishedDataThatAreBroken() {
    Learned learned = Learned.from(DIRECT, whole(1));
    Learned.Item third = learned.ledger.get(2);
    byte[] bent = third.value().clone();
    bent[bent.length / 2] ^= 1;
    learned.ledger.set(2, new Learned.Item(0, third.key(), bent));
    assertUnverified(learned, "ledger");

    Learned swapped = Learned.from(DIRECT, whole(1));
    Learned.Item chunk = swapped.snapshots.get(swapped.snapshots.size() - 2);
    byte[] other = chunk.value().clone();
    other[other.length - 1] ^= 1;
    swapped.snapshots.set(swapped.snapshots.size() - 2, new Learned.Item(0, chunk.key(), other));
    assertUnverified(swapped, "digest");

    assertUnverified(new Learned(), "no entry");
  }

  @Test
  void asksForTheOrder() {
    Learned learned = Learned.from(DIRECT, whole(1));
    assertThatThrownBy(() -> verify(Setup.of(Layout.ORDERED), whole(1), learned))
        .isInstanceOf(RecordingException.class)
        .hasMessageContaining("the order of trial.order is part of the model");
  }

  private static byte[] louder(byte[] record) {
    ModelMetrics old = Codecs.METRICS.decode(record);
    double[] sums = old.noisy().sums().clone();
    sums[2] += 1;
    NoisyMetrics noisy = new NoisyMetrics(
        old.noisy().firstRound(),
        old.noisy().lastRound(),
        old.noisy().slots(),
        old.noisy().lossBound(),
        sums,
        old.noisy().noiseStd());
    return Codecs.METRICS.encode(
        new ModelMetrics(old.modelId(), old.runId(), noisy, old.fingerprint()));
  }

  private static void assertUnverified(Learned learned, String why) {
    assertThatThrownBy(() -> verify(DIRECT, whole(1), learned))
        .isInstanceOfSatisfying(
            SottoException.class, each -> assertThat(each.kind()).isEqualTo(FailureKind.UNVERIFIED))
        .hasMessageContaining(why);
  }
}
