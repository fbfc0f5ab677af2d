package dev.sotto.benchmarks.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.sotto.benchmarks.table.ResultTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentsTest {
  @TempDir
  Path folder;

  @Test
  void drawsWithoutADisplay() throws Exception {
    System.setProperty("java.awt.headless", "true");
    Path file = folder.resolve("chart.png");
    new Chart("title", "x", true, "y", true)
        .line("line", new double[] {1, 10}, new double[] {2, 1}, new double[] {1, 1}, new double[] {
          3, 1
        })
        .level("level", 1, 10, 1.5)
        .save(file);
    assertThat(ImageIO.read(file.toFile()).getWidth()).isEqualTo(1100);
  }

  @Test
  void writesTheSameFiguresForPeopleAndForPrograms() {
    ResultTable table = new ResultTable("name", "risk");
    table.add("one", 0.00012345678);
    table.add("two", Double.POSITIVE_INFINITY);
    assertThat(table.markdown())
        .isEqualTo("| name | risk |\n| --- | --- |\n| one | 1.2e-04 |\n| two | none |\n");
    assertThat(table.csv()).isEqualTo("name,risk\none,0.000123457\ntwo,Infinity\n");
    assertThat(table.objects().get(0)).containsEntry("risk", 0.00012345678);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> table.add("three"))
        .withMessage("a row must have 2 cells, but had 1");
  }

  @Test
  void choosesTheLeastMeanAmongThoseAskedFor() {
    Measured<String> low = new Measured<>("few", List.of(new double[] {1}, new double[] {3}));
    Measured<String> high = new Measured<>("many", List.of(new double[] {4}, new double[] {2}));
    assertThat(Measured.best(List.of(high, low), 0)).isSameAs(low);
    assertThat(Measured.best(List.of(high, low), 0, "many"::equals)).isSameAs(high);
    assertThat(Measured.bests(List.of(high, low), 0, String::length)).containsExactly(low, high);
    assertThat(Measured.bests(List.of(high, low), 0, each -> 0)).containsExactly(low);
    assertThat(high.mean(0)).isEqualTo(3);
    assertThat(high.min(0)).isEqualTo(2);
    assertThat(high.max(0)).isEqualTo(4);
    assertThat(high.error(0)).isEqualTo(1); // sqrt(2 / 1 / 2)
  }

  @Test
  void runsEveryCaseInEveryRepetitionInOrder() {
    Trials trials = new Trials("test", true, null);
    List<Measured<Integer>> all =
        trials.run("cases", List.of(10, 20, 30), 3, (each, r) -> new double[] {each + r});
    List<Measured<Integer>> inTurn = trials.inTurn(
        "cases", List.of(10, 20, 30), 3, made -> (each, r) -> new double[] {each + made, r});
    for (int i = 0; i < 3; i++) {
      assertThat(all.get(i).of()).isEqualTo(10 * (i + 1));
      assertThat(all.get(i).runs().stream().map(each -> each[0]))
          .containsExactly(10.0 * (i + 1), 10.0 * (i + 1) + 1, 10.0 * (i + 1) + 2);
      assertThat(inTurn.get(i).runs().stream().map(each -> each[0]))
          .containsExactly(10.0 * (i + 1), 10.0 * (i + 1) + 1, 10.0 * (i + 1) + 2);
      assertThat(inTurn.get(i).runs().stream().map(each -> each[1])).containsExactly(0.0, 1.0, 2.0);
    }
    assertThat(trials.choose("all", "little")).isEqualTo("little");
    assertThat(trials.hasData()).isFalse();
    assertThatIllegalStateException().isThrownBy(trials::data).withMessageContaining("shared/data");
  }

  @Test
  void hasAColumnForEachThatIsNamed() {
    ResultTable table = new Columns<Measured<String>>()
        .add("name", Measured::of)
        .range("risk", each -> each, 0)
        .of(List.of(new Measured<>("one", List.of(new double[] {1}, new double[] {3}))));
    assertThat(table.csv()).isEqualTo("name,risk,least,largest\none,2.00000,1.00000,3.00000\n");
  }

  /** Every experiment has a page or a section there, and says so on the command line. */
  @Test
  void everyExperimentIsInTheManual() throws IOException {
    Path folder = ExperimentFolders.project().resolve("docs/experiments");
    StringBuilder pages = new StringBuilder();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path page : files.filter(each -> each.toString().endsWith(".md")).toList()) {
        pages.append(Files.readString(page));
      }
    }
    assertThat(Experiments.names()).doesNotHaveDuplicates().isNotEmpty();
    for (String name : Experiments.names()) {
      assertThat(Experiments.list()).contains(name + " ");
      assertThat(pages)
          .contains(name.equals("defaults") ? "benchmarks/run quality" : "experiments " + name);
    }
  }

  @Test
  void promisesWhatTheRecipeSays() {
    Recipe recipe = new Recipe(ExperimentMethod.ACCELERATED, NoiseChoice.BLT, 0.2, 10, 0.01);
    assertThat(recipe.plan(1000, 5, 8).mu(10)).isBetween(0.2 * (1 - 1e-6), 0.2);
    assertThat(recipe.plan(1000, 5, 8).allows(11)).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Recipe(ExperimentMethod.FTRL, NoiseChoice.NONE, 1, 10, 1))
        .withMessageContaining("mu must be infinite just where there is no noise, but was 1.0");
  }
}
