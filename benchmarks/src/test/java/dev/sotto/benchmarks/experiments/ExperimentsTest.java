package dev.sotto.benchmarks.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sotto.benchmarks.table.ResultTable;
import java.nio.file.Path;
import java.util.List;
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
    Recipe few = Recipe.publicly(ExperimentMethod.FTRL, 10, 1);
    Recipe many = Recipe.publicly(ExperimentMethod.FTRL, 100, 1);
    RecipeGrid.Result low = new RecipeGrid.Result(few, List.of(new double[] {1}, new double[] {3}));
    RecipeGrid.Result high =
        new RecipeGrid.Result(many, List.of(new double[] {4}, new double[] {2}));
    assertThat(RecipeGrid.best(List.of(high, low), 0, each -> true)).isSameAs(low);
    assertThat(RecipeGrid.best(List.of(high, low), 0, each -> each.rounds() == 100))
        .isSameAs(high);
    assertThat(high.mean(0)).isEqualTo(3);
    assertThat(high.min(0)).isEqualTo(2);
    assertThat(high.max(0)).isEqualTo(4);
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
