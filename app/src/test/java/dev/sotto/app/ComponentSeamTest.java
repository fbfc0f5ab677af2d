package dev.sotto.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.AnswerNoise;
import dev.sotto.learner.mechanism.CallNoise;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.OrderedNoise;
import dev.sotto.learner.mechanism.QueryMechanism;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.BlockAlgorithm;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Plan, volume, audit, preflight, run --check and the page know what a component says of itself, and
 * never which one it is: docs/development/adding.md, "A form of a block algorithm".
 */
class ComponentSeamTest {
  private static final List<Class<?>> COMPONENTS = List.of(
      Mechanism.class, Optimizer.class, BlockAlgorithm.class, StepSize.class, Objective.class);

  /** Whether it is one of several implementations that the learner has of a component. */
  private static boolean isOneOfSeveral(JavaClass named) {
    return named.getPackageName().startsWith("dev.sotto.learner")
        && !named.isInterface()
        && !named.getModifiers().contains(JavaModifier.ABSTRACT)
        && COMPONENTS.stream().anyMatch(named::isAssignableTo);
  }

  private static boolean isARule(JavaClass named) {
    return named.isAssignableTo(Participation.class) && !named.isInterface();
  }

  /** What a class names and must not; a rule of participation may be made, but not asked for. */
  private static Stream<String> names(JavaClass each) {
    Stream<String> dependencies = each.getDirectDependenciesFromSelf().stream()
        .map(Dependency::getTargetClass)
        .filter(ComponentSeamTest::isOneOfSeveral)
        .map(JavaClass::getSimpleName);
    return Stream.concat(dependencies, asksForRules(each))
        .map(name -> each.getSimpleName() + " names " + name);
  }

  private static Stream<String> asksForRules(JavaClass each) {
    return each.getInstanceofChecks().stream()
        .map(check -> check.getRawType())
        .filter(ComponentSeamTest::isARule)
        .map(JavaClass::getSimpleName);
  }

  @Test
  void namesNoFormOfAComponent() {
    assertThat(OurClasses.ALL.stream()
            .filter(each -> each.getPackageName().matches("dev\\.sotto\\.(app|evaluation)\\b.*"))
            .flatMap(ComponentSeamTest::names))
        .isEmpty();
  }

  /** A configuration makes rules of participation, and asks none which one it is. */
  @Test
  void asksForNoRuleInAConfiguration() {
    assertThat(OurClasses.ALL.stream()
            .filter(each -> each.getPackageName().startsWith("dev.sotto.config"))
            .flatMap(each -> asksForRules(each).map(rule -> each.getSimpleName() + " " + rule)))
        .isEmpty();
  }

  /**
   * What only some mechanisms have, and who asks for it: classes that are for these mechanisms
   * alone, the audit's definitions of what they claim, and what is counted in one of two costs.
   */
  private static final Map<String, List<String>> OF_SOME = Map.of(
      "hasPaths",
      List.of(),
      "ordered",
      List.of(),
      "isSecret",
      List.of("BlockClaims"),
      "paths",
      List.of("CanaryAmount", "PathInfluence", "PathPairs", "RedrawnNoise"),
      "isPure",
      List.of("ForecastBuilder", "GuaranteeDescription", "NoiseDistribution", "SlotComparison"));

  /** Methods of a plan, a mechanism or its queries. */
  private static boolean isAskedOfAMechanism(JavaAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    return owner.isAssignableTo(Mechanism.class)
        || owner.isEquivalentTo(Plan.class)
        || owner.isEquivalentTo(QuerySchedule.Sampling.class);
  }

  private static Stream<String> asksForSome(JavaClass each) {
    return each.getAccessesFromSelf().stream()
        .filter(ComponentSeamTest::isAskedOfAMechanism)
        .filter(access -> OF_SOME.containsKey(access.getName())
            && !OF_SOME.get(access.getName()).contains(each.getSimpleName()))
        .map(access -> each.getSimpleName() + " asks " + access.getName());
  }

  /** What plan and audit need is a method of every mechanism, such as {@code auditTerms()}. */
  @Test
  void asksNoMechanismForWhatOnlySomeHave() {
    assertThat(OurClasses.ALL.stream()
            .filter(each -> each.getPackageName().matches("dev\\.sotto\\.(app|evaluation)\\b.*"))
            .flatMap(ComponentSeamTest::asksForSome))
        .isEmpty();
    for (Class<?> asking : List.of(Paths.class, PureByName.class, Coins.class)) { // the twins
      JavaClass imported = new ClassFileImporter()
          .importClasses(asking, Mechanism.class, QueryMechanism.class)
          .get(asking);
      assertThat(asksForSome(imported)).as(asking.getSimpleName()).isNotEmpty();
    }
  }

  static final class Paths {
    boolean has(Plan plan) {
      return plan.paths().isPresent();
    }
  }

  static final class PureByName {
    Predicate<Mechanism> pure() {
      return Mechanism::isPure;
    }
  }

  static final class Coins {
    boolean has(Plan plan) {
      return plan.block().sampling().isSecret();
    }
  }

  /** The twin: each of these would be found. */
  @Test
  void findsWhoeverNamesOne() {
    for (Class<?> naming : List.of(Calls.class, Rules.class)) {
      JavaClass imported = new ClassFileImporter()
          .importClasses( // with what they are forms of
              naming,
              CallNoise.class,
              OrderedNoise.class,
              AnswerNoise.class,
              QueryMechanism.class,
              Mechanism.class,
              Participation.class,
              Participation.Once.class)
          .get(naming);
      assertThat(names(imported)).as(naming.getSimpleName()).isNotEmpty();
    }
  }

  static final class Calls {
    double step(CallNoise noise) {
      return noise.step(1);
    }
  }

  static final class Rules {
    boolean once(Participation rule) {
      return rule instanceof Participation.Once;
    }
  }
}
