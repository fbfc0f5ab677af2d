package dev.sotto.app.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.mechanism.MomentumTree;
import dev.sotto.learner.mechanism.PathNoise;
import dev.sotto.learner.mechanism.PathNoise.Phase;
import dev.sotto.learner.mechanism.QueryMechanism;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.QuerySchedule.Segment;
import dev.sotto.learner.mechanism.SampledQueryNoise;
import dev.sotto.learner.mechanism.WindowTree;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockTextTest {
  private static final QuerySchedule TWO_PHASES = new QuerySchedule(
      List.of(Segment.whole(0, 64, 3, Math.sqrt(3)), Segment.whole(64, 32, 2, Math.sqrt(2))));

  private static LedgerEntry entry(String mechanism, String parameters, long batch) {
    byte[] none = new byte[32];
    Guarantee guarantee =
        new Guarantee(PrivacyUnit.RECORD, Adjacency.ZERO_OUT, mechanism, 0.5, 2, 1e-6, 0.5, 2);
    return new LedgerEntry(
        1,
        none,
        "model",
        none,
        0,
        1,
        1,
        "any",
        1,
        1,
        2,
        1,
        guarantee,
        2,
        0,
        false,
        batch,
        0,
        List.of(),
        none,
        none,
        "key",
        1,
        new LedgerEntry.Terms(parameters, "once", "none", 0, "gaussian-dp", 0, batch, 0));
  }

  private static String rounds(QuerySchedule queries) {
    return QueryMechanism.ofQueries(queries).rounds(queries.slots());
  }

  @Test
  void saysHowManySlotsQueriesAndPasses() {
    assertThat(rounds(QuerySchedule.onePass(4, 16)))
        .isEqualTo("blocks of 64 slots, 4 queries each, 1 pass");
    assertThat(rounds(QuerySchedule.onePass(1, 16)))
        .isEqualTo("blocks of 16 slots, 1 query each, 1 pass");
    PathNoise path = new PathNoise(3, 2, 0.1, List.of(new Phase(12, 0.5), new Phase(4, 0.1)));
    assertThat(BlockText.of(entry(PathNoise.NAME, path.parameters(), 16)))
        .isEqualTo("blocks of 16 slots, 2 phases each, 1 pass");
    assertThat(rounds(TWO_PHASES)).isEqualTo("blocks of 96 slots, 5 queries each, 2.7 passes");
    assertThat(rounds(QuerySchedule.sampled(96, 4, new QuerySchedule.Sampling(16, 1))))
        .isEqualTo("blocks of 96 slots, 4 queries each, 4 passes, 16 points a query");
    assertThat(rounds(QuerySchedule.sampled(96, 4, new QuerySchedule.Sampling(16, 0.05))))
        .isEqualTo("blocks of 96 slots, 5 queries each, 5 passes, 16 points a query, each slot in a"
            + " sum with a secret probability of 0.05");
  }

  @Test
  void readsTheQueriesOfALedgerEntry() {
    String parameters = new QueryNoise(TWO_PHASES).parameters();
    assertThat(BlockText.of(entry(QueryNoise.NAME, parameters, 96))).isEqualTo(rounds(TWO_PHASES));
    QuerySchedule sampled = QuerySchedule.sampled(96, 4, new QuerySchedule.Sampling(16, 0.05));
    assertThat(BlockText.of(entry(SampledQueryNoise.NAME, sampled.describe(), 96)))
        .isEqualTo(rounds(sampled));
    assertThat(BlockText.isSampled(entry(SampledQueryNoise.NAME, sampled.describe(), 96)))
        .isTrue();
    assertThat(BlockText.isSampled(entry(QueryNoise.NAME, parameters, 96))).isFalse();
    assertThat(BlockText.isSampled(entry(QueryNoise.NAME, "nonsense", 96))).isFalse();
    assertThat(BlockText.of(entry(QueryNoise.NAME, "nonsense", 96)))
        .isEqualTo("blocks of 96 slots, whose queries cannot be read");
    assertThat(BlockText.of(entry(QueryNoise.NAME, "0+a/1*1*1@1", 96)))
        .isEqualTo("blocks of 96 slots, whose queries cannot be read");
    MomentumTree tree = MomentumTree.block(16, 3, 0.9, 10, 0.5);
    assertThat(BlockText.of(entry(MomentumTree.NAME, tree.parameters(), 160)))
        .isEqualTo("blocks of 160 slots, 48 queries each, 3 passes");
    MomentumTree endless = MomentumTree.endless(0.9, 10, 0.5);
    assertThat(BlockText.of(entry(MomentumTree.NAME, endless.parameters(), 64)))
        .isEqualTo("rounds of 64 slots");
    WindowTree windows = new WindowTree(20, 8, 0.5);
    assertThat(BlockText.of(entry(WindowTree.NAME, windows.parameters(), 160)))
        .isEqualTo("blocks of 160 slots, 160 queries each, 8 passes");
    assertThat(BlockText.of(entry("blt", "omega=1", 64))).isEqualTo("rounds of 64 slots");
  }
}
