package dev.sotto.learner.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.release.HeapTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where versions end, and that a restart within one changes neither that nor a bit. */
class VersionScheduleTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final int ROUNDS = 11;

  /** Every plan with versions of three rounds, and with versions by time. */
  static List<Rounds.Case> cases() {
    List<Rounds.Case> all = new ArrayList<>();
    for (Rounds.Case each : Rounds.cases()) {
      for (VersionSchedule versions :
          List.of(new VersionSchedule(3L * Rounds.BATCH, 0), new VersionSchedule(1_000, 250))) {
        Plan plan = each.plan().toBuilder().versions(versions).build();
        all.add(new Rounds.Case(each + " " + versions, plan));
      }
    }
    return all;
  }

  static List<Rounds.Case> some() {
    List<Rounds.Case> all = cases();
    return IntStream.range(0, all.size())
        .filter(i -> i % 7 == 0)
        .mapToObj(all::get)
        .toList();
  }

  private static Plan plan(VersionSchedule versions) {
    return Rounds.cases().get(0).plan().toBuilder().versions(versions).build();
  }

  @Test
  void isPartOfTheFingerprintWhereVersionsHaveSeveralRounds() {
    int batch = Rounds.BATCH;
    byte[] every = plan(VersionSchedule.EVERY_ROUND).fingerprint();
    assertThat(plan(new VersionSchedule(batch, 0)).fingerprint()).isEqualTo(every);
    assertThat(plan(new VersionSchedule(batch, 9)).fingerprint()).isEqualTo(every);
    byte[] two = plan(new VersionSchedule(batch + 1, 0)).fingerprint();
    assertThat(two).isNotEqualTo(every);
    assertThat(plan(new VersionSchedule(2L * batch, 0)).fingerprint()).isEqualTo(two);
    assertThat(plan(new VersionSchedule(2L * batch, 9)).fingerprint()).isNotEqualTo(two);
  }

  @Test
  void refusesImpossibleSchedules() {
    assertThatThrownBy(() -> new VersionSchedule(0, 0)).hasMessageContaining("were 0 and 0");
    assertThatThrownBy(() -> new VersionSchedule(1, -1)).hasMessageContaining("were 1 and -1");
  }

  @Test
  void knowsWhereVersionsBeginAndEnd() {
    Plan plan = plan(new VersionSchedule(3L * Rounds.BATCH, 0)).toBuilder()
        .generations(new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 7))
        .build();
    List<Long> begins = new ArrayList<>();
    for (long round = 1; round <= 15; round++) {
      if (plan.beginsVersion(round)) {
        begins.add(round);
      }
    }
    assertThat(begins).containsExactly(1L, 4L, 7L, 8L, 11L, 14L, 15L);
    assertThat(begins.stream().map(plan::lastOfVersion)).startsWith(3L, 6L, 7L, 10L, 13L, 14L);
  }

  /** Four versions of three rounds, two of six, two of twelve, and so on. */
  private static VersionSchedule thinned(long usualSlots) {
    return new VersionSchedule(3L * Rounds.BATCH, 0, new VersionThinning(usualSlots, 4, 2));
  }

  private static List<Long> lengths(Plan plan, int rounds) {
    ModelLearner learner = ModelLearner.start(plan, KEY, "m", "");
    List<Long> lengths = new ArrayList<>();
    for (Slot slot : Rounds.stream(plan, rounds, 3)) {
      if (learner.fill(slot)) {
        ClosedRound round = learner.close();
        round.version().ifPresent(each -> {
          assertThat(plan.lastOfVersion(each.firstRound())).isEqualTo(round.number());
          lengths.add(round.number() - each.firstRound() + 1);
        });
        learner = ModelLearner.resume(plan, KEY, "m", "", learner.state());
      }
    }
    return lengths;
  }

  @Test
  void versionsBecomeRarerInALongRun() {
    VersionSchedule schedule = thinned(3L * Rounds.BATCH);
    assertThat(lengths(plan(schedule), 50)).containsExactly(3L, 3L, 3L, 3L, 6L, 6L, 12L, 12L);
    assertThat(schedule.versions(Rounds.BATCH, 48)).isEqualTo(8);
    assertThat(schedule.versions(Rounds.BATCH, 6)).isEqualTo(2);
  }

  /** Which plans are thinned follows from what the fingerprint says. */
  @Test
  void onlyVersionsOfTheUsualLengthBecomeRarer() {
    Plan usual = plan(thinned(3L * Rounds.BATCH - 1));
    assertThat(lengths(usual, 20)).startsWith(3L, 3L, 3L, 3L, 6L);
    assertThat(usual.fingerprint()).isEqualTo(plan(thinned(3L * Rounds.BATCH)).fingerprint());
    assertThat(lengths(plan(thinned(4L * Rounds.BATCH)), 20)).containsOnly(3L);
    assertThat(thinned(4L * Rounds.BATCH).versions(Rounds.BATCH, 300)).isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 1e2, 1e4, 1e6, 1e8})
  void aYearTakesAboutAMillionVersionsAtMost(double rate) {
    VersionSchedule schedule = new VersionSchedule(4096, 0, VersionThinning.usual(4096));
    assertThat(schedule.versions(64, rate * 365 * 86_400 / 64)).isLessThan(1.1e6);
  }

  private static List<String> versions(Plan plan, int restartEvery) {
    ModelLearner learner = ModelLearner.start(plan, KEY, "m", "");
    List<String> versions = new ArrayList<>();
    HeapTable pages = new HeapTable();
    int place = 0;
    for (Slot slot : Rounds.stream(plan, ROUNDS, 11)) {
      place++;
      boolean full = learner.fill(slot, 1_000 + 10L * place - place % 7 * 15L);
      if (full) {
        ClosedRound round = learner.close();
        round
            .version()
            .ifPresent(each -> versions.add(each.firstRound() + "-" + round.number()
                + " " + Arrays.hashCode(each.weights())
                + each.guarantee()
                + each.metrics().map(metrics -> Arrays.toString(metrics.sums()))));
      }
      if (restartEvery > 0 && place % restartEvery == 0) {
        boolean open = learner.openSlots() > 0;
        byte[] sealed = open ? learner.sealOpen(new byte[] {7}, pages, 16) : null;
        learner = ModelLearner.resume(plan, KEY, "m", "", learner.state());
        if (open) {
          learner.resumeOpen(sealed, new byte[] {7}, pages);
        }
      }
    }
    return versions;
  }

  @ParameterizedTest
  @MethodSource("some")
  void endsVersionsAlikeWhereverItIsRestarted(Rounds.Case each) {
    List<String> undisturbed = versions(each.plan(), 0);
    assertThat(undisturbed.size()).isBetween(3, ROUNDS - 1);
    for (int restartEvery : new int[] {1, 3 * Rounds.BATCH, 37}) {
      assertThat(versions(each.plan(), restartEvery)).isEqualTo(undisturbed);
    }
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("cases")
  void endsVersionsAlikeInEveryCase(Rounds.Case each) {
    endsVersionsAlikeWhereverItIsRestarted(each);
  }

  /** Whatever decides where versions end leaves the model alone: only the run id differs. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 5})
  void coversEveryRoundOnce(long rounds) {
    Plan plan = plan(new VersionSchedule(rounds * Rounds.BATCH, 0));
    ModelLearner learner = ModelLearner.start(plan, KEY, "m", "");
    long next = 1;
    for (Slot slot : Rounds.stream(plan, ROUNDS, 3)) {
      if (learner.fill(slot)) {
        ClosedRound round = learner.close();
        if (round.version().isPresent()) {
          assertThat(round.version().get().firstRound()).isEqualTo(next);
          assertThat(round.number() - next + 1).isEqualTo(rounds);
          assertThat(round.version().get().weights()).isEqualTo(learner.weights());
          next = round.number() + 1;
        } else {
          assertThatThrownBy(round::weights).hasMessageContaining("ends no version");
        }
      }
    }
    assertThat(next).isEqualTo(ROUNDS / rounds * rounds + 1);
  }

  /** As many as there are, one after the other, but for the last, which may not be whole. */
  @Test
  void foretellsHowManyVersionsThereAre() {
    VersionSchedule usual = new VersionSchedule(8, 0, new VersionThinning(8, 4, 2));
    for (long all : new long[] {1, 7, 8, 9, 12, 20, 60, 300}) {
      long count = 0;
      for (long before = 0; before < all; count++) {
        before += usual.rounds(4, before);
      }
      assertThat(usual.versions(4, all)).isBetween(count - 1.0, (double) count);
    }
    assertThat(new VersionThinning(0, 1, 1)).isEqualTo(VersionThinning.NONE);
    assertThat(new VersionSchedule(1, 0)).isEqualTo(VersionSchedule.EVERY_ROUND);
    Plan plan = Rounds.cases().get(0).plan();
    Plan thinned = plan.toBuilder()
        .versions(
            new VersionSchedule(2L * Rounds.BATCH, 0, new VersionThinning(2L * Rounds.BATCH, 1, 1)))
        .build();
    assertThat(thinned.roundsOfVersion(1)).isEqualTo(2);
    assertThat(thinned.roundsOfVersion(2)).isEqualTo(2);
    assertThat(thinned.roundsOfVersion(3)).isEqualTo(4);
  }
}
