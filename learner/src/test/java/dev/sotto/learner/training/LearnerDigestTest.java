package dev.sotto.learner.training;

import static dev.sotto.learner.training.TestPlans.plan;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.KeyDerivation;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.RunName;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.release.ContentDigest;
import dev.sotto.learner.release.Releaser;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A learner hands the points of its rounds to the running digest (docs/privacy.md, "Where the noise
 * comes from"). Rounds without records have sums of zero, so the digest can be written out from
 * public figures.
 */
class LearnerDigestTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);

  private static byte[] doubles(double[] values) {
    ByteBuffer buffer = ByteBuffer.allocate(8 + 8 * values.length).putLong(values.length);
    Arrays.stream(values).forEach(each -> buffer.putDouble(each + 0.0));
    return buffer.array();
  }

  private static void followsItsPoints(Plan plan, int mostPoints) {
    ModelLearner learner = ModelLearner.start(plan, KEY, "model", "label");
    byte[] digest = KeyDerivation.hmac(
        KEY.chainKey(),
        learner.runId(),
        ByteBuffer.allocate(4).putInt(Releaser.SEMANTICS).array(),
        doubles(plan.start()));
    ContentDigest content = new ContentDigest(KEY, learner.runId());
    content.addAbsent(plan.batch());
    int most = 0;
    for (long round = 1; round <= 4; round++) {
      double[][] points = learner.queryOf(round).points();
      most = Math.max(most, points.length);
      ByteBuffer all = ByteBuffer.allocate(points.length * (8 + 8 * plan.dimension()));
      for (double[] point : points) {
        all.put(doubles(point));
      }
      learner.fillAbsent(plan.batch());
      learner.close();
      digest = KeyDerivation.hmac(
          KEY.chainKey(),
          digest,
          plan.fingerprint(),
          KEY.id().getBytes(StandardCharsets.US_ASCII),
          ByteBuffer.allocate(12).putInt(0).putLong(round).array(),
          content.state(),
          doubles(new double[plan.dimension()]),
          all.array());
      assertThat(learner.digest()).as("round %d", round).isEqualTo(digest);
    }
    assertThat(most).isEqualTo(mostPoints);
  }

  @Test
  void bindsTheNoiseToThePointOfEveryRound() {
    followsItsPoints(plan(b -> {}), 1);
  }

  @Test
  void bindsTheNoiseToBothPointsOfADifference() {
    followsItsPoints(
        plan(b -> b.optimizer = new AcceleratedDpSrgd(
            new EuclideanBall(null, 1), 1, true, AcceleratedDpSrgd.Gradients.RECURSIVE)),
        2);
  }

  private static byte[] next(
      NoiseKey key, byte[] before, Plan plan, long round, byte[] content, double[] point) {
    return KeyDerivation.hmac(
        key.chainKey(),
        before,
        plan.fingerprint(),
        key.id().getBytes(StandardCharsets.US_ASCII),
        ByteBuffer.allocate(12).putInt(0).putLong(round).array(),
        content,
        doubles(new double[plan.dimension()]),
        doubles(point));
  }

  /** Slots that add nothing to the sum are told apart all the same. */
  @Test
  void bindsTheNoiseToEverySlot() {
    Plan plan = plan(b -> {});
    ModelLearner learner = ModelLearner.start(plan, KEY, "model", "label");
    byte[] before = learner.digest();
    ContentDigest content = new ContentDigest(KEY, learner.runId());
    Slot slot = new Slot(plan.inputs());
    for (long place = 0; place < plan.batch(); place++) {
      slot.clear();
      slot.status(place % 2 == 0 ? RecordStatus.UNREADABLE : RecordStatus.TOO_LARGE);
      content.add(slot);
      learner.fill(slot);
    }
    double[] point = learner.queryOf(1).point();
    learner.close();
    assertThat(learner.digest()).isEqualTo(next(KEY, before, plan, 1, content.state(), point));
  }

  /** From the first round of the new key on, noise follows from it. */
  @Test
  void goesOnUnderTheKeyThatTheRoundsHave() {
    byte[] secret = new byte[32];
    secret[0] = 1;
    NoiseKey rotated = NoiseKey.of(secret).withEarlier(List.of(KEY));
    Plan plan = plan(b -> {});
    ModelLearner old = ModelLearner.start(plan, KEY, "model", "label");
    old.fillAbsent(plan.batch());
    old.close();
    ModelKeys keys = new ModelKeys(rotated, KEY.id(), round -> rotated.id());
    ModelLearner learner = ModelLearner.resume(
        plan, keys, "model", RunName.ofNoApplication("label"), old.state(), null);
    ContentDigest content = new ContentDigest(rotated, learner.runId());
    content.addAbsent(plan.batch());
    double[] point = learner.queryOf(2).point();
    learner.fillAbsent(plan.batch());
    assertThat(learner.close().keyId()).isEqualTo(rotated.id());
    assertThat(learner.digest())
        .isEqualTo(next(rotated, old.digest(), plan, 2, content.state(), point));
  }
}
