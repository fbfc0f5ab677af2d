package dev.sotto.benchmarks.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.testing.Seed;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Sets whose numbers have no bounds, as experiments hold and learn them. */
class NoBoundsRunTest {
  private static final List<String> BOUNDED = List.of(
      "loss=logistic",
      "label.field=y",
      "features.categorical.c.field=c",
      "features.hash.bits=3",
      "features.numeric.a.field=a",
      "features.numeric.a.min=0",
      "features.numeric.a.max=1e6",
      "features.numeric.a.transform=log1p",
      "features.numeric.a.optional=true");

  private static List<byte[]> events(int count) {
    Random random = Seed.random(11);
    List<byte[]> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double a = 1000 + 60 * random.nextDouble();
      String number = random.nextInt(4) == 0 ? "" : "\"a\":" + a + ",";
      String text =
          "{" + number + "\"c\":" + random.nextInt(3) + ",\"y\":" + (a > 1030 ? 1 : 0) + "}";
      events.add(text.getBytes(StandardCharsets.UTF_8));
    }
    return events;
  }

  /** Rows that are kept in memory are learned as those that come from a topic are. */
  @Test
  void learnsWhatTheLearnerLearnsOfDecodedEvents() {
    List<byte[]> events = events(3000);
    QualityRun run = new QualityRun("made up", NumberEncoding.NO_BOUNDS.of(BOUNDED), events);
    Plan plan = run.plan(4);
    LearningPass.Learned pass = LearningPass.learned(plan, run, 5);

    EventDecoder decoder = run.learner(4, List.of()).newDecoder();
    NoiseKey key = NoiseKey.of(ByteBuffer.allocate(32).putLong(5).array());
    ModelLearner learner = ModelLearner.start(plan, key, "model", "experiment", null);
    Slot slot = new Slot(decoder.dimension());
    for (byte[] event : events) {
      slot.clear();
      slot.status(decoder.decode(null, event, slot));
      if (learner.fill(slot)) {
        learner.close();
      }
    }
    assertThat(pass.weights()).containsExactly(learner.weights());
    assertThat(pass.ranges()).isEqualTo(learner.ranges()).hasSize(1);
    NumberRange range = pass.ranges().get(0);
    assertThat(range.state()).isEqualTo(NumberRange.State.MEASURED);
    assertThat(range.lo()).isBetween(990.0, 1020.0);
    assertThat(range.hi()).isBetween(1040.0, 1070.0);

    Example example = new Example(run.dimension());
    run.read(0, example);
    double octavesAlone = example.dot(pass.weights());
    double score = pass.score(example);
    assertThat(score).isEqualTo(example.dot(pass.weights())).isNotEqualTo(octavesAlone);
    assertThat(example.norm()).isBetween(1 - 1e-9, 1.0);
  }

  @Test
  void leavesOutWhatIsKnownOfNumbers() {
    assertThat(NumberEncoding.NO_BOUNDS.of(BOUNDED))
        .containsExactly(
            "loss=logistic",
            "label.field=y",
            "features.categorical.c.field=c",
            "features.hash.bits=3",
            "features.numeric.a.field=a",
            "features.numeric.a.optional=true");
    assertThat(NumberEncoding.DEFAULTS.of(BOUNDED)).isEqualTo(BOUNDED);
    assertThat(NumberEncoding.LINEAR.of(BOUNDED)).containsAll(BOUNDED).contains("features.hats=0");
  }

  @Test
  void splitsIntoPartsThatShareNoRow() {
    QualityRun run = new QualityRun("made up", BOUNDED, events(100));
    List<Rows> parts = Rows.split(run, 0.7, 1);
    assertThat(parts.get(0).count()).isEqualTo(70);
    assertThat(parts.get(1).count()).isEqualTo(30);
    Set<Integer> all = new HashSet<>(parts.get(0).places());
    all.addAll(parts.get(1).places());
    assertThat(all).hasSize(100);
    assertThat(Rows.split(run, 0.7, 1)).isEqualTo(parts);
    assertThat(Rows.split(run, 0.7, 2)).isNotEqualTo(parts);
    Example direct = new Example(run.dimension());
    Example ofPart = new Example(run.dimension());
    run.read(parts.get(1).places().get(4), direct);
    parts.get(1).read(4, ofPart);
    assertThat(ofPart.dot(ones(run))).isEqualTo(direct.dot(ones(run)));
  }

  private static double[] ones(QualityRun run) {
    double[] ones = new double[run.dimension()];
    Arrays.setAll(ones, i -> 1 + i);
    return ones;
  }
}
