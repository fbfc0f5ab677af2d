package dev.sotto.topology.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.key.Sha256;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.record.Codecs;
import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerCheckerTest {
  private static final double CLIP = 0.7;
  private static final double SIGMA = 12.3;
  private static final double DELTA = 1e-6;
  private static final byte[] DIGEST = Sha256.sha256(new byte[] {5});

  private final LedgerChecker checker = new LedgerChecker();
  private byte[] hash = Sha256.none();
  private long sequence;

  private String mechanism = "binary-tree";
  private double clip = CLIP;
  private int generation;
  private LedgerEntry.Terms terms = LedgerEntry.Terms.PLAIN;
  private List<OffsetRange> ranges; // those of one partition after the other unless set

  private Guarantee guarantee(double sigma, double matrix) {
    return Guarantee.of(
        PrivacyUnit.RECORD,
        Adjacency.REPLACE_ONE,
        mechanism,
        2 * clip * matrix / sigma,
        Double.POSITIVE_INFINITY,
        DELTA);
  }

  /** The end of a chain is checked, and what lies before it is no fault. */
  @Test
  void checksTheEndOfALedgerByItself() {
    honest(1, 1);
    byte[] second = honest(1, 2);
    byte[] third = honest(1, 3);
    LedgerChecker end = LedgerChecker.ofTheEnd();
    end.accept(0, 2, second);
    end.accept(0, 4, third);
    assertThat(end.faults()).isEmpty();
    LedgerChecker gap = LedgerChecker.ofTheEnd();
    gap.accept(0, 2, second);
    honest(1, 4);
    gap.accept(0, 8, honest(1, 5));
    assertThat(gap.faults()).anyMatch(each -> each.contains("expected sequence 3"));
  }

  private byte[] entry(int run, long round, double matrix, Guarantee guarantee) {
    byte[] bytes = Codecs.LEDGER.encode(new LedgerEntry(
        ++sequence,
        hash,
        "m",
        new byte[] {(byte) run, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
        generation,
        round,
        round,
        "private-ftrl",
        clip,
        2 * clip,
        SIGMA,
        matrix,
        guarantee,
        4,
        Math.nextDown(4 - guarantee.epsilon()),
        false,
        100 * round,
        0,
        ranges == null ? List.of(new OffsetRange(0, 100 * round - 100, 100 * round)) : ranges,
        DIGEST,
        new byte[32],
        "key",
        1,
        terms));
    hash = Sha256.sha256(bytes);
    return bytes;
  }

  private byte[] honest(int run, long round) {
    double matrix = Math.sqrt(64 - Long.numberOfLeadingZeros(round));
    return entry(run, round, matrix, guarantee(SIGMA, matrix));
  }

  @Test
  void findsNothingInHonestEntries() {
    for (int round = 1; round <= 9; round++) {
      assertThat(checker.accept(0, round, honest(1, round)).round()).isEqualTo(round);
    }
    assertThat(checker.faults()).isEmpty();
  }

  @Test
  void namesThePlaceOfWhatIsNoEntryAndGoesOn() {
    checker.accept(3, 0, honest(1, 1));
    assertThat(checker.accept(3, 1, new byte[] {1, 2, 3})).isNull();
    assertThat(checker.accept(3, 2, null)).isNull();
    checker.accept(3, 3, honest(1, 2));
    assertThat(checker.faults()).hasSize(2);
    assertThat(checker.faults().get(0)).startsWith("partition 3, offset 1: ");
    assertThat(checker.faults().get(1)).startsWith("partition 3, offset 2: ");
    assertThat(checker.newest().get("m").round()).isEqualTo(2);
  }

  @Test
  void computesEveryFigureAgain() {
    checker.accept(0, 0, honest(1, 1));
    checker.accept(0, 1, entry(1, 2, 1, guarantee(SIGMA, 1))); // the second round costs more
    assertThat(checker.faults()).anyMatch(each -> each.contains("matrixSensitivity must be 1.41"));
    assertThat(checker.faults())
        .anyMatch(each -> each.contains("offset 1 (sequence 2): mu must be 0.16"));
    assertThat(checker.faults()).anyMatch(each -> each.contains("epsilon must be "));
  }

  @Test
  void refusesAnEpsilonThatIsLowerByOneBit() {
    Guarantee due = guarantee(SIGMA, 1);
    Guarantee lower = new Guarantee(
        due.unit(),
        due.adjacency(),
        due.mechanism(),
        due.mu(),
        Math.nextDown(due.epsilon()),
        due.delta(),
        due.muLimit(),
        due.epsilonLimit());
    checker.accept(0, 0, entry(1, 1, 1, lower));
    assertThat(checker.faults()).singleElement().asString().contains("epsilon must be ");
  }

  /**
   * Each entry may be right by itself: less noise before would have cost more than the later one
   * says.
   */
  @Test
  void tellsSettingsThatChangeWithinARun() {
    checker.accept(0, 0, honest(1, 1));
    clip = 2 * CLIP;
    checker.accept(0, 1, honest(1, 2));
    assertThat(checker.faults())
        .anyMatch(each -> each.contains("settings of model m changed within a run"));
  }

  /**
   * A slot that is in two rounds would have taken part twice, and the cost would be that of once.
   */
  @Test
  void tellsOffsetsThatAreInTwoRounds() {
    ranges = List.of(new OffsetRange(0, 0, 50), new OffsetRange(1, 7, 57));
    checker.accept(0, 0, honest(1, 1));
    ranges = List.of(new OffsetRange(0, 50, 100), new OffsetRange(1, 57, 107));
    checker.accept(0, 1, honest(1, 2));
    assertThat(checker.faults()).isEmpty();
    ranges = List.of(new OffsetRange(0, 100, 150), new OffsetRange(1, 106, 156));
    checker.accept(0, 2, honest(1, 3));
    assertThat(checker.faults())
        .singleElement()
        .asString()
        .contains("offset 2", "version 3 of model m takes offsets that version 2 has paid for");
  }

  /** A partition may rest for a version, and records of it must not come again all the same. */
  @Test
  void tellsOffsetsThatAVersionLongBeforeHasPaidFor() {
    ranges = List.of(new OffsetRange(0, 0, 50), new OffsetRange(1, 0, 50));
    checker.accept(0, 0, honest(1, 1));
    ranges = List.of(new OffsetRange(0, 50, 150));
    checker.accept(0, 1, honest(1, 2));
    assertThat(checker.faults()).isEmpty();
    ranges = List.of(new OffsetRange(0, 150, 200), new OffsetRange(1, 49, 99));
    checker.accept(0, 2, honest(1, 3));
    assertThat(checker.faults())
        .singleElement()
        .asString()
        .contains("offset 2", "version 3 of model m takes offsets that version 1 has paid for");
  }

  @Test
  void tellsMoreSlotsThanOffsets() {
    terms = new LedgerEntry.Terms("", "once", "none", 0, "gaussian-dp", 0, 100, 0);
    checker.accept(0, 0, honest(1, 1));
    assertThat(checker.faults()).isEmpty();
    ranges = List.of(new OffsetRange(0, 100, 199));
    checker.accept(0, 1, honest(1, 2));
    assertThat(checker.faults())
        .singleElement()
        .asString()
        .contains("offset 1", "100 slots cannot lie at 99 offsets");
  }

  @Test
  void tellsAPartitionThatARoundNamesTwice() {
    ranges = List.of(new OffsetRange(1, 0, 50), new OffsetRange(1, 50, 100));
    checker.accept(0, 0, honest(1, 1));
    assertThat(checker.faults()).singleElement().asString().contains("named twice");
  }

  /** A restart that was not due would give every record of it a fresh round 1. */
  @Test
  void tellsAGenerationThatIsNotDue() {
    checker.accept(0, 0, honest(1, 1));
    generation = 1;
    checker.accept(0, 1, honest(1, 2));
    assertThat(checker.faults())
        .singleElement()
        .asString()
        .contains("generation must be 0, but is 1");
  }

  @Test
  void tellsASecondRunOfAModel() {
    checker.accept(0, 0, honest(1, 1));
    checker.accept(0, 1, honest(2, 1));
    assertThat(checker.faults())
        .singleElement()
        .asString()
        .contains("offset 1", "a second run of model m", "add its cost");
  }

  @Test
  void tellsAMechanismThatNoVersionHad() {
    mechanism = "binary-bush";
    checker.accept(0, 0, honest(1, 1));
    assertThat(checker.faults()).singleElement().asString().contains("binary-bush");
  }

  @Test
  void matchesAVersionWithItsEntryOnly() {
    byte[] first = honest(1, 1);
    byte[] second = honest(1, 2);
    assertThat(match(version(2, Sha256.sha256(second), DIGEST), first, second)).isTrue();
    assertThat(match(version(2, Sha256.sha256(first), DIGEST), first, second)).isFalse();
    assertThat(match(version(2, Sha256.sha256(second), new byte[32]), first, second))
        .isFalse();
    assertThat(match(version(3, Sha256.sha256(second), DIGEST), first, second, null))
        .isNull();
  }

  private static Boolean match(ModelSnapshot version, byte[]... ledger) {
    LedgerLookup match = new LedgerLookup(List.of(version));
    for (byte[] each : ledger) {
      match.accept(each);
    }
    return match.matches("m");
  }

  private static ModelSnapshot version(long number, byte[] ledgerHash, byte[] digest) {
    LedgerEntry entry = Codecs.LEDGER.decode(new LedgerCheckerTest().honest(1, number));
    return new ModelSnapshot(
        "m",
        entry.runId(),
        0,
        number,
        3,
        1,
        digest,
        "features",
        "logistic",
        "private-ftrl",
        false,
        entry.guarantee(),
        new byte[32],
        entry.ranges(),
        ledgerHash);
  }
}
