package dev.sotto.learner.optimizer.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.loss.NamedObjective;
import dev.sotto.learner.loss.Objectives;
import dev.sotto.learner.mechanism.MomentumTree;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.optimizer.BlockDesign;
import dev.sotto.learner.optimizer.BlockInputs;
import dev.sotto.learner.optimizer.BlockSettings;
import dev.sotto.learner.optimizer.LearningProblem;
import dev.sotto.learner.optimizer.momentum.SensitivityReducedNsgd;
import dev.sotto.learner.optimizer.momentum.TreeMomentumNsgd;
import dev.sotto.learner.settings.InvalidSettingException;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Each algorithm alone is a whole configuration, or says what it needs. */
class MomentumSettingsTest {
  private static final String LOGISTIC = "logistic";

  private static BlockInputs inputs(String loss, long slots, OptionalDouble clip) {
    NamedObjective objective = new NamedObjective(loss, Objectives.named(loss).orElseThrow());
    LearningProblem problem = new LearningProblem(
        objective,
        64,
        (key, rule) -> objective
            .objective()
            .stepScale(Double.POSITIVE_INFINITY)
            .orElseThrow(() -> new InvalidSettingException(key + " " + rule)));
    return new BlockInputs(problem, slots, false, clip, 2 / 0.5, 1e-9);
  }

  private static BlockDesign design(boolean reduced, Map<String, Object> values) {
    return design(reduced, values, inputs(LOGISTIC, 0, OptionalDouble.empty()));
  }

  private static BlockDesign design(
      boolean reduced, Map<String, Object> values, BlockInputs inputs) {
    MapSettings settings = new MapSettings(values);
    BlockSettings read = reduced
        ? MomentumSettings.reduced(settings, inputs.problem().objective())
        : MomentumSettings.tree(settings, inputs.problem().objective());
    BlockDesign design = read.design(inputs);
    assertThat(settings.errors).isEmpty();
    assertThat(design.mechanism().fits(design.optimizer().block())).isTrue();
    assertThat(design.mechanism().sensitivity(1)).isEqualTo(1);
    return design;
  }

  @Test
  void isAWholeConfigurationWithoutAny() {
    BlockDesign tree = design(false, Map.of());
    assertThat(tree.batch()).isEqualTo(64);
    assertThat(tree.clip()).isEqualTo(1);
    assertThat(tree.mechanism().isEndless()).isTrue();
    BlockDesign full = design(true, Map.of());
    assertThat(full.batch()).isEqualTo(16_384);
    assertThat(full.mechanism()).isInstanceOf(QueryNoise.class);
    assertThat(full.optimizer().block().orElseThrow().queries()).isBetween(2L, 32L);
    SensitivityReducedNsgd reduced = (SensitivityReducedNsgd) full.optimizer();
    assertThat(reduced.schedule().share())
        .isEqualTo(Math.min(1, 0.25 * reduced.schedule().step()));
  }

  @Test
  void readsABlockInWindows() {
    BlockDesign window = design(true, Map.of("momentum.form", "window", "block.slots", "100"));
    assertThat(window.batch()).isEqualTo(96);
    assertThat(window.mechanism().parameters()).startsWith("16*8 first=");
    MapSettings reduced = new MapSettings(Map.of("momentum.batches", 4L));
    assertThatThrownBy(() -> MomentumSettings.reduced(reduced, null))
        .isInstanceOf(InvalidSettingException.class);
    assertThat(reduced.errors.get(0)).startsWith("momentum.batches means nothing unless");
  }

  @Test
  void takesWhatIsGiven() {
    BlockDesign tree = design(false, Map.of("momentum.alpha", 0.25, "momentum.step", 0.5));
    assertThat(tree.optimizer()).isEqualTo(new TreeMomentumNsgd(0.5, 0.75));
    assertThat(tree.mechanism().parameters()).startsWith("endless beta=0x1.8p-1 rounding=");
    BlockDesign passes =
        design(false, Map.of("momentum.epochs", 4L, "momentum.batches", 8L, "block.slots", "100"));
    assertThat(passes.batch()).isEqualTo(96);
    assertThat(passes.mechanism()).isInstanceOf(MomentumTree.class);
    assertThat(passes.mechanism().parameters()).startsWith("block 8*4 beta=0x1.cp-1 ");
    SensitivityReducedNsgd plain = (SensitivityReducedNsgd)
        design(true, Map.of("momentum.epochs", 9L, "momentum.share", 1.0, "momentum.step", 0.125))
            .optimizer();
    assertThat(plain.schedule().share()).isEqualTo(1);
    assertThat(plain.queries().queries()).isEqualTo(9);
    assertThat(plain.schedule().step()).isEqualTo(0.125);
    BlockDesign rough = design(
        true, Map.of("momentum.smoothness", 1e9), inputs(LOGISTIC, 500, OptionalDouble.of(3)));
    assertThat(rough.batch()).isEqualTo(500);
    assertThat(rough.clip()).isEqualTo(3);
    assertThat(((SensitivityReducedNsgd) rough.optimizer()).schedule().difference())
        .isLessThanOrEqualTo(3);
  }

  @Test
  void knowsItsNumbersForNetworks() {
    String network = "network(hidden=4 activation=tanh output=softmax(3) seed=1)";
    for (boolean reduced : new boolean[] {false, true}) {
      BlockDesign design = design(reduced, Map.of(), inputs(network, 0, OptionalDouble.empty()));
      assertThat(design.clip()).isPositive().isFinite();
    }
  }

  @Test
  void saysWhatItNeeds() {
    assertThatThrownBy(() -> design(false, Map.of(), inputs("squared", 0, OptionalDouble.empty())))
        .hasMessageContaining("momentum.smoothness must be given, and clip.norm,");
    // The smoothness of the squared loss is known whatever the labels are.
    assertThat(
            design(false, Map.of(), inputs("squared", 0, OptionalDouble.of(1))).clip())
        .isEqualTo(1);
  }

  @Test
  void refusesSettingsThatMeanNothing() {
    MapSettings tree = new MapSettings(Map.of("block.slots", "100"));
    assertThatThrownBy(() -> MomentumSettings.tree(tree, null))
        .isInstanceOf(InvalidSettingException.class);
    assertThat(tree.errors.get(0)).startsWith("block.slots means nothing in one pass");
    MapSettings broken = new MapSettings(Map.of("momentum.alpha", 0.0, "momentum.step", -1.0));
    assertThatThrownBy(() -> MomentumSettings.tree(broken, null))
        .isInstanceOf(InvalidSettingException.class);
    assertThat(broken.errors).hasSize(2);
  }

  /** Settings that two algorithms share are declared once, for both. */
  @Test
  void sharesItsSettings() {
    var steps =
        Optimizers.keys().filter(key -> key.name().equals("momentum.step")).toList();
    assertThat(steps).hasSize(1);
    assertThat(steps.get(0).conditions().get(0).toString())
        .contains("tree-momentum-nsgd")
        .contains("sensitivity-reduced-nsgd");
  }
}
