package dev.sotto.learner.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.RunName;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.mechanism.CallNoise;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.optimizer.resque.PoolSize;
import dev.sotto.learner.optimizer.resque.calls.CallAlgorithm;
import dev.sotto.learner.optimizer.resque.calls.CallRegime;
import dev.sotto.learner.optimizer.resque.calls.CallSchedule;
import dev.sotto.learner.optimizer.resque.calls.CallSize;
import dev.sotto.learner.release.HeapTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Blocks whose slots are dealt to calls, in their order. */
class CalledBlocksTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final CallSchedule CALLS = CallSchedule.of(size(40, 3));

  private static CallSize size(long slots, long rounds) {
    return new CallSize(new PoolSize(slots, 2, 1, 2, 4), rounds, 0.5, 20, 0.1, 1e-9);
  }

  static Plan plan(Consumer<TestPlans> more) {
    return plan(CALLS, more);
  }

  private static Plan plan(CallSchedule calls, Consumer<TestPlans> more) {
    CallNoise noise = calls.noise();
    return TestPlans.plan(b -> {
      b.batch = calls.slots();
      b.mechanism = noise;
      b.optimizer = new CallAlgorithm(calls, 1, 0.1 / noise.reach());
      b.budget = new Budget(Double.POSITIVE_INFINITY, 1e-6);
      more.accept(b);
    });
  }

  private static ModelLearner start(Plan plan) {
    return ModelLearner.start(plan, KEY, "model", "label");
  }

  /** Every slot is in one phase of one call, in order; the ledger's line gives the same back. */
  @Test
  void dealsEverySlotOnce() {
    CallNoise noise = CALLS.noise();
    long next = 0;
    for (long query : LongStream.rangeClosed(1, noise.queries()).toArray()) {
      assertThat(noise.schedule().query(query).first()).isEqualTo(next);
      next = noise.schedule().query(query).end();
    }
    assertThat(next).isEqualTo(CALLS.slots()).isLessThanOrEqualTo(40);
    assertThat(noise.schedule().mostReads()).isEqualTo(1);
    assertThat(Mechanisms.of(noise.name(), noise.parameters()).parameters())
        .isEqualTo(noise.parameters());
    assertThat(Mechanisms.queries(noise.name(), noise.parameters())).contains(noise.schedule());
    String line = noise.parameters();
    for (String broken : List.of(
        line.replace("pull=", "push="),
        line.replaceFirst("order=0", "order=9"),
        line.replaceFirst("call=(\\d+)@", "call=$1@@"),
        line.replaceFirst("order=.*", "order=0*0"),
        line + " ",
        line.substring(0, line.indexOf(" call")))) {
      assertThatIllegalArgumentException().isThrownBy(() -> Mechanisms.of(CallNoise.NAME, broken));
    }
  }

  /** The weights of a loop are those of {@code x_0 + 2^J (fine - coarse)}, and J is 1 or more. */
  @Test
  void levelsWeighAsAlgorithm6Says() {
    CallSchedule large = CallSchedule.of(size(40_000, 32));
    List<CallSchedule.Call> round = new ArrayList<>();
    int fine = 0;
    for (CallSchedule.Call each : large.calls()) {
      round.add(each);
      if (each.weight() == 0) {
        double sum = round.stream().mapToDouble(CallSchedule.Call::weight).sum();
        assertThat(sum).isEqualTo(1); // two loops of weight 1/2, and differences
        fine += (int) round.stream().filter(call -> call.weight() < 0).count();
        for (CallSchedule.Call call : round) {
          if (call.weight() < 0) {
            assertThat(call.weight()).isEqualTo(-Math.scalb(1.0, call.row() + 1) / 2);
          }
        }
        round.clear();
      }
    }
    assertThat(round).isEmpty();
    // J is 1 or 2 with probability 3/4; from 0 on it would be drawn differently often.
    assertThat(fine).isBetween(36, 60);
  }

  /** Perturbations of a path that was open as the key was replaced are those of its own key. */
  @Test
  void perturbsAnOpenPathUnderItsOwnKey() {
    byte[] secret = new byte[32];
    secret[0] = 9;
    NoiseKey both = NoiseKey.of(secret).withEarlier(List.of(KEY));
    ModelKeys replaced = new ModelKeys(both, KEY.id(), round -> both.id());
    RunName name = RunName.ofNoApplication("label");
    byte[] place = {7};
    CallSchedule calls = CallSchedule.of(size(100, 1));
    Plan plan = plan(calls, b -> {});
    int all = (int) calls.slots();
    double[] straight = Streams.feed(start(plan), slots(0, all)).get(0).weights();
    long first = calls.noise().schedule().query(1).slots(); // answered, it fixes the key
    assertThat(first).isEqualTo(4);
    for (int stop = 1; stop < first; stop++) {
      ModelLearner before = start(plan);
      Streams.feed(before, slots(0, stop));
      HeapTable table = new HeapTable();
      byte[] open = before.sealOpen(place, table, 16);
      ModelLearner after = ModelLearner.resume(plan, replaced, "model", name, before.state(), null);
      after.resumeOpen(open, place, table);
      ClosedRound closed = Streams.feed(after, slots(stop, all)).get(0);
      assertThat(closed.keyId()).isEqualTo(KEY.id());
      assertThat(closed.weights()).containsExactly(straight);
    }
    ModelLearner rotated = ModelLearner.start(plan, replaced, "model", name, null);
    assertThat(Streams.feed(rotated, slots(0, all)).get(0).weights()).isNotEqualTo(straight);
  }

  private static List<Slot> slots(int from, int to) {
    List<Slot> slots = new ArrayList<>();
    for (int i = from; i < to; i++) {
      slots.add(Streams.used(i % 2, Math.sin(7 * i), Math.cos(i * i)));
    }
    return slots;
  }

  @Test
  void refusesWhatItsGuaranteeCannotBear() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(b -> b.loss = Losses.POISSON.make()))
        .withMessageContaining("convexity");
    Plan plan = plan(b -> {});
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PartialSumLearner(plan, KEY, start(plan).runId()))
        .withMessageContaining("no sums of parts");
    assertThat(CallRegime.reasons(size(40, 3))).isEmpty();
    assertThat(CallRegime.reasons(size(10, 3)).toString())
        .contains("n is 10, but must be at least ");
    CallSize near = new CallSize(new PoolSize(40, 2, 1, 2, 4), 3, 0.5, 2, 0.1, 1e-9);
    assertThat(CallRegime.reasons(near).toString())
        .contains("rho / r is 2.000, but must be at least 10");
    CallSize rare = new CallSize(new PoolSize(4000, 2, 1, 2, 4), 3, 0.5, 10, 0.1, 1e-15);
    assertThat(CallRegime.reasons(rare).toString()).contains("c is ").contains("at most 10");
    assertThat(CallRegime.reasons(size(4_000_000, 1000)).toString())
        .contains("the phases of a block are ")
        .contains("at most 32768");
  }
}
