package dev.sotto.topology.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.ContributionSettings;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.NoiseSettings;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.accounting.PrivacyAccountant;
import dev.sotto.learner.mechanism.CallNoise;
import dev.sotto.learner.mechanism.PathNoise.Phase;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.serdes.avro.Sha256;
import dev.sotto.serdes.record.Codecs;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Readers compute what ordered calls cost, failures included, from what a ledger entry has. */
class CalledLedgerTest {
  private static final double CLIP = 0.7;
  private static final double SIGMA = 1.4;
  private static final double DELTA = 1e-6;
  private static final CallNoise CALLS = new CallNoise(
      new CallNoise.Shape(5, 0.1, 20, 4, 0.5, 1e-12),
      List.of(
          List.of(new Phase(32, 0x1p-10), new Phase(8, 0x1p-12)), List.of(new Phase(20, 0x1p-9))),
      List.of(0, 0, 1));
  private static final Participation TWICE =
      new Participation.Scheduled(new ContributionBound(2, 1));

  private static PrivacyAccountant account(Adjacency adjacency, double spentMu) {
    return new PrivacyAccountant(
        new NoiseSettings(CALLS, CLIP, SIGMA, adjacency),
        ContributionSettings.of(TWICE, GenerationSchedule.NONE),
        0,
        DELTA,
        spentMu);
  }

  private static byte[] entry(
      long round, Adjacency adjacency, double spentMu, UnaryOperator<String> parameters) {
    PrivacyAccountant account = account(adjacency, spentMu);
    Guarantee guarantee = account.guarantee(round);
    LedgerEntry.Terms terms = new LedgerEntry.Terms(
        parameters.apply(CALLS.parameters()),
        TWICE.describe(),
        "none",
        0,
        account.accountant().configName(),
        spentMu,
        100,
        0);
    return Codecs.LEDGER.encode(new LedgerEntry(
        1,
        Sha256.none(),
        "m",
        new byte[16],
        0,
        round,
        round,
        "resque",
        CLIP,
        adjacency.sensitivity(CLIP),
        SIGMA,
        account.matrixSensitivity(round),
        guarantee,
        50,
        Math.nextDown(50 - guarantee.epsilon()),
        false,
        100 * round,
        0,
        List.of(new OffsetRange(0, 100 * round - 100, 100 * round)),
        Sha256.sha256(new byte[] {5}),
        new byte[32],
        "key",
        1,
        terms));
  }

  @ParameterizedTest
  @EnumSource
  void computesTheSameFigures(Adjacency adjacency) {
    for (double spentMu : new double[] {0, 0.2}) {
      for (long round = 1; round <= 3; round++) {
        LedgerEntry read = Codecs.LEDGER.decode(entry(round, adjacency, spentMu, line -> line));
        assertThat(read.guarantee().epsilon()).isLessThan(40);
        assertThat(read.terms().accountant()).isEqualTo("approximate-gaussian-dp");
        assertThat(new CostRecomputation().broken(read)).isEmpty();
      }
    }
  }

  /** Other failures would have cost something else; other steps would have had another noise. */
  @Test
  void tellsOtherCalls() {
    for (String[] each : new String[][] {
      {"failure=" + Double.toHexString(1e-12), "failure=" + Double.toHexString(9e-9), "epsilon"},
      {"order=0*2,1", "order=0,1,0*2", "a block must have the slots"}
    }) {
      LedgerEntry other = Codecs.LEDGER.decode(
          entry(1, Adjacency.ZERO_OUT, 0, line -> line.replace(each[0], each[1])));
      assertThat(other.terms().mechanismParameters()).isNotEqualTo(CALLS.parameters());
      assertThat(new CostRecomputation().broken(other))
          .anyMatch(fault -> fault.startsWith(each[2]));
    }
  }
}
