package dev.sotto.learner.optimizer.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.NamedObjective;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.optimizer.BlockDesign;
import dev.sotto.learner.optimizer.BlockInputs;
import dev.sotto.learner.optimizer.BlockSettings;
import dev.sotto.learner.optimizer.LearningProblem;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.OptimizerSettings;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.InvalidSettingException;
import dev.sotto.learner.settings.Settings;
import java.util.HashMap;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a configuration makes of the heavy-tailed algorithms. */
class HeavyTailsTest {
  private static NamedObjective objective(Losses loss) {
    return new NamedObjective(loss.configName(), Objective.of(loss.make()));
  }

  private static BlockSettings blocks(Settings given, NamedObjective objective) {
    return (BlockSettings) Optimizers.read(given, objective);
  }

  private static BlockInputs inputs(
      MapSettings given, Losses loss, double clip, double mu, Adjacency adjacency) {
    NamedObjective objective = objective(loss);
    LearningProblem problem = new LearningProblem(
        objective,
        20,
        (key, rule) -> objective
            .objective()
            .stepScale(Double.POSITIVE_INFINITY)
            .orElseThrow(() -> given.reject(key, rule)));
    return new BlockInputs(
        problem,
        0,
        false,
        clip > 0 ? OptionalDouble.of(clip) : OptionalDouble.empty(),
        adjacency.sensitivity(1) / mu,
        1e-9);
  }

  private static BlockDesign design(
      Optimizers algorithm, MapSettings given, Losses loss, double clip, double mu) {
    given.with("algorithm", algorithm.configName());
    return blocks(given, objective(loss))
        .design(inputs(given, loss, clip, mu, Adjacency.REPLACE_ONE));
  }

  @ParameterizedTest
  @EnumSource(
      value = Optimizers.class,
      names = {"CLIPPED_AC_SA", "CLIPPED_SGD", "PROX_CLIPPED_SGD", "LOCALIZED_ERM"})
  void worksWithoutSettings(Optimizers algorithm) {
    MapSettings given = new MapSettings(new HashMap<>());
    BlockDesign design = design(algorithm, given, Losses.LOGISTIC, 0, 0.25);
    assertThat(given.errors).isEmpty();
    assertThat(design.batch()).isBetween(1L << 13, 1L << 16);
    assertThat(design.clip()).isBetween(0.25, 1.0);
    assertThat(design.optimizer().block().orElseThrow().slots()).isEqualTo(design.batch());
    assertThat(design.mechanism()).isInstanceOf(QueryNoise.class);
    assertThat(design.mechanism().parameters())
        .isEqualTo(design.optimizer().block().orElseThrow().describe());
    OptimizerSettings again = Optimizers.read(given, objective(Losses.LOGISTIC));
    assertThat(again).isInstanceOf(BlockSettings.class);
    assertThat(design.optimizer().start(20).weights()).containsOnly(0);
  }

  /** With squared loss of unbounded labels nothing is known of gradients: both ways out are named. */
  @ParameterizedTest
  @EnumSource(
      value = Optimizers.class,
      names = {"CLIPPED_AC_SA", "CLIPPED_SGD", "PROX_CLIPPED_SGD", "LOCALIZED_ERM"})
  void asksForWhatItMustKnow(Optimizers algorithm) {
    MapSettings given = new MapSettings(new HashMap<>());
    assertThatThrownBy(() -> design(algorithm, given, Losses.SQUARED, 0, 0.25))
        .isInstanceOf(InvalidSettingException.class);
    assertThat(given.errors).hasSize(1);
    assertThat(given.errors.get(0)).startsWith("heavy.moment must be given, or clip.norm,");
    given.errors.clear();
    assertThat(design(algorithm, given, Losses.SQUARED, 7, 0.25).clip()).isEqualTo(7);
    assertThat(given.errors).isEmpty();
  }

  @Test
  void followsTheMomentRule() {
    MapSettings given = new MapSettings(new HashMap<>())
        .with("block.slots", "10000")
        .with("heavy.clip", "rule")
        .with("heavy.moment", Math.sqrt(1.6 * 1.6 * 12 + 30))
        .with("heavy.diameter", 2.0);
    given.with("algorithm", "clipped-ac-sa");
    NamedObjective squared = objective(Losses.SQUARED);
    LearningProblem problem = new LearningProblem(squared, 10, (key, rule) -> {
      throw given.reject(key, rule);
    });
    BlockInputs ten = new BlockInputs(problem, 0, false, OptionalDouble.empty(), 2, 1e-9);
    BlockDesign design = blocks(given, squared).design(ten);
    assertThat(given.errors).isEmpty();
    assertThat(design.batch()).isEqualTo(10_000);
    assertThat(design.optimizer().block().orElseThrow().queries()).isEqualTo(4); // section 6.2, E2
    assertThat(design.clip()).isCloseTo(309.8, within(0.05));
    // Null slots: the noise is half as large at the same mu, as that of twice the mu.
    BlockInputs nulls = new BlockInputs(problem, 0, false, OptionalDouble.empty(), 1 / 0.5, 1e-9);
    BlockDesign same = blocks(given, squared).design(nulls);
    assertThat(same.clip()).isEqualTo(design.clip());
    assertThat(same.optimizer().describe()).isEqualTo(design.optimizer().describe());
  }

  @Test
  void asksLocalizedErmForMomentsOfBothOrders() {
    MapSettings given = new MapSettings(new HashMap<>()).with("heavy.moment", 3.0);
    assertThatThrownBy(() -> design(Optimizers.LOCALIZED_ERM, given, Losses.SQUARED, 0, 1))
        .isInstanceOf(InvalidSettingException.class);
    assertThat(given.errors).hasSize(1);
    assertThat(given.errors.get(0)).startsWith("heavy.moment.twice must be given");
    given.errors.clear();
    BlockDesign design = design(
        Optimizers.LOCALIZED_ERM, given.with("heavy.moment.twice", 5.0), Losses.SQUARED, 0, 1);
    assertThat(given.errors).isEmpty();
    Optimizer optimizer = design.optimizer();
    assertThat(optimizer.scale(1)).isEqualTo(1);
    long counts = optimizer.block().orElseThrow().queries();
    assertThat(optimizer.scale(counts - 1)).isGreaterThan(10); // later phases clip at less
    assertThat(optimizer.scale(counts)).isEqualTo(1); // and the last query counts norms
    assertThat(optimizer.norms(counts - 1)).isNull();
    assertThat(optimizer.norms(counts).lowest()).isEqualTo(design.clip() / 512);
  }

  /** Where the moment decides its clip is that of the first block alone. */
  @Test
  void followsQuantilesWhereTheMomentDecides() {
    for (Object[] each : new Object[][] {
      {"auto", 3.0, 0.0, true},
      {"auto", 3.0, 5.0, false},
      {"auto", 0.0, 5.0, false},
      {"rule", 3.0, 0.0, false},
      {"quantile", 0.0, 5.0, true},
      {"quantile", 3.0, 5.0, true}
    }) {
      MapSettings given = new MapSettings(new HashMap<>()).with("heavy.clip", each[0]);
      if ((double) each[1] > 0) {
        given.with("heavy.moment", each[1]);
      }
      BlockDesign design =
          design(Optimizers.CLIPPED_AC_SA, given, Losses.SQUARED, (double) each[2], 1);
      long last = design.optimizer().block().orElseThrow().queries();
      assertThat(design.optimizer().norms(last) != null).isEqualTo(each[3]);
      QueryNoise noise = (QueryNoise) design.mechanism();
      assertThat(1 / (noise.noise(1) * noise.noise(1)))
          .isCloseTo((boolean) each[3] ? 0.95 : 1, within(1e-9));
    }
  }

  @Test
  void refusesQuantilesOfMedians() {
    MapSettings given = new MapSettings(new HashMap<>())
        .with("heavy.clip", "quantile")
        .with("heavy.oracle", "median-of-means")
        .with("heavy.groups", 3);
    assertThatThrownBy(() -> design(Optimizers.CLIPPED_SGD, given, Losses.SQUARED, 5, 1))
        .isInstanceOf(InvalidSettingException.class);
    assertThat(given.errors.get(0)).startsWith("heavy.clip must be rule with heavy.oracle");
  }

  @Test
  void doublesEpochsWhereTheLossIsStronglyConvex() {
    MapSettings given = new MapSettings(new HashMap<>())
        .with("heavy.strong.convexity", 0.1)
        .with("block.slots", "65536");
    BlockDesign design = design(Optimizers.LOCALIZED_ERM, given, Losses.LOGISTIC, 0, 1);
    assertThat(design.optimizer().block().orElseThrow().segments().stream()
            .map(each -> each.slots())
            .collect(Collectors.toList()))
        .startsWith(2048L, 1024L, 512L)
        .contains(16_384L);
    assertThat(design.batch()).isBetween(60_000L, 1L << 16);
  }

  @Test
  void refusesWhatMeansNothing() {
    MapSettings alone = new MapSettings(new HashMap<>()).with("heavy.moment.second", 3.0);
    assertThatThrownBy(() -> design(Optimizers.CLIPPED_SGD, alone, Losses.LOGISTIC, 0, 1))
        .isInstanceOf(InvalidSettingException.class);
    assertThat(alone.errors)
        .containsExactly("heavy.moment.second means nothing without heavy.moment; give it too");
    MapSettings flat = new MapSettings(new HashMap<>()).with("heavy.regularization", 0.0);
    assertThatThrownBy(() -> design(Optimizers.CLIPPED_SGD, flat, Losses.LOGISTIC, 0, 1))
        .isInstanceOf(InvalidSettingException.class);
    assertThat(flat.errors.get(0)).startsWith("heavy.regularization must be above 0, or");
    MapSettings steep = new MapSettings(new HashMap<>()).with("heavy.strong.convexity", 9.0);
    assertThatThrownBy(() -> design(Optimizers.CLIPPED_SGD, steep, Losses.LOGISTIC, 0, 1))
        .isInstanceOf(InvalidSettingException.class);
    assertThat(steep.errors.get(0))
        .startsWith("heavy.strong.convexity does not work: strong convexity must be positive and");
    MapSettings tiny = new MapSettings(new HashMap<>()).with("block.slots", "12");
    assertThatThrownBy(() -> design(Optimizers.LOCALIZED_ERM, tiny, Losses.LOGISTIC, 0, 1))
        .isInstanceOf(InvalidSettingException.class);
    assertThat(tiny.errors.get(0)).startsWith("block.slots does not work: a block must have");
    MapSettings broken = new MapSettings(new HashMap<>())
        .with("heavy.moment.order", 1.5)
        .with("heavy.diameter", -1.0);
    assertThatThrownBy(() -> design(Optimizers.CLIPPED_AC_SA, broken, Losses.LOGISTIC, 0, 1))
        .isInstanceOf(InvalidSettingException.class);
    assertThat(broken.errors).hasSize(3); // both domains, and the order without a moment
  }

  @Test
  void declaresEverySettingOnce() {
    List<String> names = Optimizers.keys().map(ConfigKey::name).toList();
    assertThat(names).doesNotHaveDuplicates().contains("block.slots", "heavy.diameter");
    assertThat(Optimizers.keys()
            .filter(key -> key.name().equals("heavy.smoothness"))
            .flatMap(key -> key.conditions().stream())
            .map(String::valueOf))
        .containsExactly("algorithm clipped-ac-sa or clipped-sgd or prox-clipped-sgd");
  }
}
