package dev.sotto.topology.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.AccountedContribution;
import dev.sotto.learner.accounting.AccountedNoise;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.accounting.PrivacyAccountant;
import dev.sotto.learner.key.Sha256;
import dev.sotto.learner.mechanism.CallNoise;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.PathNoise.Phase;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.QuerySchedule.Sampling;
import dev.sotto.learner.mechanism.SampledQueryNoise;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.serdes.record.Codecs;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Readers compute what blocks cost from what a ledger entry has: secretly sampled queries, and
 * ordered calls, failures included.
 */
class BlockCostsLedgerTest {
  private static final double CLIP = 0.7;
  private static final double SIGMA = 1.4;
  private static final double DELTA = 1e-6;
  private static final Participation TWICE =
      new Participation.Scheduled(new ContributionBound(2, 1));

  private enum Blocks {
    SAMPLED(new SampledQueryNoise(QuerySchedule.sampled(100, 4, new Sampling(8, 0.05)))),
    CALLED(new CallNoise(
        new CallNoise.Shape(5, 0.1, 20, 4, 0.5, 1e-12),
        List.of(
            List.of(new Phase(32, 0x1p-10), new Phase(8, 0x1p-12)), List.of(new Phase(20, 0x1p-9))),
        List.of(0, 0, 1)));

    private final Mechanism noise;

    Blocks(Mechanism noise) {
      this.noise = noise;
    }

    private PrivacyAccountant account(Adjacency adjacency, double spentMu) {
      return new PrivacyAccountant(
          new AccountedNoise(noise, CLIP, SIGMA, adjacency),
          AccountedContribution.of(TWICE, GenerationSchedule.NONE),
          0,
          DELTA,
          spentMu);
    }

    /** An entry as a reader has it, of these parameters or others. */
    LedgerEntry entry(
        long round, Adjacency adjacency, double spentMu, UnaryOperator<String> parameters) {
      PrivacyAccountant account = account(adjacency, spentMu);
      Guarantee guarantee = account.guarantee(round);
      LedgerEntry.Terms terms = new LedgerEntry.Terms(
          parameters.apply(noise.parameters()),
          TWICE.describe(),
          "none",
          0,
          account.accountant().configName(),
          spentMu,
          100,
          0);
      return Codecs.LEDGER.decode(Codecs.LEDGER.encode(new LedgerEntry(
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
          terms)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void computesTheSameFigures(Blocks blocks) {
    for (Adjacency adjacency : Adjacency.values()) {
      for (double spentMu : new double[] {0, 0.2}) {
        for (long round = 1; round <= 3; round++) {
          LedgerEntry read = blocks.entry(round, adjacency, spentMu, line -> line);
          assertThat(read.guarantee().epsilon()).isLessThan(40);
          assertThat(read.terms().accountant().equals("approximate-gaussian-dp"))
              .isEqualTo(blocks == Blocks.CALLED);
          assertThat(new CostRecomputation().broken(read)).isEmpty();
        }
      }
    }
  }

  /**
   * A lower rate, one point less or other failures would have cost something else than the entry
   * says; other steps would have had another noise, or read other slots.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "SAMPLED; rate=0x1.999999999999ap-5; rate=0x1.899999999999ap-5; epsilon must be",
        "SAMPLED; points=8; points=9; epsilon must be",
        "SAMPLED; *4@; *5@; epsilon must be",
        "SAMPLED; +100/; +101/; a block must have the slots that its queries read",
        "CALLED; failure=0x1.19799812dea11p-40; failure=0x1.353cd652bb167p-27; epsilon",
        "CALLED; order=0*2,1; order=0,1,0*2; a block must have the slots"
      })
  void tellsOtherQueries(Blocks blocks, String ours, String others, String fault) {
    LedgerEntry other = blocks.entry(1, Adjacency.ZERO_OUT, 0, line -> line.replace(ours, others));
    assertThat(other.terms().mechanismParameters()).isNotEqualTo(blocks.noise.parameters());
    assertThat(new CostRecomputation().broken(other)).anyMatch(found -> found.contains(fault));
  }
}
