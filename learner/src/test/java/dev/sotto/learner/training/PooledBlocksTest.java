package dev.sotto.learner.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.SlotCoins;
import dev.sotto.learner.loss.Activations;
import dev.sotto.learner.loss.Network;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.OutputLayer;
import dev.sotto.learner.mechanism.QueryMechanism;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.QuerySchedule.Sampling;
import dev.sotto.learner.mechanism.SampledQueryNoise;
import dev.sotto.learner.release.ClippedSum;
import dev.sotto.learner.release.Lattice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Queries at several points, of all slots or of those that secret coins choose. */
class PooledBlocksTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final byte[] PLACE = {3};
  private static final QuerySchedule ALL = QuerySchedule.sampled(12, 3, new Sampling(4, 1));
  private static final QuerySchedule SAMPLED = QuerySchedule.sampled(12, 3, new Sampling(4, 0.5));
  private static final QuerySchedule ONE_POINT = QuerySchedule.sampled(12, 3, new Sampling(1, 0.5));

  static List<QuerySchedule> schedules() {
    return List.of(ALL, SAMPLED, ONE_POINT);
  }

  static Plan plan(QuerySchedule schedule, Consumer<TestPlans> more) {
    return TestPlans.plan(b -> {
      b.batch = schedule.slots();
      b.optimizer = new BlockDescent(schedule, 0.5, null);
      b.mechanism = mechanism(schedule);
      b.budget = new Budget(Double.POSITIVE_INFINITY, 1e-6);
      more.accept(b);
    });
  }

  private static QueryMechanism mechanism(QuerySchedule schedule) {
    return schedule.sampling().isSecret()
        ? new SampledQueryNoise(schedule)
        : new QueryNoise(schedule);
  }

  private static Plan quiet(QuerySchedule schedule) {
    return plan(schedule, b -> b.sigma = 1e-7);
  }

  private static ModelLearner start(Plan plan) {
    return ModelLearner.start(plan, KEY, "model", "label");
  }

  /** The coins of the first answer are bound to each slot of the block, and to its place. */
  @Test
  void tossesOtherCoinsForOtherBlocks() {
    List<Slot> block = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      block.add(Streams.used(i % 2, 0.9 * i, 1 - 0.6 * i));
    }
    byte[] seed = firstSeed(block);
    assertThat(firstSeed(block)).isEqualTo(seed);
    List<Slot> swapped = new ArrayList<>(block);
    Collections.swap(swapped, 3, 8);
    assertThat(firstSeed(swapped)).isNotEqualTo(seed);
    List<Slot> other = new ArrayList<>(block);
    other.set(11, Streams.empty(2, RecordStatus.UNREADABLE));
    assertThat(firstSeed(other)).isNotEqualTo(seed);
  }

  private static byte[] firstSeed(List<Slot> block) {
    ModelLearner learner = start(quiet(SAMPLED));
    block.forEach(learner::fill);
    assertThat(learner.openQuery()).isEqualTo(2);
    return learner.coinSeed();
  }

  /** Nearly without noise: the sum over what the coins choose, over what they choose on average. */
  @ParameterizedTest
  @MethodSource("schedules")
  void answersWithTheSumsOfTheChosenGradients(QuerySchedule schedule) {
    List<Slot> slots = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      slots.add(Streams.used(i % 2, 0.9 * i, 1 - 0.6 * i));
    }
    slots.set(7, Streams.empty(2, RecordStatus.UNREADABLE));
    slots.get(1).example().weight(0.25);
    Plan plan = quiet(schedule);
    ModelLearner learner = start(plan);
    Sampling sampling = schedule.sampling();
    double[] expected = {0, 0};
    int[] chosen = new int[sampling.points()];
    int everything = 0;
    for (long q = 1; q <= schedule.queries(); q++) {
      assertThat(learner.openQuery()).isEqualTo(q);
      byte[] seed = learner.coinSeed();
      boolean coins = sampling.isSecret() && q > 1;
      assertThat(seed).hasSize(coins ? 32 : 0);
      double[] mean = new double[2];
      if (schedule.answers(q)) {
        SlotCoins drawn = coins ? new SlotCoins(KEY, seed, chosen.length, sampling.rate()) : null;
        double[][] points = plan.optimizer().points(q, expected);
        for (int i = 0; i < 12; i++) {
          int count = chosen.length;
          for (int m = 0; m < count; m++) {
            chosen[m] = m;
          }
          if (coins) {
            count = drawn.draw(i, chosen);
          }
          everything += count;
          for (int c = 0; c < count && i != 7; c++) {
            double[] g = cut(gradient(slots.get(i), points[chosen[c]]));
            mean[0] += g[0] / (12 * sampling.rate() * chosen.length);
            mean[1] += g[1] / (12 * sampling.rate() * chosen.length);
          }
        }
      }
      for (int i = 0; i < 12; i++) {
        learner.fill(slots.get(i));
      }
      expected = new double[] {expected[0] - 0.5 * mean[0], expected[1] - 0.5 * mean[1]};
    }
    double[] w = learner.close().weights();
    assertThat(w[0]).isCloseTo(expected[0], within(1e-5)); // the noise is 1e-7
    assertThat(w[1]).isCloseTo(expected[1], within(1e-5));
    int all = 36 * chosen.length;
    assertThat(everything)
        .isBetween(sampling.isSecret() ? 1 : all, sampling.isSecret() ? all - 1 : all);
  }

  private static double[] gradient(Slot slot, double[] w) {
    double slope = 1 / (1 + Math.exp(-slot.example().dot(w))) - slot.example().label();
    slope *= slot.example().weight();
    return new double[] {slope * slot.example().value(0), slope * slot.example().value(1)};
  }

  private static double[] cut(double[] v) {
    double factor = Math.min(1, 1 / Math.hypot(v[0], v[1]));
    return new double[] {factor * v[0], factor * v[1]};
  }

  /** Of several scores, and with a tail: each gradient is one of its own. */
  @Test
  void addsGradientsOfANetwork() {
    Objective network = new Network(2, Activations.TANH, new OutputLayer.Classes(3), 5);
    int dimension = network.dimension(2);
    Plan plan = plan(ALL, b -> {
      b.sigma = 1e-7;
      b.objective = network;
      b.lossName = "network";
      b.dimension = dimension;
    });
    ModelLearner learner = start(plan);
    double[] expected = learner.weights();
    for (long q = 1; q <= ALL.queries(); q++) {
      double[] mean = new double[dimension];
      double[][] points = plan.optimizer().points(q, expected);
      for (int i = 0; i < 12; i++) {
        for (double[] point : points) {
          double[] g = networkGradient(network, slot(i), point);
          double norm = Math.sqrt(Arrays.stream(g).map(each -> each * each).sum());
          for (int j = 0; j < dimension; j++) {
            mean[j] += g[j] * Math.min(1, 1 / norm) / (12 * points.length);
          }
        }
      }
      for (int i = 0; i < 12; i++) {
        learner.fill(slot(i));
      }
      for (int j = 0; j < dimension; j++) {
        expected[j] -= 0.5 * mean[j];
      }
    }
    assertThat(learner.close().weights()).containsExactly(expected, within(1e-5));
  }

  private static Slot slot(int i) {
    Slot slot = Streams.used(i % 3, Math.sin(7 * i), Math.cos(i * i));
    slot.example().weight(i % 4 == 1 ? 0.25 : 1);
    return slot;
  }

  private static double[] networkGradient(Objective network, Slot slot, double[] point) {
    Objective.Pass pass = network.pass();
    double[] outer = new double[network.rows()];
    double[] tail = new double[network.tail()];
    pass.forward(slot.example(), point);
    pass.backward(slot.example().label(), slot.example().weight(), outer, tail);
    double[] gradient = new double[point.length];
    for (int i = 0; i < 2 * outer.length; i++) {
      gradient[i] = outer[i / 2] * slot.example().value(i % 2);
    }
    System.arraycopy(tail, 0, gradient, 2 * outer.length, tail.length);
    return gradient;
  }

  /** The coins of the first slot depend on the last one: the block is read before any is drawn. */
  @Test
  void drawsOtherCoinsForAnotherBlock() {
    Plan plan = plan(SAMPLED, b -> {});
    List<byte[]> seeds = new ArrayList<>();
    for (int last : new int[] {11, 11, 50}) {
      ModelLearner learner = start(plan);
      for (int i = 0; i < 12; i++) {
        learner.fill(Streams.mixed(i == 11 ? last : i, 2));
      }
      seeds.add(learner.coinSeed());
      for (int i = 0; i < 12; i++) {
        learner.fill(Streams.mixed(i == 11 ? last : i, 2));
      }
      seeds.add(learner.coinSeed());
    }
    assertThat(seeds.get(2)).isEqualTo(seeds.get(0));
    assertThat(seeds.get(3)).isEqualTo(seeds.get(1)).isNotEqualTo(seeds.get(0));
    assertThat(seeds.get(4)).isNotEqualTo(seeds.get(0)).isNotEqualTo(seeds.get(1));
  }

  @Test
  void addsPartsToTheSameBits() {
    Plan plan = plan(ALL, b -> {});
    double[] expected = new InMemoryBlocks(plan, start(plan))
        .fillAll(Streams.mixed(0, 12, 2))
        .get(0)
        .weights();
    ModelLearner learner = start(plan);
    PartialSumLearner worker = new PartialSumLearner(plan, KEY, learner.runId());
    boolean full = false;
    for (long query = 1; query <= ALL.queries(); query++) {
      GradientQuery asked =
          GradientQuery.of(plan, query, learner.queryOf(query).point(), new double[0]);
      for (int part = 2; part >= 0; part--) { // in any order
        worker.open(asked, learner.keyId());
        for (int i = 0; i < 4; i++) {
          worker.fill(Streams.mixed(4 * part + i, 2));
        }
        full = learner.merge(worker.seal(new byte[] {(byte) part}), new byte[] {(byte) part});
      }
      assertThat(full).isTrue();
      if (!learner.isLastQuery()) {
        learner.answerQuery();
      }
    }
    assertThat(learner.close().weights()).containsExactly(expected);
  }

  /** Coins follow from the place of a slot in its block, which a part does not know. */
  @Test
  void refusesPartsWhereSlotsTossCoins() {
    for (QuerySchedule schedule : List.of(SAMPLED, ONE_POINT)) {
      Plan plan = plan(schedule, b -> {});
      byte[] runId = start(plan).runId();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new PartialSumLearner(plan, KEY, runId))
          .withMessageContaining("secret coins");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> start(plan).merge(new byte[0], PLACE))
          .withMessageContaining("secret coins");
    }
  }

  /** One slot moves all sums together by no more than is paid for: once at each point. */
  @Test
  void addsASlotOnceAtEachPoint() {
    ClippedSum sum = ClippedSum.atPoints(Lattice.fit(1, 4, 2, 4), 3);
    Slot slot = Streams.used(1, 0.6, 0.8);
    assertThatIllegalStateException().isThrownBy(() -> sum.addAt(0, slot.example(), 1));
    sum.addNothing();
    sum.addAt(0, slot.example(), 1);
    assertThatIllegalStateException().isThrownBy(() -> sum.addAt(0, slot.example(), 1));
    sum.addAt(2, slot.example(), 1);
    assertThatIllegalStateException().isThrownBy(() -> sum.addAt(1, slot.example(), 1));
    assertThatIllegalStateException().isThrownBy(() -> sum.addAt(3, slot.example(), 1));
    sum.add(slot.example(), 1);
    assertThatIllegalStateException().isThrownBy(() -> sum.addAt(1, slot.example(), 1));
    sum.addNothing(1);
    assertThatIllegalStateException().isThrownBy(() -> sum.addAt(1, slot.example(), 1));
  }

  /**
   * Of a million coins, as many as the rate says, and as often together as independent ones: each
   * of the bounds is six standard deviations, so a false alarm has a chance below 1e-8.
   */
  @Test
  void drawsIndependentCoinsOfTheRate() {
    double rate = 0.05;
    int points = 10;
    SlotCoins coins = new SlotCoins(KEY, new byte[32], points, rate);
    SlotCoins other = new SlotCoins(KEY, new byte[] {1}, points, rate);
    int[] chosen = new int[points];
    int[] otherChosen = new int[points];
    long all = 0;
    long pairs = 0; // neighbouring points of a slot
    long rows = 0; // a point in neighbouring slots
    long queries = 0; // a slot and point in two queries
    boolean[] before = new boolean[points];
    int slots = 100_000;
    for (int slot = 0; slot < slots; slot++) {
      boolean[] now = flags(chosen, coins.draw(slot, chosen), points);
      boolean[] elsewhere = flags(otherChosen, other.draw(slot, otherChosen), points);
      for (int m = 0; m < points; m++) {
        all += now[m] ? 1 : 0;
        pairs += m > 0 && now[m] && now[m - 1] ? 1 : 0;
        rows += now[m] && before[m] ? 1 : 0;
        queries += now[m] && elsewhere[m] ? 1 : 0;
      }
      before = now;
    }
    assertAbout(all, (double) slots * points, rate);
    assertAbout(pairs, (double) slots * (points - 1), rate * rate);
    assertAbout(rows, (double) slots * points, rate * rate);
    assertAbout(queries, (double) slots * points, rate * rate);
  }

  /** Seeds are no secret: who has no key knows nothing of what they choose. */
  @Test
  void drawsOtherCoinsUnderAnotherKey() {
    byte[] other = new byte[32];
    other[31] = 1;
    SlotCoins ours = new SlotCoins(KEY, new byte[32], 64, 0.5);
    SlotCoins theirs = new SlotCoins(NoiseKey.of(other), new byte[32], 64, 0.5);
    int[] chosen = new int[64];
    int[] otherChosen = new int[64];
    boolean[] one = flags(chosen, ours.draw(0, chosen), 64);
    assertThat(flags(otherChosen, theirs.draw(0, otherChosen), 64)).isNotEqualTo(one);
  }

  private static boolean[] flags(int[] chosen, int count, int points) {
    boolean[] flags = new boolean[points];
    for (int i = 0; i < count; i++) {
      flags[chosen[i]] = true;
    }
    return flags;
  }

  private static void assertAbout(long count, double trials, double rate) {
    double sd = Math.sqrt(trials * rate * (1 - rate));
    assertThat((double) count).isCloseTo(trials * rate, within(6 * sd));
  }

  /** Any order, and again: what a restart and several workers need. */
  @Test
  void drawsTheSameCoinsInAnyOrder() {
    SlotCoins forward = new SlotCoins(KEY, new byte[32], 7, 0.3);
    List<int[]> expected = new ArrayList<>();
    int[] chosen = new int[7];
    for (int slot = 0; slot < 300; slot++) {
      expected.add(Arrays.copyOf(chosen, forward.draw(slot, chosen)));
    }
    SlotCoins any = new SlotCoins(KEY, new byte[32], 7, 0.3);
    for (int slot : new int[] {299, 0, 64, 63, 130, 131, 131, 5, 250, 6}) {
      assertThat(Arrays.copyOf(chosen, any.draw(slot, chosen))).isEqualTo(expected.get(slot));
    }
  }
}
