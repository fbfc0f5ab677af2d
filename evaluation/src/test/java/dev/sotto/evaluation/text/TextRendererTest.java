package dev.sotto.evaluation.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.description.Column;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.description.Table;
import org.junit.jupiter.api.Test;

class TextRendererTest {
  private static Section section() {
    return Section.untitled()
        .sentence("one two three four five six seven")
        .detail(Section.titled("More").fact("size", 3, "size 3"))
        .detail(Section.untitled());
  }

  @Test
  void saysThatThereIsMoreWhereDetailsAreLeftOut() {
    assertThat(TextRenderer.of(section(), 80, false).lines())
        .containsExactly("one two three four five six seven", TextRenderer.MORE);
    assertThat(TextRenderer.of(Section.untitled().add(section()), 80, false))
        .endsWith(TextRenderer.MORE + System.lineSeparator());
  }

  @Test
  void printsDetailsAfterABlankLineWhereAllIsAskedFor() {
    assertThat(TextRenderer.of(section(), 80, true).lines())
        .containsExactly("one two three four five six seven", "", "More", "size 3");
    assertThat(TextRenderer.of(section())).isEqualTo(TextRenderer.of(section(), 80, true));
  }

  @Test
  void saysNothingOfDetailsThatAreEmpty() {
    assertThat(TextRenderer.of(Section.untitled().lines("a").detail(Section.untitled()), 80, false))
        .isEqualTo("a" + System.lineSeparator());
  }

  @Test
  void breaksSentencesAtTheWidthOfTheTerminal() {
    assertThat(TextRenderer.of(section(), 15, true).lines().limit(3))
        .containsExactly("one two three", "four five six", "seven");
  }

  @Test
  void givesProgramsAllDetails() {
    assertThat(JsonRenderer.of(section())).isEqualTo("{\"size\":3}");
  }

  @Test
  void separatesThousandsOfRounds() {
    Table table = Table.forPeople(Column.text("a", "a"), Column.rounds("rounds", "rounds"));
    table.row(Section.untitled().fact("a", "x").fact("rounds", 1_000_000L));
    table.row(Section.untitled().fact("a", "y").fact("rounds", null));
    assertThat(TextRenderer.of(table)).contains("1,000,000", "limit");
  }
}
