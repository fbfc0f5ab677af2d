package dev.sotto.evaluation.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.training.Plan;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class UnitContributionTest {
  private static final OptionalLong UNKNOWN = OptionalLong.empty();

  private static Plan units(String... settings) {
    String[] all = new String[settings.length + 2];
    all[0] = "privacy.unit=key";
    all[1] = "unit.from=key";
    System.arraycopy(settings, 0, all, 2, settings.length);
    return Configured.plan(all);
  }

  private static Object[] admitted(Section section) {
    return section.rows().stream()
        .map(each -> each.value("admitted").orElseThrow())
        .toArray();
  }

  /** Ten thousand units that come in turn lie 157 rounds apart, which costs less than in a row. */
  @Test
  void countsWhatOneUnitMayGive() {
    Section often =
        UnitContribution.of(units("privacy.contribution.separation.slots=none"), UNKNOWN, 64);
    assertThat(admitted(often)).containsExactly(3L, 3L, 3L, 3L, 3L);
    Section seldom = UnitContribution.of(units(), OptionalLong.of(100), 10_000);
    assertThat(admitted(seldom)).hasSize(1);
    assertThat((long) admitted(seldom)[0]).isBetween(3L, 10L);
    assertThat(seldom.rows().get(0).value("records")).contains(100L);
  }

  @Test
  void saysItInShortBeforeAnythingIsStarted() {
    String text = TextRenderer.of(UnitContribution.inShort(units(), UNKNOWN));
    assertThat(text).contains("3 of 10 (30 %)").contains("3 of 1,000 (0.3 %)");
    assertThat(TextRenderer.of(UnitContribution.inShort(units(), OptionalLong.of(2))))
        .contains("2 of 2 (100 %)");
  }

  private static long needed(Plan plan) {
    String text = TextRenderer.of(UnitContribution.inShort(plan, UNKNOWN));
    Matcher number = Pattern.compile("all that ([0-9,]+) (unit|record)s? can").matcher(text);
    assertThat(number.find()).as(text).isTrue();
    return Long.parseLong(number.group(1).replace(",", ""));
  }

  /** Half the epsilon is about twice the noise, and takes twice as many units. */
  @Test
  void tellsHowManyUnitsTheNoiseOutweighs() {
    double at1 = needed(units("privacy.epsilon=1"));
    double at2 = needed(units("privacy.epsilon=2"));
    assertThat(at1 / at2).isBetween(1.7, 2.3);
    assertThat(needed(Configured.plan("privacy.horizon.rounds=endless"))).isPositive();
    assertThat(UnitContribution.of(Configured.plan(), UNKNOWN, 0).rows()).isEqualTo(List.of());
  }
}
