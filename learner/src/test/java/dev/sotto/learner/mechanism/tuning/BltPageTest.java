package dev.sotto.learner.mechanism.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.mechanism.BltParameterSets;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BltPageTest {
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", "."), "../docs/development/figures.md");
  private static final String BEGIN = "<!-- computed: begin -->\n";
  private static final String END = "<!-- computed: end -->\n";

  /** Run with -Dsotto.docs.update=true to write the tables anew. */
  @Test
  void equalsTheTablesInTheDocs() throws IOException {
    String page = Files.readString(PAGE);
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    int end = page.indexOf(END);
    assertThat(page.indexOf(BEGIN)).isPositive();
    assertThat(end).isGreaterThanOrEqualTo(begin);
    if (Boolean.getBoolean("sotto.docs.update")) {
      page = page.substring(0, begin) + BltPage.tables() + page.substring(end);
      Files.writeString(PAGE, page);
      end = page.indexOf(END);
    }
    assertThat(page.substring(begin, end))
        .as("the tables of docs/development/figures.md; -Dsotto.docs.update=true writes them anew")
        .isEqualTo(BltPage.tables());
  }

  @Test
  void namesEverySet() {
    for (BltParameterSets set : BltParameterSets.values()) {
      assertThat(BltPage.tables()).contains("| `" + set.configName() + "` |");
    }
  }

  /** What the page says of horizon sets at shorter horizons. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = "HORIZON.*")
  void servesAnyShorterHorizonAsWell(BltParameterSets set) {
    PrefixMechanism blt = Mechanisms.blt(set.parameters());
    for (long n = 16; n <= set.horizon(); n += 1 + n / 10) {
      double error = blt.sensitivity(n) * Math.sqrt(blt.prefixVariance(n));
      assertThat(error).isLessThan(1.02 * SquareRoot.error(n));
    }
  }

  /**
   * What it says of trees: beaten by the default set from 3 rounds on, each tree made for just that
   * length.
   */
  @Test
  void beatsATreeOfAnyLengthFromThreeRoundsOn() {
    PrefixMechanism blt = Mechanisms.BLT.make();
    for (long t = 1; t <= 1L << 30; t += 1 + t / 30) {
      double error = blt.sensitivityLimit() * Math.sqrt(blt.prefixVariance(t));
      assertThat(error < BltPage.tree(t)).isEqualTo(t >= 3);
    }
  }
}
