package dev.sotto.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testing.Seed;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Algorithms that learn from blocks under crashes, aborted transactions and rebalances. */
class BlockSchedulesTest {
  @TempDir
  Path folder;

  /** Schedules of each case. */
  int each() {
    return 2;
  }

  /** Every algorithm, in every layout in which it runs. */
  @ParameterizedTest
  @CsvSource({
    "direct, 1, clipped-ac-sa, 'block.slots=12'",
    "ordered, 3, clipped-sgd, 'block.slots=12'",
    "direct, 1, prox-clipped-sgd, 'block.slots=12 prox.l1=0.01 model.id.source=key'",
    "direct, 1, localized-erm, 'block.slots=16 localized.cap=5'",
    "ordered, 3, localized-erm, 'block.slots=16 localized.cap=5'",
    "direct, 1, localized-erm, 'block.slots=16 localized.cap=5 model.id.source=key'",
    "direct, 1, localized-erm, 'block.slots=16 localized.cap=5 privacy.unit=key unit.from=key'",
    "direct, 1, clipped-ac-sa, 'block.slots=12 heavy.clip=quantile'",
    "ordered, 3, prox-clipped-sgd, 'block.slots=12 heavy.clip=quantile'",
    "direct, 1, localized-erm, 'block.slots=16 localized.cap=5 heavy.clip=quantile"
        + " privacy.unit=key unit.from=key'",
    "ordered, 3, sensitivity-reduced-nsgd, 'block.slots=12 momentum.epochs=6'",
    "ordered, 3, sensitivity-reduced-nsgd,"
        + " 'block.slots=12 momentum.epochs=6 privacy.unit=key unit.from=key'",
    "rounds, 3, sensitivity-reduced-nsgd, 'block.slots=12 momentum.epochs=6'",
    "rounds, 2, sensitivity-reduced-nsgd, 'block.slots=8 momentum.epochs=9 state.every.rounds=3'",
    "direct, 1, tree-momentum-nsgd, 'batch.size=4'",
    "direct, 1, tree-momentum-nsgd, 'batch.size=4 privacy.unit=key unit.from=key'",
    "rounds, 3, tree-momentum-nsgd, 'batch.size=12'",
    "direct, 1, tree-momentum-nsgd, 'block.slots=16 momentum.epochs=3 momentum.batches=4'",
    "ordered, 2, tree-momentum-nsgd, 'block.slots=16 momentum.epochs=3 momentum.batches=4'",
    "direct, 1, resque, 'block.slots=12 resque.form=one-pass'",
    "direct, 1, resque, 'block.slots=12 resque.form=one-pass model.id.source=key'",
    "ordered, 3, resque, 'block.slots=12 resque.form=one-pass privacy.unit=key unit.from=key'",
    "direct, 1, resque, 'block.slots=16 resque.form=ordered-calls resque.rounds=1'",
    "ordered, 3, resque, 'block.slots=30 resque.form=ordered-calls resque.rounds=2"
        + " privacy.unit=key unit.from=key'",
    "direct, 1, resque, 'block.slots=12 resque.rounds=4 resque.points=4'",
    "direct, 1, resque, 'block.slots=12 resque.rounds=4 resque.points=4 resque.rate=0.5'",
    "direct, 1, resque, 'block.slots=12 resque.rounds=3 resque.points=4 resque.rate=0.5"
        + " model.id.source=key'",
    "ordered, 3, resque,"
        + " 'block.slots=12 resque.rounds=3 resque.points=4 privacy.unit=key unit.from=key'",
    "rounds, 3, resque, 'block.slots=12 resque.rounds=4 resque.points=4'",
    "rounds, 2, resque," + " 'block.slots=8 resque.rounds=5 resque.points=4 state.every.rounds=3'",
    "ordered, 2, resque,"
        + " 'block.slots=8 resque.rounds=5 resque.points=4 resque.rate=0.3 state.every.rounds=3'",
  })
  void publishTheSameBytes(String layout, int partitions, String algorithm, String more) {
    String[] lines = Learners.and(
        more.split(" "), "layout=" + layout, "algorithm=" + algorithm, "release.every.slots=1");
    LearnerSettings settings = Learners.ofBlocks(folder, lines);
    FaultSchedules.Summary summary = FaultSchedules.of(settings, Learners.events(partitions, 90, 5))
        .seeds(Seed.of(7), each())
        .assertSameOutput();
    assertThat(summary.rounds()).isPositive();
    assertThat(summary.crashes()).isGreaterThanOrEqualTo(Math.max(0, each() - 20));
  }
}
