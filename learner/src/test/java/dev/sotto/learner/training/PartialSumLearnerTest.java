package dev.sotto.learner.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.RunName;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.participation.UnitHistories;
import dev.sotto.testing.Seed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rounds summed in parts: the same bits as the pure learner's, whoever sums what. */
class PartialSumLearnerTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final int ROUNDS = 7;

  private static byte[] place(long round, int part) {
    return ByteBuffer.allocate(12).putLong(round).putInt(part).array();
  }

  private static List<String> alone(Plan plan) {
    ModelLearner learner = ModelLearner.start(plan, KEY, "m", "");
    List<String> traces = new ArrayList<>();
    for (Slot slot : Rounds.stream(plan, ROUNDS, 4)) {
      boolean full =
          slot.status() == RecordStatus.ABSENT ? learner.fillAbsent(1) : learner.fill(slot);
      if (full) {
        traces.add(trace(learner.close(), learner));
      }
    }
    return traces;
  }

  private static String trace(ClosedRound round, ModelLearner learner) {
    StringBuilder text = new StringBuilder();
    for (double weight : round.weights()) {
      text.append(Double.toHexString(weight)).append(' ');
    }
    for (byte each : learner.digest()) {
      text.append(each);
    }
    round.metrics().ifPresent(metrics -> text.append(Arrays.toString(metrics.sums())));
    return text.toString();
  }

  /** Slots of every round dealt out at random to workers that go as far ahead as the lag allows. */
  private static List<String> inParts(Plan plan, int parts, boolean restarts) {
    Random random = Seed.random(parts);
    ModelLearner learner = ModelLearner.start(plan, KEY, "m", "");
    List<PartialSumLearner> workers = new ArrayList<>();
    for (int p = 0; p < parts; p++) {
      workers.add(new PartialSumLearner(plan, KEY, learner.runId()));
    }
    List<Slot> slots = Rounds.stream(plan, ROUNDS, 4);
    List<String> traces = new ArrayList<>();
    Map<Long, List<byte[]>> sealed = new HashMap<>();
    int batch = (int) plan.batch();
    long worked = 0;
    while (traces.size() < ROUNDS) {
      while (worked < Math.min(ROUNDS, learner.round() + 1 + plan.lag())) {
        worked++;
        List<Slot> own =
            new ArrayList<>(slots.subList((int) (worked - 1) * batch, (int) worked * batch));
        Collections.shuffle(own, random);
        GradientQuery query = learner.queryOf(worked);
        assertThat(query.round()).isEqualTo(worked);
        List<byte[]> made = new ArrayList<>();
        for (int p = 0; p < parts; p++) {
          workers.get(p).open(query, learner.keyIdOf(worked, learner.keyId()));
          for (int i = p; i < batch; i += parts) {
            if (own.get(i).status() == RecordStatus.ABSENT) {
              workers.get(p).fillAbsent(1);
            } else {
              workers.get(p).fill(own.get(i));
            }
          }
          made.add(workers.get(p).seal(place(worked, p)));
        }
        sealed.put(worked, made);
      }
      long round = learner.round() + 1;
      List<Integer> order = new ArrayList<>();
      for (int p = 0; p < parts; p++) {
        order.add(p);
      }
      Collections.shuffle(order, random);
      boolean full = false;
      for (int p : order) {
        assertThat(full).isFalse();
        full = learner.merge(sealed.get(round).get(p), place(round, p));
      }
      assertThat(full).isTrue();
      traces.add(trace(learner.close(), learner));
      if (restarts) {
        learner = ModelLearner.resume(plan, KEY, "m", "", learner.state());
      }
    }
    return traces;
  }

  @ParameterizedTest
  @MethodSource("dev.sotto.learner.training.Rounds#some")
  void givesTheBitsOfTheWholeRound(Rounds.Case each) {
    List<String> alone = alone(each.plan());
    assertThat(alone).hasSize(ROUNDS);
    for (int parts : new int[] {1, 2, 4, 8}) {
      assertThat(inParts(each.plan(), parts, parts == 4)).as("%s parts", parts).isEqualTo(alone);
    }
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("dev.sotto.learner.training.Rounds#cases")
  void givesTheBitsOfTheWholeRoundInEveryCase(Rounds.Case each) {
    givesTheBitsOfTheWholeRound(each);
  }

  private static Plan first() {
    return Rounds.cases().get(0).plan();
  }

  private static byte[] part(Plan plan, ModelLearner learner, NoiseKey key, byte[] place) {
    PartialSumLearner worker = new PartialSumLearner(plan, key, learner.runId());
    worker.open(learner.queryOf(1), learner.keyIdOf(1, learner.keyId()));
    Rounds.stream(plan, 1, 9).stream().limit(8).forEach(worker::fill);
    assertThat(worker.slots()).isEqualTo(8);
    byte[] sealed = worker.seal(place);
    assertThat(worker.slots()).isZero();
    return sealed;
  }

  @Test
  void refusesAPartOutOfItsPlace() {
    Plan plan = first();
    ModelLearner learner = ModelLearner.start(plan, KEY, "m", "");
    byte[] sealed = part(plan, learner, KEY, place(1, 0));
    for (byte[] wrong : new byte[][] {place(1, 1), place(2, 0), new byte[0]}) {
      assertThatIllegalStateException()
          .isThrownBy(() -> learner.merge(sealed, wrong))
          .withMessageContaining("another place");
    }
    ModelLearner other = ModelLearner.start(plan, KEY, "another model", "");
    assertThatIllegalStateException().isThrownBy(() -> other.merge(sealed, place(1, 0)));
    byte[] bent = sealed.clone();
    bent[bent.length / 2] ^= 1;
    assertThatIllegalStateException().isThrownBy(() -> learner.merge(bent, place(1, 0)));
    byte[] renamed = sealed.clone();
    renamed[0] ^= 1;
    assertThatIllegalStateException()
        .isThrownBy(() -> learner.merge(renamed, place(1, 0)))
        .withMessageContaining("unknown noise key");
    assertThatIllegalStateException()
        .isThrownBy(() -> learner.merge(new byte[5], place(1, 0)))
        .withMessageContaining("cut short");
    assertThat(learner.openSlots()).isZero();
    assertThat(learner.merge(sealed, place(1, 0))).isFalse();
    assertThat(learner.openSlots()).isEqualTo(8);
  }

  /**
   * The points are hashed into the noise's digest as those at which the sum was taken: so they must
   * be.
   */
  @Test
  void refusesAPartThatWasSummedAtOtherPoints() {
    Plan plan = first();
    ModelLearner learner = ModelLearner.start(plan, KEY, "m", "");
    GradientQuery asked = learner.queryOf(1);
    double[] moved = asked.point().clone();
    moved[0] = Math.nextUp(moved[0]);
    for (GradientQuery other : List.of(
        new GradientQuery(1, asked.scale(), moved, 0, new double[0]),
        new GradientQuery(1, Math.nextUp(asked.scale()), asked.point(), 0, new double[0]),
        new GradientQuery(1, asked.scale(), asked.point(), 1, asked.point().clone()))) {
      PartialSumLearner worker = new PartialSumLearner(plan, KEY, learner.runId());
      worker.open(other, KEY.id());
      worker.fillAbsent(8);
      byte[] sealed = worker.seal(place(1, 0));
      assertThatIllegalStateException()
          .isThrownBy(() -> learner.merge(sealed, place(1, 0)))
          .withMessageContaining("other points");
    }
    assertThat(learner.openSlots()).isZero();
  }

  @Test
  void mergesNothingWhereUnitsHaveHistories() {
    Plan plan = first();
    ModelLearner open = ModelLearner.start(plan, KEY, "m", "");
    byte[] sealed = part(plan, open, KEY, place(1, 0));
    Plan once = TestPlans.plan(p -> p.participation = new Participation.ById());
    UnitHistories none = new UnitHistories() {
      @Override
      public byte[] get(byte[] name) {
        return null;
      }

      @Override
      public void put(byte[] name, byte[] history) {
        throw new AssertionError("nobody was to be admitted");
      }
    };
    ModelLearner learner = ModelLearner.start(once, KEY, "m", "", none);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> learner.merge(sealed, place(1, 0)))
        .withMessageContaining("not in parts");
  }

  @Test
  void refusesMoreSlotsThanARoundHas() {
    Plan plan = first();
    ModelLearner learner = ModelLearner.start(plan, KEY, "m", "");
    assertThat(learner.merge(part(plan, learner, KEY, place(1, 0)), place(1, 0)))
        .isFalse();
    assertThat(learner.merge(part(plan, learner, KEY, place(1, 1)), place(1, 1)))
        .isTrue();
    assertThatIllegalStateException()
        .isThrownBy(() -> learner.merge(part(plan, learner, KEY, place(1, 2)), place(1, 2)))
        .withMessageContaining("a round holds 16 slots");
  }

  /**
   * A round that was opened under one key goes on under it, though the learner starts again with a
   * newer one.
   */
  @Test
  void goesOnUnderTheKeyOfTheRoundsOpening() {
    byte[] secret = new byte[32];
    secret[0] = 1;
    NoiseKey rotated = NoiseKey.of(secret).withEarlier(List.of(KEY));
    ModelKeys keys = new ModelKeys(rotated, KEY.id(), round -> rotated.id());
    Plan plan = first();
    ModelLearner before = ModelLearner.start(plan, KEY, "m", "");
    List<Slot> slots = Rounds.stream(plan, 2, 4);
    slots.subList(0, 16).forEach(before::fill);
    before.close();
    // The pure learner that rotates after round 2 only.
    ModelLearner pure = ModelLearner.resume(plan, KEY, "m", "", before.state());
    slots.subList(16, 32).forEach(pure::fill);
    String expected = trace(pure.close(), pure);

    PartialSumLearner worker = new PartialSumLearner(plan, KEY, before.runId());
    worker.open(before.queryOf(2), before.keyIdOf(2, before.keyId()));
    slots.subList(16, 24).forEach(worker::fill);
    byte[] one = worker.seal(place(2, 0));
    PartialSumLearner late = new PartialSumLearner(plan, rotated, before.runId());
    late.open(before.queryOf(2), before.keyIdOf(2, before.keyId()));
    slots.subList(24, 32).forEach(late::fill);
    byte[] two = late.seal(place(2, 1));

    ModelLearner after =
        ModelLearner.resume(plan, keys, "m", RunName.ofNoApplication(""), before.state(), null);
    assertThat(after.keyIdOf(2, after.keyId())).isEqualTo(rotated.id());
    assertThat(after.merge(one, place(2, 0))).isFalse();
    assertThat(after.merge(two, place(2, 1))).isTrue();
    ClosedRound round = after.close();
    assertThat(round.keyId()).isEqualTo(KEY.id());
    assertThat(trace(round, after)).isEqualTo(expected);
    assertThat(after.keyIdOf(3, after.keyId())).isEqualTo(rotated.id());

    ModelLearner mixed =
        ModelLearner.resume(plan, keys, "m", RunName.ofNoApplication(""), before.state(), null);
    mixed.merge(one, place(2, 0));
    PartialSumLearner newest = new PartialSumLearner(plan, rotated, before.runId());
    newest.open(before.queryOf(2), rotated.id());
    slots.subList(24, 32).forEach(newest::fill);
    byte[] other = newest.seal(place(2, 1));
    assertThatIllegalStateException()
        .isThrownBy(() -> mixed.merge(other, place(2, 1)))
        .withMessageContaining("different noise keys");
  }

  @Test
  void refusesWhatItCannotSum() {
    Plan keyed = TestPlans.plan(p -> {
      p.unit = PrivacyUnit.KEY;
      p.participation = new Participation.Scheduled(new ContributionBound(2, 1));
    });
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PartialSumLearner(keyed, KEY, new byte[16]))
        .withMessageContaining("histories");
    Plan plan = first();
    ModelLearner learner = ModelLearner.start(plan, KEY, "m", "");
    PartialSumLearner worker = new PartialSumLearner(plan, KEY, learner.runId());
    worker.open(learner.queryOf(1), KEY.id());
    worker.fillAbsent(1);
    assertThatIllegalStateException()
        .isThrownBy(() -> worker.open(learner.queryOf(1), KEY.id()))
        .withMessageContaining("has not been sealed");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> learner.queryOf(plan.lag() + 2))
        .withMessageContaining("are known");
  }
}
