package dev.sotto.learner.optimizer.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.NamedObjective;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.Softmax;
import dev.sotto.learner.mechanism.CallNoise;
import dev.sotto.learner.mechanism.PathNoise;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.optimizer.BlockDesign;
import dev.sotto.learner.optimizer.BlockInputs;
import dev.sotto.learner.optimizer.LearningProblem;
import dev.sotto.learner.settings.InvalidSettingException;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Which form of resque learns, and why. */
class ResqueFormTest {
  private static BlockInputs inputs(NamedObjective objective, boolean inParts) {
    LearningProblem problem = new LearningProblem(
        objective,
        64,
        (key, rule) -> objective
            .objective()
            .stepScale(16)
            .orElseThrow(() -> new InvalidSettingException(key + " " + rule)));
    return new BlockInputs(problem, 0, inParts, OptionalDouble.empty(), 4, 1e-9);
  }

  private static NamedObjective named(Losses loss) {
    return new NamedObjective(loss.configName(), Objective.of(loss.make()));
  }

  private static BlockDesign design(
      NamedObjective objective, boolean inParts, Map<String, Object> values) {
    MapSettings settings = new MapSettings(values);
    BlockInputs inputs = inputs(objective, inParts);
    BlockDesign design = Resque.read(settings, objective).design(inputs);
    assertThat(settings.errors).isEmpty();
    assertThat(design.mechanism().fits(design.optimizer().block())).isTrue();
    assertThat(design.mechanism().sensitivity(1)).isEqualTo(1);
    return design;
  }

  private static void refuses(
      NamedObjective objective, boolean inParts, Map<String, Object> values, String why) {
    MapSettings settings = new MapSettings(values);
    BlockInputs inputs = inputs(objective, inParts);
    assertThatThrownBy(() -> Resque.read(settings, objective).design(inputs))
        .isInstanceOf(InvalidSettingException.class);
    assertThat(settings.errors.toString()).contains(why);
  }

  @ParameterizedTest
  @EnumSource(value = Losses.class, mode = Mode.EXCLUDE, names = "POISSON")
  void takesOnePassWhereItsGuaranteeHolds(Losses loss) {
    BlockDesign design = design(named(loss), false, Map.of());
    assertThat(design.mechanism()).isInstanceOf(PathNoise.class);
    assertThat(design.batch()).isEqualTo(8192);
    assertThat(design.optimizer().reason()).startsWith("Form one-pass: ");
    PathNoise noise = (PathNoise) design.mechanism();
    assertThat(noise.reach() * design.clip())
        .isEqualTo(40 * loss.make().stepScale(16).orElseThrow().noise());
    assertThat(noise.smoothing()).isEqualTo(noise.reach() * design.clip() / Math.sqrt(8192));
    assertThat(design.clip()).isEqualTo(loss == Losses.SQUARED ? 4 : loss.make().lipschitz());
  }

  @Test
  void takesPoolsElsewhere() {
    NamedObjective logistic = named(Losses.LOGISTIC);
    BlockDesign rounds = design(logistic, true, Map.of());
    assertThat(rounds.mechanism()).isInstanceOf(QueryNoise.class);
    assertThat(rounds.optimizer().reason())
        .isEqualTo(
            "Form pool: this layout sums slots in parts, and one pass takes them in their order.");
    NamedObjective classes = new NamedObjective("softmax(2)", new Softmax(2));
    assertThat(design(classes, false, Map.of()).optimizer().reason())
        .isEqualTo("Form pool: the convexity of loss softmax(2) is not proved.");
    assertThat(design(logistic, false, Map.of("resque.points", 4)).optimizer().reason())
        .isEqualTo("Form pool: resque.points is given.");
    BlockDesign chosen = design(logistic, false, Map.of("resque.form", "pool"));
    assertThat(chosen.mechanism()).isInstanceOf(QueryNoise.class);
    assertThat(chosen.optimizer().reason()).isEmpty();
  }

  @Test
  void takesWhatIsGiven() {
    BlockDesign design = design(
        named(Losses.HINGE),
        false,
        Map.of(
            "resque.form",
            "one-pass",
            "resque.diameter",
            3.0,
            "resque.smoothing",
            0.5,
            "block.slots",
            "300"));
    PathNoise noise = (PathNoise) design.mechanism();
    assertThat(design.batch()).isEqualTo(300);
    assertThat(noise.reach()).isEqualTo(1.5);
    assertThat(noise.smoothing()).isEqualTo(0.5);
    assertThat(design.optimizer().reason()).isEmpty();
  }

  /** Calls where somebody chooses them, never otherwise. */
  @ParameterizedTest
  @EnumSource(
      value = Losses.class,
      names = {"LOGISTIC", "SQUARED"})
  void callsSolversWhereTheyAreChosen(Losses loss) {
    BlockDesign design = design(named(loss), false, Map.of("resque.form", "ordered-calls"));
    CallNoise noise = (CallNoise) design.mechanism();
    assertThat(design.batch()).isBetween(160_000L, 262_144L);
    assertThat(noise.shape().ratio()).isEqualTo(20);
    assertThat(noise.shape().failure()).isEqualTo(1e-9);
    double scale = loss.make().stepScale(16).orElseThrow().noise();
    assertThat(noise.reach() * design.clip()).isCloseTo(scale / 20, within(1e-9 * scale));
    assertThat(noise.shape().domain() * design.clip()).isCloseTo(40 * scale, within(1e-9 * scale));
    assertThat(noise.worstConstant()).isBetween(2.0, 4.0);
    assertThat(design.optimizer().reason()).isEmpty();
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(value = Losses.class, mode = Mode.EXCLUDE, names = "POISSON")
  void callsSolversOfEveryLoss(Losses loss) {
    callsSolversWhereTheyAreChosen(loss);
  }

  @Test
  void refusesCallsWithTheArithmetic() {
    Map<String, Object> calls = Map.of("resque.form", "ordered-calls");
    refuses(named(Losses.LOGISTIC), true, calls, "must be pool in layout rounds");
    refuses(named(Losses.POISSON), false, calls, "must be pool with loss poisson");
    Map<String, Object> wide = Map.of("resque.form", "ordered-calls", "resque.radius", 0.25);
    refuses(named(Losses.HINGE), false, wide, "rho / r is 4.000, but must be at least 10.00");
    Map<String, Object> few = Map.of("resque.form", "ordered-calls", "block.slots", "100");
    refuses(named(Losses.HINGE), false, few, "n is 100, but must be at least 214");
    refuses(named(Losses.HINGE), false, few, "must be one-pass or pool here");
    Map<String, Object> coins = Map.of("resque.form", "ordered-calls", "resque.rate", 0.5);
    refuses(named(Losses.HINGE), false, coins, "means nothing in ordered-calls");
  }

  @Test
  void refusesOnePassWhereItsGuaranteeDoesNotHold() {
    Map<String, Object> onePass = Map.of("resque.form", "one-pass");
    refuses(named(Losses.LOGISTIC), true, onePass, "must be pool in layout rounds");
    refuses(named(Losses.POISSON), false, onePass, "must be pool with loss poisson");
    refuses(new NamedObjective("softmax(2)", new Softmax(2)), false, onePass, "rests on convexity");
    refuses(
        named(Losses.LOGISTIC),
        false,
        Map.of("resque.form", "one-pass", "resque.rounds", 4L),
        "means nothing in one pass");
  }
}
