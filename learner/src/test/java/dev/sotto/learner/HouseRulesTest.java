package dev.sotto.learner;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.sotto.learner.loss.MonotoneSlope;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.memory.SpareArrays;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who may import whom, inside the mathematics. */
class HouseRulesTest {
  static {
    // Rules go by names: what others' classes extend is not asked.
    ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
  }

  private static final JavaClasses OURS = new ClassFileImporter()
      .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
      .importPackages("dev.sotto.learner");

  @Test
  void needsNothingButJavaAndMatrices() {
    classes()
        .that()
        .resideInAPackage("dev.sotto.learner..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("dev.sotto.learner..", "java..", "javax.crypto..", "org.ejml..")
        .check(OURS);
  }

  @Test
  void showsOptimizersNoisyAnswersOnly() {
    noClasses()
        .that()
        .resideInAPackage("..optimizer..")
        .should()
        .dependOnClassesThat()
        .haveNameMatching(
            ".*(ClippedSum|OpenSum|OrderedPath|Example|Slot|ContentDigest|Releaser|NoiseState|NoiseKey|KeyedNoise)")
        .check(OURS);
    classes()
        .that()
        .resideInAPackage("..optimizer..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "..optimizer..",
            "..release..",
            "..mechanism..", // the variance of the noise is public
            "..memory..", // arrays of its own: keepsSpareArraysApart
            "..example..",
            "..loss..",
            "..settings..",
            "..description..", // it holds no data: keepsDescriptionsApart
            "java..")
        .check(OURS);
  }

  /** Descriptions are of public figures: they know neither records nor sums. */
  @Test
  void keepsDescriptionsApart() {
    classes()
        .that()
        .resideInAPackage("..description..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("..description..", "java..")
        .check(OURS);
  }

  @Test
  void keepsTheReleaseRoomClosed() {
    classes()
        .that()
        .resideInAPackage("..release..")
        .should()
        .onlyDependOnClassesThat(JavaClass.Predicates.resideInAnyPackage(
                "..release..",
                "..example..",
                "..participation..",
                "..mechanism..",
                "..memory..",
                "..key..",
                "java..",
                "javax.crypto..")
            // The guarantee of a path rests on slopes that are proved there.
            .or(JavaClass.Predicates.belongToAnyOf(MonotoneSlope.class, Objective.class)))
        .check(OURS);
  }

  /** What is left in a spare array stays with the class that left it: no exact sum goes elsewhere. */
  @Test
  void keepsSpareArraysApart() {
    fields()
        .that()
        .haveRawType(SpareArrays.class)
        .should()
        .bePrivate()
        .andShould()
        .beStatic()
        .andShould()
        .beFinal()
        .check(OURS);
    methods()
        .that()
        .areDeclaredInClassesThat()
        .areNotAssignableTo(SpareArrays.class)
        .should()
        .notHaveRawReturnType(SpareArrays.class)
        .andShould(notTakeSpareArrays())
        .check(OURS);
  }

  private static ArchCondition<JavaMethod> notTakeSpareArrays() {
    return new ArchCondition<>("not take spare arrays") {
      @Override
      public void check(JavaMethod method, ConditionEvents events) {
        boolean takes = method.getRawParameterTypes().stream()
            .anyMatch(each -> each.isEquivalentTo(SpareArrays.class));
        events.add(new SimpleConditionEvent(method, !takes, method.getFullName()));
      }
    };
  }

  /** A declaration, and a body that begins with throwing. */
  private static final Pattern ONLY_THROWS = Pattern.compile(
      "^ +[^\\n;{}=]*[\\w>\\]]\\s+(?!(?:if|for|while|catch|switch|try)\\b)(\\w+)"
          + "\\((?:[^(){};]|\\([^()]*\\))*\\)\\s*(?:throws\\s+[\\w.,\\s]+)?\\{\\s*throw\\b",
      Pattern.MULTILINE);

  private static List<String> onlyThrowing(String source) {
    return ONLY_THROWS.matcher(source).results().map(each -> each.group(1)).toList();
  }

  /** Methods of a folder of sources that only throw. */
  private static List<String> onlyThrowing(Path folder, int leastFiles) throws IOException {
    List<String> found = new ArrayList<>();
    int seen = 0;
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        String source = Files.readString(file);
        seen++;
        onlyThrowing(source).forEach(each -> found.add(file.getFileName() + " " + each));
        if (source.contains("UnsupportedOperationException")) {
          found.add(file.getFileName() + " throws UnsupportedOperationException");
        }
      }
    }
    assertThat(seen).isGreaterThan(leastFiles);
    return found;
  }

  /**
   * No class inherits, and no interface declares by default, what it cannot do: here, and in the
   * plans and the audit of it.
   */
  @Test
  void hasNoMethodThatOnlyThrows() throws IOException {
    assertThat(onlyThrowing(Path.of("src", "main", "java"), 300)).isEmpty();
    assertThat(onlyThrowing(Path.of("..", "evaluation", "src", "main", "java"), 80))
        .isEmpty();
    assertThat(onlyThrowing("  @Override\n  public double tail(Size of) {\n    throw gone();\n  }"))
        .containsExactly("tail"); // the twins
    assertThat(onlyThrowing("  default long next() throws IOException {\n    throw gone();\n  }"))
        .containsExactly("next");
    assertThat(
            onlyThrowing("  int get(int i) {\n    if (i < 0) {\n      throw gone();\n    }\n  }"))
        .isEmpty();
  }

  @Test
  void neverAsksForUnsafeRandomnessOrMachineArithmetic() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveNameMatching("java.util.(Random|SplittableRandom|concurrent.ThreadLocalRandom)")
        .check(OURS);
    noClasses()
        .should()
        .callMethodWhere(com.tngtech.archunit.base.DescribedPredicate.describe(
            "Math.exp, log, pow and the like, whose bits may differ between machines",
            call -> call.getTargetOwner().getName().equals("java.lang.Math")
                && call.getName()
                    .matches("exp|expm1|log|log10|log1p|pow|sin|cos|tan|cbrt|sinh|cosh|tanh|fma")))
        .check(OURS);
  }
}
