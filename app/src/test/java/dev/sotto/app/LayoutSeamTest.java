package dev.sotto.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.sotto.app.demo.Demo;
import dev.sotto.topology.layout.LayoutTopology;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LayoutChoice;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A layout is asked what it is like, never which one it is: docs/development/adding.md, "A layout".
 * The one place that asks maps a layout to its topics and processors.
 */
class LayoutSeamTest {
  private static final Set<String> REGISTRY =
      Set.of(Layout.class.getName(), LayoutTopology.class.getName());

  /** Chooses one, as a configuration does. */
  private static final String CHOOSING = Demo.class.getName();

  private static final DescribedPredicate<JavaClass> OUTSIDE = DescribedPredicate.describe(
      "are not the registry of layouts",
      each -> !REGISTRY.contains(each.getName().replaceAll("\\$.*", "")));

  private static final DescribedPredicate<JavaAccess<?>> ASKING_WHICH =
      DescribedPredicate.describe("ask which layout it is", LayoutSeamTest::asksWhich);

  private static boolean asksWhich(JavaAccess<?> access) {
    if (!access.getTargetOwner().isEquivalentTo(Layout.class)) {
      return false;
    }
    boolean isConstant =
        Arrays.stream(Layout.values()).anyMatch(each -> each.name().equals(access.getName()));
    boolean chosen = access.getOriginOwner().getName().equals(CHOOSING);
    return isConstant && !chosen
        || access.getName().matches("ordinal|compareTo|equals|valueOf|name|toString");
  }

  private static ArchRule rule() {
    return noClasses().that(OUTSIDE).should().accessTargetWhere(ASKING_WHICH);
  }

  @Test
  void comparesNoLayoutWithAnother() {
    rule().check(OurClasses.ALL);
  }

  /** The twin: each of these would be found. */
  @Test
  void findsWhoeverAsks() {
    for (Class<?> asking : List.of(AsksByConstant.class, AsksBySwitch.class, AsksByName.class)) {
      var imported = new ClassFileImporter().importClasses(asking);
      assertThatThrownBy(() -> rule().check(imported))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining(asking.getSimpleName());
    }
  }

  static final class AsksByConstant {
    boolean asks(Layout layout) {
      return layout == Layout.DIRECT;
    }
  }

  static final class AsksBySwitch {
    int asks(Layout layout) {
      int[] costs = new int[Layout.values().length];
      return costs[layout.ordinal()]; // what a switch compiles to
    }
  }

  static final class AsksByName {
    boolean asks(Layout layout) {
      return layout.name().equals("ROUNDS");
    }
  }

  /** Nor what was configured: all choices but auto are those of layouts. */
  @Test
  void namesNoChoiceButAuto() {
    assertThat(Arrays.stream(LayoutChoice.class.getDeclaredFields())
            .filter(field -> field.getType() == LayoutChoice.class))
        .extracting(field -> field.getName())
        .containsExactly("AUTO");
  }

  /** Comparisons with a name in a source, benchmarks included, and with a constant there. */
  private static Pattern comparisons() {
    String names =
        Arrays.stream(Layout.values()).map(Layout::configName).collect(Collectors.joining("|"));
    String constants =
        Arrays.stream(Layout.values()).map(Enum::name).collect(Collectors.joining("|"));
    return Pattern.compile("[lL]ayout(\\(\\))?\\.equals\\(|\"(" + names + ")\"\\.equals\\("
        + "|configName\\(\\)\\s*\\.equals\\(\"(" + names + ")\""
        + "|\\bcase (" + constants + ")\\b|[!=]=\\s*Layout\\.(" + constants + ")\\b"
        + "|\\bLayout\\.(" + constants + ")\\s*[!=]=");
  }

  @Test
  void comparesNoLayoutInItsSources() {
    Pattern comparisons = comparisons();
    assertThat(MechanismSeamTest.sources()
            .filter(source -> !source.endsWith(Path.of("layout", "LayoutTopology.java")))
            .filter(
                source -> comparisons.matcher(MechanismSeamTest.text(source)).find()))
        .isEmpty();
    assertThat(MechanismSeamTest.sources()
            .filter(
                source -> comparisons.matcher(MechanismSeamTest.text(source)).find()))
        .isNotEmpty();
    for (String found : List.of(
        "settings.layout() != Layout.ROUNDS",
        "case DIRECT -> 1;",
        "if (\"ordered\".equals(name))",
        "layout.configName().equals(\"direct\")",
        "settings.layout().equals(other)")) {
      assertThat(comparisons.matcher(found).find()).as(found).isTrue();
    }
    assertThat(comparisons.matcher("Layout.DIRECT, // one partition").find()).isFalse();
  }
}
