package dev.sotto.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of faults fits the code: all of them can still be planted, and their tests are there. */
class PlantedFaultsTest {
  private static final Path HOME = Path.of(System.getProperty("basedir", ".")).resolve("..");

  private static List<PlantedFault> faults() throws IOException {
    return FaultTable.read(HOME);
  }

  @Test
  void everyFaultCanBePlanted() throws IOException {
    assertThat(faults()).hasSizeGreaterThanOrEqualTo(25);
    FaultTable.check(HOME, faults());
    assertThat(faults()).extracting(PlantedFault::name).doesNotHaveDuplicates();
    for (String module : List.of("learner", "serdes", "topology", "replay")) {
      assertThat(faults())
          .extracting(PlantedFault::source)
          .anyMatch(each -> each.startsWith(module));
    }
  }

  @Test
  void everyFaultBreaksAPromiseAndHasATestOfTheShortSuite() throws IOException {
    TestSources sources = TestSources.of(HOME);
    for (PlantedFault each : faults()) {
      assertThat(Anchors.isThere(HOME.resolve("docs"), each.anchor()))
          .as(each.anchor())
          .isTrue();
      assertThat(each.tests()).as(each.name()).isNotEmpty();
      for (String test : each.tests()) {
        assertThat(sources.tier(each.module(), test)).as(test).isEqualTo("unit");
      }
    }
  }

  @Test
  void aFaultWhoseLinesAreNotThereOnceIsRefused() {
    PlantedFault fault = new PlantedFault(
        "less",
        "privacy.md#slots",
        "less",
        "m/X.java",
        "m",
        List.of("XTest"),
        List.of("a();", "b();"),
        List.of("a();"));
    assertThat(fault.plant("{\n  a();\n  b();\n}\n")).isEqualTo("{\na();\n}\n");
    for (String text :
        List.of("a();\n", "a();\nb();\na();\nb();\n", "a();\n\nb();\n", "xa();\nb();\n")) {
      assertThatThrownBy(() -> fault.plant(text))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("fault less: m/X.java must have these lines once");
    }
  }
}
