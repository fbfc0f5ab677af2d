package dev.sotto.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.sotto.learner.mechanism.AnswerNoise;
import dev.sotto.learner.mechanism.CallNoise;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.MomentumTree;
import dev.sotto.learner.mechanism.OrderedNoise;
import dev.sotto.learner.mechanism.PathNoise;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.mechanism.QueryMechanism;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.SampledQueryNoise;
import dev.sotto.learner.mechanism.WindowTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A mechanism is asked what it is like, never which one it is: docs/development/adding.md,
 * "A noise mechanism".
 */
class MechanismSeamTest {
  /** Sources with names in them: a default of the command line, labels of figures, a benchmark. */
  private static final List<String> NAMING = List.of(
      "DemoCommand.java",
      "NoiseChoice.java",
      "Utility.java",
      "Ledgers.java",
      "Releases.java",
      "WideRounds.java");

  private static final JavaClasses OURS = OurClasses.ALL;

  private static final DescribedPredicate<JavaClass> OUTSIDE = DescribedPredicate.describe(
      "are outside of learner.mechanism",
      each -> !each.getPackageName().startsWith(Mechanisms.class.getPackageName()));

  private static final DescribedPredicate<JavaAccess<?>> ASKING_WHICH =
      DescribedPredicate.describe("ask which mechanism it is", MechanismSeamTest::asksWhich);

  private static boolean asksWhich(JavaAccess<?> access) {
    if (!access.getTargetOwner().isEquivalentTo(Mechanisms.class)) {
      return false;
    }
    boolean isConstant =
        Arrays.stream(Mechanisms.values()).anyMatch(each -> each.name().equals(access.getName()));
    return isConstant || access.getName().matches("ordinal|compareTo|equals|valueOf");
  }

  private static ArchRule rule() {
    return noClasses().that(OUTSIDE).should().accessTargetWhere(ASKING_WHICH);
  }

  @Test
  void comparesNoMechanismWithAnother() {
    rule().check(OURS);
  }

  /** The twin: each of these would be found. */
  @Test
  void findsWhoeverAsks() {
    for (Class<?> asking : List.of(AsksByConstant.class, AsksBySwitch.class)) {
      JavaClasses imported = new ClassFileImporter().importClasses(asking);
      assertThatThrownBy(() -> rule().check(imported))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining(asking.getSimpleName());
    }
    assertThat(names("case \"blt\" -> new X();").find()).isTrue();
    assertThat(names("if (name.equals(\"binary-tree\")) {").find()).isTrue();
    assertThat(names("\"FTRL, independent of the rounds\"").find()).isFalse();
  }

  static final class AsksByConstant {
    boolean asks(Mechanisms mechanism) {
      return mechanism == Mechanisms.BLT;
    }
  }

  static final class AsksBySwitch {
    int asks(Mechanisms mechanism) {
      int[] costs = new int[Mechanisms.values().length];
      return costs[mechanism.ordinal()]; // what a switch compiles to
    }
  }

  /**
   * So that {@code instanceof} with one of them compiles nowhere else. Those of an algorithm's own
   * come with it, and cannot be chosen: the algorithm makes them, and the package that adds their
   * noise takes them apart.
   */
  @Test
  void hidesTheClassesOfMechanisms() {
    assertThat(OURS.stream().filter(each -> each.isAssignableTo(Mechanism.class)))
        .hasSizeGreaterThan(Mechanisms.values().length)
        .filteredOn(each -> each.getModifiers().contains(JavaModifier.PUBLIC))
        .extracting(JavaClass::getName)
        .containsExactlyInAnyOrder(
            Mechanism.class.getName(),
            PrefixMechanism.class.getName(),
            QueryMechanism.class.getName(),
            AnswerNoise.class.getName(),
            QueryNoise.class.getName(),
            SampledQueryNoise.class.getName(),
            OrderedNoise.class.getName(),
            PathNoise.class.getName(),
            CallNoise.class.getName(),
            MomentumTree.class.getName(),
            WindowTree.class.getName());
  }

  /** Public classes of mechanisms: what a cast or an {@code instanceof} could name. */
  private static Pattern dispatches() {
    String any = OURS.stream()
        .filter(each -> each.isAssignableTo(Mechanism.class))
        .map(JavaClass::getSimpleName)
        .filter(name -> !name.isEmpty())
        .collect(Collectors.joining("|"));
    return Pattern.compile("\\binstanceof\\s+(final\\s+)?(" + any + ")\\b"
        + "|\\(\\s*(" + any + ")\\s*\\)\\s*[\\w(]"
        + "|\\b(" + any + ")\\.class\\b");
  }

  /** Families and kinds are told apart by the mechanism's own methods alone. */
  @Test
  void castsNoMechanismOutsideOfItsPackage() {
    Pattern dispatches = dispatches();
    assertThat(sources()
            .filter(source -> !source.getParent().endsWith(Path.of("learner", "mechanism")))
            .filter(source -> dispatches.matcher(text(source)).find()))
        .isEmpty();
  }

  /** The twin: each of these would be found. */
  @Test
  void findsCastsOfMechanisms() {
    Pattern dispatches = dispatches();
    for (String found : List.of(
        "if (plan.mechanism() instanceof QueryMechanism own) {",
        "boolean tree = mechanism instanceof MomentumTree;",
        "PathNoise noise = (PathNoise) plan.mechanism();",
        "((AnswerNoise) plan.mechanism()).noise(1)",
        "WindowTree.class.isInstance(mechanism)",
        "WindowTree.class.cast(mechanism)")) {
      assertThat(dispatches.matcher(found).find()).as(found).isTrue();
    }
    for (String clean : List.of(
        "private static int bytes(QueryNoise noise) {",
        "new QueryNoise(schedule)",
        "PathNoise of(PathNoise noise)",
        "if (sum instanceof PathSum path) {")) {
      assertThat(dispatches.matcher(clean).find()).as(clean).isFalse();
    }
  }

  /** A name in a source is what a comparison with it would need. */
  @Test
  void namesNoMechanismInItsSources() {
    assertThat(sources()
            .filter(source -> !NAMING.contains(source.getFileName().toString()))
            .filter(source -> !source.getParent().endsWith(Path.of("learner", "mechanism")))
            .filter(source -> names(text(source)).find()))
        .isEmpty();
    assertThat(sources().filter(source -> names(text(source)).find())).isNotEmpty();
  }

  private static Matcher names(String text) {
    String any = Arrays.stream(Mechanisms.values())
        .map(each -> Pattern.quote(each.configName()))
        .collect(Collectors.joining("|"));
    return Pattern.compile("\"(" + any + ")\"").matcher(text);
  }

  static Stream<Path> sources() {
    Path root = Path.of("..");
    try (Stream<Path> modules = Files.list(root)) {
      return modules
          .map(module -> module.resolve(Path.of("src", "main", "java")))
          .filter(Files::isDirectory)
          .flatMap(MechanismSeamTest::files)
          .filter(file -> file.toString().endsWith(".java"))
          .toList()
          .stream();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static Stream<Path> files(Path folder) {
    try {
      return Files.walk(folder);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
