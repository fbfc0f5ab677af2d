package dev.sotto.replay.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.QuerySchedule.Segment;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.OptimizerState;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.release.NoisySum;
import dev.sotto.learner.training.Plan;
import dev.sotto.testing.Tier;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.store.StateTable;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Blocks that are read again; BlockSchedulesTest runs them under every schedule of faults. */
class BlockFaultsTest {
  private static final int SLOTS = 20;

  enum Blocks {
    FULL_BATCH(
        new QuerySchedule(List.of(Segment.whole(0, SLOTS, 1, 2), Segment.whole(0, SLOTS, 6, 1)))),
    PHASES(new QuerySchedule(List.of(
        Segment.whole(0, 10, 5, 4), Segment.whole(10, 6, 3, 2), Segment.whole(16, 4, 2, 1))));

    private final QuerySchedule queries;
    private final Optimizer optimizer;

    Blocks(QuerySchedule queries) {
      this.queries = queries;
      this.optimizer = new Descent(queries);
    }

    Plan plan(boolean keyed) {
      Participation rule = keyed
          ? new Participation.Scheduled(new ContributionBound(3, 2))
          : new Participation.Once();
      return SmallLearner.plan(
              dev.sotto.learner.mechanism.Mechanisms.INDEPENDENT.make(),
              SLOTS,
              1e6,
              rule,
              GenerationSchedule.NONE,
              null)
          .toBuilder()
          .algorithm("descent", "rate 0.5", optimizer)
          .mechanism(new QueryNoise(queries))
          .build();
    }
  }

  private static OnePartition partition(Plan plan, long checkpoint, long stateEvery) {
    return new OnePartition(SmallLearner.settings(plan, checkpoint, stateEvery)).fill(330, 1, 12);
  }

  /** The twin: a trainer that forgets which slots of the open block were refused gives others. */
  @Test
  void givesOtherBitsWhereTheRefusedSlotsAreForgotten() {
    Plan plan = Blocks.FULL_BATCH.plan(true);
    OnePartition undisturbed = partition(plan, 1000, 1).run();
    int differing = 0;
    for (int seed = 0; seed < Tier.choose(4, 10); seed++) {
      OnePartition broken = partition(plan, 7, 1);
      broken.atRest = (name, table) -> name.equals(Names.LEARNER) ? new Forgetful(table) : table;
      try {
        broken.runWithFaults(seed, 3);
        differing += broken.published().equals(undisturbed.published()) ? 0 : 1;
      } catch (RuntimeException refused) {
        differing++;
      }
    }
    assertThat(differing).isPositive();
  }

  @Test
  void coversEachBlockInOneEntry() {
    OnePartition partition = partition(Blocks.PHASES.plan(false), 1000, 1).run();
    List<LedgerEntry> ledger = partition.ledger();
    long next = partition.log.firstKey();
    for (LedgerEntry entry : ledger) {
      assertThat(entry.slots()).isEqualTo(SLOTS * entry.round());
      assertThat(entry.firstRound()).isEqualTo(entry.round());
      assertThat(entry.terms().mechanismParameters()).isEqualTo(Blocks.PHASES.queries.describe());
      assertThat(partition.log.subMap(
              entry.ranges().get(0).from(), entry.ranges().get(0).to()))
          .hasSize(SLOTS);
      assertThat(partition.log.subMap(next, entry.ranges().get(0).from())).isEmpty();
      next = entry.ranges().get(0).to();
    }
  }

  /** Drops the bits of refused slots. */
  private static final class Forgetful extends PassingTable {
    Forgetful(StateTable table) {
      super(table);
    }

    @Override
    public byte[] get(String key) {
      byte[] bytes = super.get(key);
      return bytes != null && key.startsWith("refused/") ? new byte[bytes.length] : bytes;
    }
  }

  /** Gradient descent along the answers. */
  private record Descent(QuerySchedule queries) implements Optimizer {
    @Override
    public Optional<QuerySchedule> block() {
      return Optional.of(queries);
    }

    @Override
    public OptimizerState start(double[] first) {
      return new Path(first.clone(), 1);
    }

    @Override
    public OptimizerState resume(int dimension, double[] iterates, NoisySum latest) {
      return new Path(Arrays.copyOfRange(iterates, 1, iterates.length), (long) iterates[0]);
    }

    @Override
    public String describe() {
      return "rate 0.5";
    }

    private final class Path implements OptimizerState {
      private final double[] weights;
      private long query;

      Path(double[] weights, long query) {
        this.weights = weights;
        this.query = query;
      }

      @Override
      public double[] weights() {
        return weights;
      }

      @Override
      public double[] point() {
        return weights;
      }

      @Override
      public long query() {
        return query;
      }

      @Override
      public void tell(NoisySum answer) {
        double[] mean = new double[weights.length];
        answer.lastMean(mean);
        for (int i = 0; i < mean.length; i++) {
          weights[i] -= 0.5 * mean[i];
        }
        query = query == queries.queries() ? 1 : query + 1;
      }

      @Override
      public void restart() {
        throw new IllegalStateException("a block has no generations");
      }

      @Override
      public double[] iterates() {
        double[] all = new double[1 + weights.length];
        all[0] = query;
        System.arraycopy(weights, 0, all, 1, weights.length);
        return all;
      }
    }
  }
}
