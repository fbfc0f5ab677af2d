package dev.sotto.evaluation.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.learner.description.FigureFormat;
import dev.sotto.learner.training.Plan;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PlanForecastViewsTest {
  private static final List<Long> ROUNDS = List.of(1L, 10L, 1000L);

  private static String text(PlanForecast forecast) {
    return TextRenderer.of(PlanDescription.of(forecast));
  }

  private static JsonNode json(PlanForecast forecast) throws JsonProcessingException {
    return new ObjectMapper()
        .readTree(JsonRenderer.of(PlanDescription.of(forecast).rows()));
  }

  @Test
  void givesOneRowForEachMechanismAndNumberOfRounds() throws Exception {
    PlanForecast forecast =
        PlanForecast.of(Configured.scenario(1000, "privacy.horizon.rounds=1000"), ROUNDS);
    JsonNode rows = json(forecast);
    assertThat(rows.isArray()).isTrue();
    assertThat(rows).hasSize(forecast.groups().size() * 4);
    Set<String> seen = new HashSet<>();
    for (JsonNode row : rows) {
      assertThat(seen.add(row.get("mechanism").asText() + row.get("rounds"))).isTrue();
      for (String field :
          List.of("mechanism", "rounds", "mu", "epsilon", "sigma", "prefixErrorStd")) {
        assertThat(row.has(field)).as(field).isTrue();
      }
      assertThat(row.get("kind").asText()).isEqualTo("plan");
      assertThat(row.get("limit").asBoolean()).isEqualTo(row.get("rounds").isNull());
      assertThat(row.get("reason").isNull()).isTrue();
      assertThat(row.get("contributions")).hasSize(7);
    }
  }

  @Test
  void keepsEveryBitAndWritesInfiniteFiguresAsNull() throws Exception {
    PlanForecast forecast = PlanForecast.of(
        Configured.scenario(1000, "privacy.horizon.rounds=1000", "privacy.mechanism=binary-tree"),
        ROUNDS);
    Plan plan = forecast.scenario().plan();
    int own = 0;
    for (JsonNode row : json(forecast)) {
      if (row.get("configured").asBoolean()) {
        own++;
        assertThat(row.get("mechanism").asText()).isEqualTo("binary-tree");
        assertThat(row.get("sigma").doubleValue()).isEqualTo(plan.sigma());
        assertThat(row.get("sameBudget").get("sigma").doubleValue()).isEqualTo(plan.sigma());
        if (row.get("limit").asBoolean()) {
          assertThat(row.get("mu").isNull()).isTrue();
          assertThat(row.get("epsilon").isNull()).isTrue();
          assertThat(row.get("prefixErrorStd").isNull()).isTrue();
          assertThat(row.get("withinBudget").asBoolean()).isFalse();
          assertThat(row.get("madeForThis").get("reason").asText()).contains("no finite noise");
        } else {
          long rounds = row.get("rounds").longValue();
          assertThat(row.get("mu").doubleValue()).isEqualTo(plan.mu(rounds));
          assertThat(row.get("epsilon").doubleValue())
              .isEqualTo(plan.guarantee(rounds).epsilon());
          double std = plan.sigma() * Math.sqrt(Long.bitCount(rounds));
          assertThat(row.get("prefixErrorStd").doubleValue()).isEqualTo(std);
          assertThat(row.get("prefixErrorStdOfMean").doubleValue()).isEqualTo(std / 64);
        }
      }
    }
    assertThat(own).isEqualTo(4);
  }

  private static PlanForecast budgeted() {
    return budgeted("100");
  }

  private static PlanForecast budgeted(String slotsApart) {
    return PlanForecast.of(
        Configured.scenario(
            PlanForecast.LIMIT,
            "privacy.unit=key",
            "unit.from=key",
            "privacy.contribution.rounds=10",
            "privacy.contribution.separation.slots=" + slotsApart),
        ROUNDS);
  }

  @Test
  void tellsHowFarApartTheRoundsOfAUnitAre() {
    assertThat(text(budgeted("none")))
        .contains("admitted to 10 rounds in a row")
        .contains("while its own budget lasts, mu 0.44834; generations: none");
    String apart = text(budgeted("6400"));
    assertThat(apart)
        .contains("admitted to 10 rounds that lie 100 apart")
        .contains(", in rounds at least 100 apart; generations: none");
    assertThat(budgeted("6400").scenario().plan().sigma())
        .isLessThan(0.8 * budgeted("none").scenario().plan().sigma());
  }

  @Test
  void givesAMechanismThatCannotServeOneRowWithTheReason() throws Exception {
    int refused = 0;
    for (JsonNode row : json(budgeted())) {
      if (row.get("mechanism").asText().equals("binary-tree")) {
        refused++;
        assertThat(row.get("reason").asText()).contains("own book");
        assertThat(row.get("rounds").isNull()).isTrue();
        assertThat(row.get("limit").asBoolean()).isFalse();
        assertThat(row.get("mu").isNull()).isTrue();
        assertThat(row.get("epsilon").isNull()).isTrue();
        assertThat(row.get("prefixErrorStd").isNull()).isTrue();
      } else if (row.get("limit").asBoolean()) {
        assertThat(row.get("returners")).hasSize(3);
      }
    }
    assertThat(refused).isEqualTo(1);
  }

  @Test
  void tellsReasonsAndReturnersToPeople() {
    PlanForecast forecast = budgeted();
    String text = text(forecast);
    assertThat(text)
        .containsPattern("binary-tree +a budget per unit needs a mechanism whose cost")
        .contains("admitted to 10 rounds that lie 2 apart")
        .contains("while its own budget lasts, mu 0.44834, in rounds at least 2 apart")
        .containsPattern("100 rounds +1000 +\\d+")
        .doesNotContainPattern("NaN|null(?! slots)|Optional");
    long refused =
        forecast.groups().stream().filter(each -> each.rows().value().isEmpty()).count();
    // Each is told once.
    assertThat(text.split("a budget per unit needs", -1)).hasSize((int) refused + 1);
  }

  @Test
  void bracketsTheBestOfEachColumn() {
    String text =
        text(PlanForecast.of(Configured.scenario(1000, "privacy.horizon.rounds=1000"), ROUNDS));
    assertThat(text)
        .startsWith("logistic, private-ftrl, 21 weights, batches of 64, clip 0.75")
        .contains("blt *")
        .doesNotContain("Returning units");
    String grid = text.substring(text.indexOf("The same cost: "), text.indexOf("The fair"));
    Matcher brackets = Pattern.compile("\\[\\d").matcher(grid);
    int found = 0;
    while (brackets.find()) {
      found++;
    }
    assertThat(found).isEqualTo(3); // one for each number of rounds
  }

  @Test
  void roundsUpAndWritesLargeNumbersOut() {
    assertThat(FigureFormat.number(1.000001)).isEqualTo("1.0001");
    assertThat(FigureFormat.number(1000)).isEqualTo("1000");
    assertThat(FigureFormat.number(120)).isEqualTo("120");
    assertThat(FigureFormat.number(123456.7)).isEqualTo("123460");
    assertThat(FigureFormat.number(Double.POSITIVE_INFINITY)).isEqualTo("inf");
  }
}
