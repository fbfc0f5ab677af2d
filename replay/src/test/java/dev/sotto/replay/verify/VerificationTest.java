package dev.sotto.replay.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.sotto.learner.round.MetricsPlan;
import dev.sotto.learner.round.ModelSnapshot;
import dev.sotto.learner.round.NoisyMetrics;
import dev.sotto.replay.recording.MemoryRecording;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingFault;
import dev.sotto.replay.verify.Learned.Event;
import dev.sotto.replay.verify.Learned.Setup;
import dev.sotto.replay.verify.Verdict.Outcome;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.topology.ExitCode;
import dev.sotto.topology.Layout;
import dev.sotto.topology.ModelIds;
import dev.sotto.topology.StartFailure;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VerificationTest {
  private static final int OFFSETS = 400;
  private static final Setup DIRECT = Setup.of(Layout.DIRECT);
  private static final Setup ROUNDS = Setup.of(Layout.ROUNDS);

  private static List<Event> events(int partitions) {
    return Learned.events(partitions, OFFSETS);
  }

  private static MemoryRecording whole(int partitions) {
    return Learned.recording(events(partitions), partitions, 0, OFFSETS);
  }

  private static Verdict verify(Setup setup, Recording recording, Published published) {
    return new Verification(setup.settings(), recording, published).run();
  }

  /** The stream with one record less, or another one in its place; null takes it away. */
  private static MemoryRecording changed(int partitions, int at, byte[] value) {
    List<Event> events = new ArrayList<>(events(partitions));
    Event old = events.get(at);
    if (value == null) {
      events.remove(at);
    } else {
      events.set(at, new Event(old.partition(), old.offset(), old.key(), value));
    }
    return Learned.recording(events, partitions, 0, OFFSETS);
  }

  private static Difference onlyDifference(Verdict verdict) {
    assertThat(verdict.outcome()).isEqualTo(Outcome.DIFFERENT);
    return verdict.first().orElseThrow().difference().orElseThrow();
  }

  private static Cause onlyCause(Difference difference) {
    assertThat(difference.causes()).hasSize(1);
    return difference.causes().get(0);
  }

  @ParameterizedTest
  @EnumSource(names = {"DIRECT", "ROUNDS"})
  void findsEqualWhatIsEqual(Layout layout) {
    Setup setup = Setup.of(layout);
    int partitions = layout == Layout.DIRECT ? 1 : 2;
    Learned learned = Learned.from(setup, whole(partitions));
    Verdict verdict = verify(setup, whole(partitions), learned);
    assertThat(verdict.outcome()).isEqualTo(Outcome.EQUAL);
    assertThat(verdict.models()).singleElement().satisfies(model -> {
      assertThat(model.published()).isEqualTo(learned.ledger.size()).isGreaterThan(20);
      assertThat(model.equal()).isEqualTo(model.published());
      assertThat(model.versions()).isEqualTo(model.published());
      assertThat(model.equalVersions()).isEqualTo(model.published());
      assertThat(model.beyond()).isZero();
    });
  }

  @Test
  void comparesWhatCompactionHasLeft() {
    Learned learned = Learned.from(DIRECT, whole(1)).compacted();
    ModelVerdict model = verify(DIRECT, whole(1), learned).models().get(0);
    assertThat(model.equal()).isEqualTo(model.published());
    assertThat(model.equalVersions()).isOne();
  }

  /** The digest in the ledger speaks for versions that this configuration does not release. */
  @Test
  void doesNotNeedTheSameReleases() {
    Learned learned = Learned.from(DIRECT.releasingEvery(3), whole(1));
    Verdict verdict = verify(DIRECT.releasingEvery(2), whole(1), learned);
    assertThat(verdict.outcome()).isEqualTo(Outcome.EQUAL);
    ModelVerdict model = verdict.models().get(0);
    assertThat(model.versions()).isEqualTo(model.published() / 3);
    assertThat(model.equalVersions()).isEqualTo(model.published() / 6);
  }

  @Test
  void comparesPrivateMetrics() {
    Setup setup = DIRECT.with(new MetricsPlan(20, 2, 4, 2));
    Learned learned = Learned.from(setup, whole(1));
    assertThat(learned.metrics).hasSizeGreaterThan(5);
    ModelVerdict model = verify(setup, whole(1), learned).models().get(0);
    assertThat(model.metrics()).isEqualTo(learned.metrics.size());

    Learned.Item old = learned.metrics.get(3);
    learned.metrics.set(3, new Learned.Item(old.partition(), old.key(), louder(old.value())));
    Verdict verdict = verify(setup, whole(1), learned);
    Difference difference = onlyDifference(verdict);
    assertThat(difference.what()).isEqualTo("metrics");
    assertThat(difference.round()).isEqualTo(8);
    assertThat(difference.fields()).extracting(FieldDifference::name).containsExactly("sums[2]");
    assertThat(onlyCause(difference).kind()).isEqualTo(Cause.Kind.UNKNOWN);
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

  /** What stands in a manifest beside weights and guarantee is under no digest: only a replay finds that it was changed. */
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
    Verdict verdict = verify(DIRECT, whole(1), learned);
    Difference difference = onlyDifference(verdict);
    assertThat(difference.what()).isEqualTo("snapshot");
    assertThat(difference.round()).isEqualTo(5);
    assertThat(verdict.models().get(0).equal()).isEqualTo(4);
    assertThat(difference.fields())
        .containsExactly(new FieldDifference("features", "b changed", "b line"));
    assertThat(difference.weights().orElseThrow().differing()).isZero();
    assertThat(onlyCause(difference).kind()).isEqualTo(Cause.Kind.UNKNOWN);
  }

  @Test
  void namesTheKey() {
    Learned learned = Learned.from(DIRECT, whole(1));
    Difference difference = onlyDifference(verify(DIRECT.with(Learned.key(2)), whole(1), learned));
    assertThat(difference.round()).isOne();
    Cause cause = onlyCause(difference);
    assertThat(cause.kind()).isEqualTo(Cause.Kind.KEY);
    assertThat(cause.text()).isEqualTo("another noise key");
    assertThat(cause.values())
        .containsExactly(
            new FieldDifference("keyId", Learned.key(1).id(), Learned.key(2).id()));
    WeightsDifference weights = difference.weights().orElseThrow();
    assertThat(weights.version()).isOne();
    assertThat(weights.coordinate()).isZero();
    assertThat(weights.differing()).isEqualTo(Learned.DIMENSION);
    assertThat(weights.published()).isNotEqualTo(weights.replayed());
  }

  @Test
  void knowsEarlierKeys() {
    Learned learned = Learned.from(DIRECT, whole(1));
    Setup rotated = DIRECT.with(Learned.key(2).withEarlier(List.of(Learned.key(1))));
    Cause cause = onlyCause(onlyDifference(verify(rotated, whole(1), learned)));
    assertThat(cause.kind()).isEqualTo(Cause.Kind.KEY);
    assertThat(cause.text()).contains("earlier key");
  }

  @Test
  void saysAtWhichRoundTheKeyWasRotated() {
    Learned learned = Learned.from(DIRECT, whole(1))
        .rewritten(each -> Learned.changed(
            each,
            each.previousHash(),
            each.round() < 8 ? each.keyId() : Learned.key(2).id(),
            each.semantics()));
    Verdict verdict = verify(DIRECT, whole(1), learned);
    assertThat(verdict.models().get(0).equal()).isEqualTo(7);
    Difference difference = onlyDifference(verdict);
    assertThat(difference.round()).isEqualTo(8);
    assertThat(difference.causes().get(0).kind()).isEqualTo(Cause.Kind.KEY);
    assertThat(difference.causes().get(0).text())
        .contains(
            "rotated", "1=" + Learned.key(1).id() + ", 8=" + Learned.key(2).id());
  }

  @Test
  void namesTheConfigurationSettingBySetting() {
    Learned learned = Learned.from(DIRECT, whole(1));
    Cause cause = onlyCause(onlyDifference(verify(DIRECT.withClip(2), whole(1), learned)));
    assertThat(cause.kind()).isEqualTo(Cause.Kind.CONFIGURATION);
    assertThat(cause.values())
        .extracting(FieldDifference::name, FieldDifference::published, FieldDifference::replayed)
        .contains(tuple("clip", "1.0", "2.0"))
        .hasSize(2); // and the fingerprint

    cause = onlyCause(onlyDifference(
        verify(DIRECT.withFeatures("a line\nother\nb line\nend\n"), whole(1), learned)));
    assertThat(cause.values())
        .extracting(FieldDifference::name, FieldDifference::published, FieldDifference::replayed)
        .contains(tuple("features", "", "other"), tuple("features", "", "end"))
        .hasSize(3);

    cause = onlyCause(onlyDifference(verify(DIRECT.withSteps("steps 2"), whole(1), learned)));
    assertThat(cause.text()).contains("neither ledger nor manifest states");

    Difference difference = onlyDifference(verify(DIRECT.withBatch(32), whole(1), learned));
    assertThat(difference.causes().get(0).values())
        .extracting(FieldDifference::name, FieldDifference::published, FieldDifference::replayed)
        .contains(tuple("batch", "16", "32"))
        .hasSize(2);
    assertThat(difference.causes()).as("the ranges follow from the batch").hasSize(1);
  }

  @Test
  void namesRunLabelAndModelId() {
    Learned learned = Learned.from(DIRECT, whole(1));
    Cause cause = onlyCause(onlyDifference(verify(DIRECT.withLabel("2"), whole(1), learned)));
    assertThat(cause.kind()).isEqualTo(Cause.Kind.RUN);
    assertThat(cause.text()).contains("run.label");

    Setup other = DIRECT.with(new ModelIds(ModelIds.Source.CONSTANT, "other"));
    Verdict verdict = verify(other, whole(1), learned);
    assertThat(verdict.outcome()).isEqualTo(Outcome.DIFFERENT);
    assertThat(verdict.models()).hasSize(2).allSatisfy(each -> {
      Cause why = onlyCause(each.difference().orElseThrow());
      assertThat(why.kind()).isEqualTo(Cause.Kind.RUN);
      assertThat(why.values()).containsExactly(new FieldDifference("modelId", "model", "other"));
    });
  }

  @Test
  void namesTheVersionOfTheArithmetic() {
    Learned learned = Learned.from(DIRECT, whole(1))
        .rewritten(each -> Learned.changed(each, each.previousHash(), each.keyId(), 2));
    Cause cause = onlyCause(onlyDifference(verify(DIRECT, whole(1), learned)));
    assertThat(cause.kind()).isEqualTo(Cause.Kind.VERSION);
    assertThat(cause.values()).containsExactly(new FieldDifference("semantics", "2", "3"));
  }

  @ParameterizedTest
  @EnumSource(names = {"DIRECT", "ROUNDS"})
  void namesTheRoundWhoseRecordWasChanged(Layout layout) {
    Setup setup = Setup.of(layout);
    int partitions = layout == Layout.DIRECT ? 1 : 2;
    Learned learned = Learned.from(setup, whole(partitions));
    byte[] value = events(partitions).get(100).value().clone();
    value[value.length - 20] ^= 1;
    Difference difference = onlyDifference(verify(setup, changed(partitions, 100, value), learned));
    assertThat(difference.round())
        .isEqualTo(layout == Layout.DIRECT ? 100 / 16 + 1 : offset(100) / 8 + 1);
    Cause cause = onlyCause(difference);
    assertThat(cause.kind()).isEqualTo(Cause.Kind.INPUT);
    assertThat(cause.text()).contains("at least one was changed");
    assertThat(difference.fields())
        .extracting(FieldDifference::name)
        .containsExactly("snapshotDigest");
    assertThat(difference.weights().orElseThrow().version()).isEqualTo(difference.round());
  }

  private static long offset(int at) {
    return events(1).get(at).offset();
  }

  @Test
  void namesRecordsThatAreMissing() {
    Learned learned = Learned.from(DIRECT, whole(1));
    Difference first = onlyDifference(verify(DIRECT, changed(1, 0, null), learned));
    assertThat(first.round()).isOne();
    assertThat(onlyCause(first).text()).contains("missing at the beginning");
    assertThat(onlyCause(first).values()).containsExactly(new FieldDifference("origin", "0", "1"));

    Difference middle = onlyDifference(verify(DIRECT, changed(1, 100, null), learned));
    assertThat(middle.round()).isEqualTo(7);
    assertThat(onlyCause(middle).text()).contains("records are missing");

    int inLastRound = learned.ledger.size() * 16 - 3;
    Difference last = onlyDifference(verify(
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
    assertThat(onlyCause(last).text()).contains("too few records");
  }

  @Test
  void saysHowFarAShorterRecordingReaches() {
    Learned learned = Learned.from(DIRECT, whole(1));
    Verdict verdict = verify(DIRECT, Learned.recording(events(1), 1, 0, 200), learned);
    assertThat(verdict.outcome()).isEqualTo(Outcome.SHORTER);
    ModelVerdict model = verdict.models().get(0);
    assertThat(model.equal()).isEqualTo(11);
    assertThat(model.published()).isGreaterThan(20);
    assertThat(model.uncovered()).contains("round 12 needs partition 0", "ends behind offset 199");
  }

  @Test
  void goesBeyondTheLedger() {
    Learned learned = Learned.from(DIRECT, Learned.recording(events(1), 1, 0, 200));
    Verdict verdict = verify(DIRECT, whole(1), learned);
    assertThat(verdict.outcome()).isEqualTo(Outcome.EQUAL);
    assertThat(verdict.models().get(0).equal()).isEqualTo(11);
    assertThat(verdict.models().get(0).beyond()).isGreaterThan(9);
  }

  @ParameterizedTest
  @EnumSource(names = {"DIRECT", "ROUNDS"})
  void needsTheBeginningAndNothingBeforeIt(Layout layout) {
    Setup setup = Setup.of(layout);
    int partitions = layout == Layout.DIRECT ? 1 : 2;
    MemoryRecording late = Learned.recording(events(partitions), partitions, 50, OFFSETS);
    Learned learned = Learned.from(setup, late);
    assertThat(verify(setup, whole(partitions), learned).outcome()).isEqualTo(Outcome.EQUAL);
    Verdict verdict =
        verify(setup, Learned.recording(events(partitions), partitions, 51, OFFSETS), learned);
    assertThat(verdict.outcome()).isEqualTo(Outcome.UNVERIFIABLE);
    assertThat(verdict.reason()).contains("begins at offset 51", "since offset 50");
    if (layout == Layout.ROUNDS) {
      verdict = verify(setup, Learned.recording(events(1), 1, 0, OFFSETS), learned);
      assertThat(verdict.reason()).contains("lacks partition 1");
    }
  }

  /** Three models in one partition: one byte of one event concerns one of them. */
  @Test
  void tellsModelsApart() {
    Setup setup = DIRECT.with(new ModelIds(ModelIds.Source.KEY, "m"));
    Learned learned = Learned.from(setup, whole(1));
    byte[] value = events(1).get(100).value().clone();
    value[value.length - 20] ^= 1;
    Verdict verdict = verify(setup, changed(1, 100, value), learned);
    assertThat(verdict.outcome()).isEqualTo(Outcome.DIFFERENT);
    assertThat(verdict.models()).hasSize(3);
    assertThat(verdict.models())
        .filteredOn(each -> each.difference().isPresent())
        .singleElement()
        .satisfies(each -> assertThat(each.modelId())
            .isEqualTo(new String(events(1).get(100).key(), StandardCharsets.UTF_8)));
    assertThat(verdict.models())
        .filteredOn(each -> each.difference().isEmpty())
        .hasSize(2)
        .allSatisfy(each -> assertThat(each.equal()).isEqualTo(each.published()).isPositive());
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

  private static void assertUnverified(Learned learned, String why) {
    assertThatThrownBy(() -> verify(DIRECT, whole(1), learned))
        .isInstanceOfSatisfying(
            StartFailure.class, each -> assertThat(each.exitCode()).isEqualTo(ExitCode.UNVERIFIED))
        .hasMessageContaining(why);
  }

  @Test
  void asksForTheRightTopic() {
    Learned learned = Learned.from(DIRECT, whole(1));
    assertThatThrownBy(() -> verify(Setup.of(Layout.FUNNEL), whole(1), learned))
        .isInstanceOf(RecordingFault.class)
        .hasMessageContaining("record --topic trial.sequence");
    MemoryRecording sequence =
        MemoryRecording.of("trial.sequence").partition(0, 0).build();
    assertThatThrownBy(() -> verify(ROUNDS, sequence, learned))
        .isInstanceOf(RecordingFault.class)
        .hasMessageContaining("the order of a funnel");
  }

  @Test
  void saysThatTheTopicWasMadeAgain() {
    Learned learned = Learned.from(DIRECT, whole(1));
    byte[] value = events(1).get(100).value().clone();
    value[value.length - 20] ^= 1;
    Verdict verdict = new Verification(DIRECT.settings(), changed(1, 100, value), learned)
        .topicId("another-id")
        .run();
    assertThat(onlyDifference(verdict).causes())
        .extracting(Cause::text)
        .anySatisfy(each -> assertThat(each).contains("made again"));
  }
}
