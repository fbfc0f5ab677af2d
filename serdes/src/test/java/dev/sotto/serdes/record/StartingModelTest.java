package dev.sotto.serdes.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.GaussianDp;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.training.ModelSnapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a run that begins at another's model has to pay for. */
class StartingModelTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;
  private static final double[] WEIGHTS = {1, 2};

  private static Guarantee guarantee(double mu, double limit, Adjacency adjacency) {
    return Guarantee.of(PrivacyUnit.RECORD, adjacency, "blt", mu, limit, 1e-6);
  }

  private static LedgerEntry entry(
      long round,
      Guarantee guarantee,
      double budget,
      boolean last,
      String accountant,
      double spent) {
    return entry(
        round,
        guarantee,
        budget,
        last,
        new LedgerEntry.Terms("", "once", "none", 0, accountant, spent, 16, 0));
  }

  private static LedgerEntry entry(
      long round, Guarantee guarantee, double budget, boolean last, LedgerEntry.Terms terms) {
    return new LedgerEntry(
        round,
        new byte[32],
        "m",
        new byte[16],
        0,
        round,
        round,
        "private-ftrl",
        1,
        1,
        5,
        1,
        guarantee,
        budget,
        0,
        last,
        round,
        0,
        List.of(new OffsetRange(0, 0, round + 1)),
        ModelSnapshot.digest(WEIGHTS, guarantee),
        new byte[32],
        "key",
        4,
        terms);
  }

  private static StartingModel model(LedgerEntry newest, boolean newOnly) {
    Guarantee first = guarantee(0.1, INFINITY, newest.guarantee().adjacency());
    LedgerEntry entry = entry(1, first, newest.budgetEpsilon(), false, "gaussian-dp", 0);
    ModelSnapshot manifest = new ModelSnapshot(
        "m",
        new byte[16],
        0,
        1,
        2,
        1,
        ModelSnapshot.digest(WEIGHTS, first),
        "features",
        "logistic",
        "private-ftrl",
        false,
        first,
        new byte[32],
        List.of(),
        new byte[32]);
    return new StartingModel(
        "a.snapshots@1",
        manifest,
        WEIGHTS,
        entry,
        newest,
        new StartingModel.Records(newOnly, "id", newest.ranges(), 7));
  }

  private static double carried(LedgerEntry newest) {
    return model(newest, false).carriedMu(Adjacency.ZERO_OUT, true);
  }

  /** Versions behind the chosen one were published, too: the newest entry counts. */
  @Test
  void carriesWhatTheNewestEntryOfAFinalRunStates() {
    Guarantee all = guarantee(0.4, 0.9, Adjacency.ZERO_OUT);
    assertThat(carried(entry(7, all, 8, true, "gaussian-dp", 0))).isEqualTo(0.4);
  }

  @Test
  void carriesTheLimitOfARunThatMayGoOn() {
    Guarantee all = guarantee(0.4, 0.9, Adjacency.ZERO_OUT);
    assertThat(carried(entry(7, all, 8, false, "gaussian-dp", 0))).isEqualTo(0.9);
    Guarantee unlimited = guarantee(0.4, INFINITY, Adjacency.ZERO_OUT);
    double budget = carried(entry(7, unlimited, 8, false, "gaussian-dp", 0));
    assertThat(budget)
        .isGreaterThan(GaussianDp.mu(8, 1e-6))
        .isCloseTo(GaussianDp.mu(8, 1e-6), within(1e-9));
    assertThat(GaussianDp.roundUp(GaussianDp.epsilon(budget / (1 + 4e-12), 1e-6)))
        .isLessThanOrEqualTo(8.0);
  }

  /** No mu says what failures cost: then nobody knows, and new records alone can be learned. */
  @Test
  void carriesNoFailures() {
    LedgerEntry newest =
        entry(7, guarantee(0.4, 0.4, Adjacency.ZERO_OUT), 8, true, "approximate-gaussian-dp", 0.3);
    assertThat(carried(newest)).isInfinite();
    assertThat(model(newest, true).carriedMu(Adjacency.ZERO_OUT, true)).isEqualTo(0.3);
    assertThat(model(newest, true).earlierMu(Adjacency.ZERO_OUT, true)).isInfinite();
  }

  /** A budget bounds the mu of a Gaussian mechanism only, and no budget bounds nothing. */
  @Test
  void hasNoFigureWhereThereIsNoLimit() {
    Guarantee unlimited = guarantee(0.4, INFINITY, Adjacency.ZERO_OUT);
    assertThat(carried(entry(7, unlimited, 8, false, "pure-dp", 0))).isInfinite();
    assertThat(carried(entry(7, unlimited, INFINITY, false, "gaussian-dp", 0))).isInfinite();
  }

  @Test
  void countsTwiceWhereMoreIsToBeHidden() {
    LedgerEntry zeroOut =
        entry(7, guarantee(0.4, 0.9, Adjacency.ZERO_OUT), 8, true, "gaussian-dp", 0);
    LedgerEntry replaceOne =
        entry(7, guarantee(0.4, 0.9, Adjacency.REPLACE_ONE), 8, true, "gaussian-dp", 0);
    assertThat(model(zeroOut, false).carriedMu(Adjacency.REPLACE_ONE, true)).isEqualTo(0.8);
    assertThat(model(replaceOne, false).carriedMu(Adjacency.REPLACE_ONE, true)).isEqualTo(0.4);
    assertThat(model(replaceOne, false).carriedMu(Adjacency.ZERO_OUT, true)).isEqualTo(0.4);
  }

  /** An earlier run may have learned records behind those of the old one. */
  @Test
  void carriesWhatTheOldLedgerBeganWithEvenForNewRecords() {
    Guarantee all = guarantee(0.5, 0.9, Adjacency.ZERO_OUT);
    assertThat(model(entry(7, all, 8, false, "gaussian-dp", 0), true)
            .carriedMu(Adjacency.ZERO_OUT, true))
        .isEqualTo(0.0);
    assertThat(model(entry(7, all, 8, false, "gaussian-dp", 0.3), true)
            .carriedMu(Adjacency.ZERO_OUT, true))
        .isEqualTo(0.3);
  }

  /** B began behind A; whoever learns records of both again pays for both. */
  @Test
  void remembersWhatTheRunsBeforeHaveSpent() {
    Guarantee all = guarantee(0.3, 0.5, Adjacency.ZERO_OUT);
    LedgerEntry newest = entry(
        7, all, 8, false, new LedgerEntry.Terms("", "once", "none", 0, "gaussian-dp", 0, 16, 1.2));
    double both = Math.nextUp(StrictMath.hypot(0.5, 1.2));
    assertThat(model(newest, false).carriedMu(Adjacency.ZERO_OUT, true)).isEqualTo(both);
    assertThat(model(newest, false).earlierMu(Adjacency.ZERO_OUT, true)).isZero();
    assertThat(model(newest, true).carriedMu(Adjacency.ZERO_OUT, true)).isZero();
    assertThat(model(newest, true).earlierMu(Adjacency.ZERO_OUT, true)).isEqualTo(both);
    assertThat(model(newest, true).earlierMu(Adjacency.REPLACE_ONE, true)).isEqualTo(2 * both);
    LedgerEntry endless = entry(
        7,
        all,
        8,
        false,
        new LedgerEntry.Terms("", "once", "none", 0, "gaussian-dp", 0, 16, INFINITY));
    assertThat(model(endless, false).carriedMu(Adjacency.ZERO_OUT, true)).isInfinite();
  }

  /** A record of an id that becomes none lets another record of that id in: two rounds change. */
  @Test
  void countsTwiceFromUnitsWithIdsToSingleRecords() {
    for (String participation : List.of("first-of-id", "budgeted mu=0x1.0p0")) {
      LedgerEntry newest = entry(
          7,
          guarantee(0.4, 0.9, Adjacency.ZERO_OUT),
          8,
          true,
          new LedgerEntry.Terms("", participation, "none", 0, "gaussian-dp", 0, 16, 0));
      assertThat(model(newest, false).carriedMu(Adjacency.ZERO_OUT, true)).isEqualTo(0.8);
      assertThat(model(newest, false).carriedMu(Adjacency.REPLACE_ONE, true)).isEqualTo(0.8);
      assertThat(model(newest, false).carriedMu(Adjacency.ZERO_OUT, false)).isEqualTo(0.4);
    }
  }

  @Test
  void refusesPartsThatDoNotBelongTogether() {
    StartingModel fine =
        model(entry(7, guarantee(0.4, 0.9, Adjacency.ZERO_OUT), 8, true, "gaussian-dp", 0), false);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StartingModel(
            "s.snapshots@1",
            fine.manifest(),
            new double[] {1, 3},
            fine.entry(),
            fine.newest(),
            fine.records()))
        .withMessageContaining("not those of its digest");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StartingModel(
            "s.snapshots@1",
            fine.manifest(),
            WEIGHTS,
            fine.newest(),
            fine.newest(),
            fine.records()))
        .withMessageContaining("not about that version");
    LedgerEntry older =
        entry(0, guarantee(0.01, 0.9, Adjacency.ZERO_OUT), 8, true, "gaussian-dp", 0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StartingModel(
            "s.snapshots@1", fine.manifest(), WEIGHTS, fine.entry(), older, fine.records()))
        .withMessageContaining("another run, or older");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StartingModel.Records(true, "", List.of(), 0))
        .withMessageContaining("a known topic");
  }
}
