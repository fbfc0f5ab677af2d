package dev.sotto.evaluation.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.evaluation.plan.QueryForecast.GivenSettings;
import dev.sotto.evaluation.plan.QueryForecast.Part;
import dev.sotto.evaluation.plan.QueryForecast.Pool;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.learner.accounting.GaussianDp;
import dev.sotto.learner.mechanism.AnswerNoise;
import dev.sotto.learner.mechanism.MomentumTree;
import dev.sotto.learner.mechanism.PathNoise;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.training.Plan;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class QueryForecastTest {
  private static final List<Long> ROUNDS = List.of(1L, 10L);
  private static final GivenSettings CHOSEN = new GivenSettings(512, false, true);

  private static QueryForecast forecast(GivenSettings given, String... settings) {
    PlanScenario scenario = new PlanScenario(Configured.blocks(settings), PlanForecast.LIMIT, 0);
    return QueryForecast.of(scenario, given, ROUNDS);
  }

  private static QueryForecast localized() {
    return forecast(CHOSEN, "algorithm=localized-erm", "block.slots=512", "heavy.diameter=20");
  }

  private static QueryForecast onePass() {
    return forecast(CHOSEN, "algorithm=clipped-ac-sa", "block.slots=512", "heavy.diameter=20");
  }

  private static QueryForecast pooled(double rate) {
    return forecast(
        CHOSEN,
        "algorithm=resque",
        "block.slots=512",
        "resque.rounds=3",
        "resque.points=16",
        "resque.rate=" + rate);
  }

  private static QueryForecast called() {
    return forecast(
        new GivenSettings(4096, false, true),
        "algorithm=resque",
        "resque.form=ordered-calls",
        "block.slots=4096",
        "resque.rounds=8");
  }

  /** Every slot is in one path, and delta pays for what the paths' bounds leave out. */
  @Test
  void statesWhatFailuresTake() {
    QueryForecast forecast = called();
    Plan plan = forecast.scenario().plan();
    long slots = 0;
    for (Part part : forecast.parts()) {
      assertThat(part.range().first()).isEqualTo(slots);
      slots += part.range().slots();
    }
    assertThat(slots).isEqualTo(plan.batch()).isLessThanOrEqualTo(4096);
    PrivacyCost cost = forecast.rounds().get(0).cost();
    assertThat(cost.allowed()).isTrue();
    double without = GaussianDp.epsilon(cost.mu(), cost.delta());
    assertThat(cost.epsilon()).isGreaterThan(without).isLessThan(1.01 * without);
    double failure = plan.mechanism().failure();
    assertThat((1 + Math.exp(cost.epsilon())) * failure)
        .isCloseTo(0.01 * cost.delta(), within(1e-4 * cost.delta()));
  }

  /** Writes the file anew with {@code -Dgolden.update=true}. */
  private static void requireSame(String name, String shown) throws IOException {
    Path file = Path.of(System.getProperty("basedir", "."), "src/test/resources/plan", name);
    String lines = shown.replace(System.lineSeparator(), "\n");
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(file, lines);
    }
    assertThat(lines).isEqualTo(Files.readString(file));
  }

  @Test
  void keepsItsTextAndItsJson() throws IOException {
    requireSame("localized-erm.txt", text(localized()));
    requireSame("clipped-ac-sa.txt", text(onePass()));
    requireSame("resque.txt", text(pooled(1)));
    requireSame("resque-sampled.txt", text(pooled(0.25)));
    requireSame("resque-calls.txt", text(called()));
    Path file =
        Path.of(System.getProperty("basedir", "."), "src/test/resources/plan", "queries.jsonl");
    List<QueryForecast> now = List.of(localized(), onePass(), pooled(1), pooled(0.25));
    if (Boolean.getBoolean("golden.update")) {
      List<String> lines = new ArrayList<>();
      for (QueryForecast each : now) {
        lines.add(rounded(json(each)));
      }
      Files.write(file, lines);
    }
    List<String> kept = Files.readAllLines(file);
    assertThat(kept).hasSameSizeAs(now);
    for (int i = 0; i < kept.size(); i++) { // in whatever order fields stand
      ObjectMapper mapper = new ObjectMapper();
      assertThat(mapper.readTree(rounded(json(now.get(i)))))
          .isEqualTo(mapper.readTree(kept.get(i)));
    }
  }

  private static String text(QueryForecast forecast) {
    return TextRenderer.of(QueryDescription.of(forecast));
  }

  private static JsonNode json(QueryForecast forecast) throws IOException {
    return new ObjectMapper().readTree(JsonRenderer.of(List.of(QueryDescription.of(forecast))));
  }

  /** To six digits: the last ones of a double are written in more than one way. */
  private static String rounded(JsonNode rows) {
    Matcher numbers = Pattern.compile("-?\\d+\\.\\d+(E-?\\d+)?").matcher(rows.toString());
    return numbers.replaceAll(each -> new BigDecimal(each.group())
        .round(new MathContext(6))
        .stripTrailingZeros()
        .toPlainString());
  }

  /** The noise of every query, one by one, beside that of its part. */
  @Test
  void givesEachPartTheNoiseOfItsQueries() {
    QueryForecast forecast = localized();
    Plan plan = forecast.scenario().plan();
    QuerySchedule schedule = plan.block();
    QueryNoise noise = (QueryNoise) plan.mechanism();
    long[] seen = new long[forecast.parts().size()];
    for (long number = 1; number <= schedule.queries(); number++) {
      QuerySchedule.Query query = schedule.query(number);
      Part part = forecast.parts().get(query.segment());
      double scale = plan.optimizer().scale(number);
      assertThat(part.noise().sumStd()).isEqualTo(plan.sigma() * noise.noise(number));
      assertThat(part.noise().meanStd())
          .isCloseTo(
              part.noise().sumStd() / query.slots() / scale,
              within(1e-12 * part.noise().meanStd()));
      assertThat(part.clip()).isEqualTo(plan.clip() / scale);
      seen[query.segment()]++;
    }
    for (int i = 0; i < seen.length; i++) {
      assertThat(forecast.parts().get(i).queries()).isEqualTo(seen[i]);
    }
  }

  /** Counted query by query and point by point, beside the forecast. */
  @Test
  void countsPointsAndRateOfPools() {
    for (double rate : new double[] {1, 0.25}) {
      QueryForecast forecast = pooled(rate);
      Plan plan = forecast.scenario().plan();
      QuerySchedule schedule = plan.block();
      int points = plan.optimizer().points(1, new double[plan.dimension()]).length;
      double gradients = 0;
      long answered = 0;
      for (long number = 1; number <= schedule.queries(); number++) {
        Part part = forecast.parts().get(schedule.query(number).segment());
        assertThat(part.answers()).isEqualTo(schedule.answers(number));
        if (part.answers()) {
          double std = plan.sigma() * ((AnswerNoise) plan.mechanism()).noise(number);
          assertThat(part.noise().sumStd()).isEqualTo(std);
          assertThat(part.noise().meanStd()).isCloseTo(std / (rate * 512), within(1e-12 * std));
          assertThat(part.gradients()).isEqualTo(points * rate);
          gradients += 512 * points * rate;
          answered++;
        } else {
          assertThat(part.gradients()).isZero();
        }
      }
      Pool pool = forecast.work().pool();
      assertThat(pool.rounds()).isEqualTo(answered).isEqualTo(3);
      assertThat(pool.touches()).isEqualTo(3 * points * rate);
      assertThat(pool.up()).isEqualTo(points * pool.down()).isEqualTo(8L * 16 * plan.dimension());
      assertThat(forecast.memory().sums()).isEqualTo(pool.up());
      assertThat(forecast.reading().gradients()).isEqualTo(gradients);
      assertThat(schedule.queries()).isEqualTo(rate < 1 ? 4 : 3);
    }
  }

  /** The noise of an average is not divided by its slots. */
  @Test
  void saysWhatThePhasesOfAPathBear() {
    QueryForecast forecast = forecast(CHOSEN, "algorithm=resque", "block.slots=512");
    Plan plan = forecast.scenario().plan();
    PathNoise noise = (PathNoise) plan.mechanism();
    assertThat(forecast.parts()).hasSize(3); // 256 and the 64 that are left over, 128, 64
    for (int i = 0; i < forecast.parts().size(); i++) {
      double std = plan.sigma() * noise.noise(i + 1);
      assertThat(forecast.parts().get(i).noise().meanStd()).isEqualTo(std);
      assertThat(std)
          .isGreaterThan(
              noise.step(i + 1) * plan.sensitivity() / forecast.unit().mu());
    }
    assertThat(text(forecast))
        .contains("Form one-pass: ", "rests on more than clipping")
        .doesNotContain("tree");
  }

  /** Without sampling mu is that of a Gaussian mechanism, and far above what epsilon says. */
  @Test
  void saysWhatMuMeansWhereSlotsAreSampled() {
    QueryForecast sampled = pooled(0.25);
    PrivacyCost cost = sampled.rounds().get(0).cost();
    Plan plan = sampled.scenario().plan();
    double unsampled =
        plan.sensitivity() * Math.sqrt(3 * 16) / sampled.parts().get(1).noise().sumStd();
    assertThat(cost.mu()).isCloseTo(unsampled, within(1e-9 * unsampled));
    assertThat(sampled.unit().mu()).isCloseTo(cost.mu(), within(1e-9 * cost.mu()));
    assertThat(GaussianDp.epsilon(cost.mu(), cost.delta())).isGreaterThan(2 * cost.epsilon());
    assertThat(text(sampled)).contains("without counting on sampling");
    assertThat(text(pooled(1))).doesNotContain("without counting on sampling");
  }

  /** The cost of the worst slot, summed over the queries that read it, is what the plan states. */
  @Test
  void statesNoiseThatCostsWhatItStates() {
    for (QueryForecast forecast : List.of(localized(), onePass())) {
      double sensitivity = forecast.scenario().plan().sensitivity();
      double worst = 0;
      for (Part part : forecast.parts()) {
        worst =
            Math.max(worst, part.passes() * Math.pow(sensitivity / part.noise().sumStd(), 2));
      }
      double mu = forecast.rounds().get(0).cost().mu();
      assertThat(Math.sqrt(worst)).isCloseTo(mu, within(1e-6 * mu));
      assertThat(forecast.unit().mu()).isCloseTo(mu, within(1e-6 * mu));
    }
  }

  @Test
  void countsPassesAndGradients() {
    QueryForecast many = localized();
    assertThat(many.reading().again()).isTrue();
    assertThat(many.reading().passes()).isGreaterThan(1);
    assertThat(many.reading().gradients())
        .isEqualTo(many.scenario().plan().block().gradients());
    assertThat(many.memory().events()).isEqualTo(64L << 20);
    assertThat(many.memory().refused()).isEqualTo(63); // 504 slots
    assertThat(RetentionRule.of(many.reading())).contains("must stay in the topic");
    QueryForecast one = onePass();
    assertThat(one.reading().again()).isFalse();
    assertThat(one.reading().passes()).isEqualTo(1);
    assertThat(one.memory().events()).isZero();
    assertThat(RetentionRule.of(one.reading())).contains("read once");
  }

  @Test
  void chargesUnitsForEachBlock() {
    String[] unit = {
      "algorithm=clipped-ac-sa", "privacy.unit=key", "unit.from=key", "block.slots=512"
    };
    QueryForecast budget = forecast(CHOSEN, unit);
    assertThat(budget.unit().blocks()).isEqualTo(3);
    assertThat(budget.unit().most()).isCloseTo(Math.sqrt(3) * budget.unit().mu(), within(1e-9));
    assertThat(text(budget)).contains("at most one slot of a block", ", in 3 blocks mu ");
    QueryForecast schedule = forecast(
        CHOSEN,
        unit[0],
        unit[1],
        unit[2],
        unit[3],
        "privacy.contribution=schedule",
        "privacy.contribution.most=4",
        "privacy.contribution.separation=1");
    assertThat(schedule.unit().blocks()).isEqualTo(4);
    assertThat(schedule.unit().most())
        .isCloseTo(2 * schedule.unit().mu(), within(1e-6 * schedule.unit().most()));
    assertThat(text(schedule)).contains("at most 4 blocks, 1 apart");
  }

  private static List<String> advice(GivenSettings given, String... settings) {
    return forecast(given, settings).advice();
  }

  @Test
  void saysWhenTheNoiseIsTooLong() {
    assertThat(advice(CHOSEN, "algorithm=clipped-ac-sa", "block.slots=4", "privacy.epsilon=0.1"))
        .first()
        .asString()
        .contains("almost nothing will be learned", "block.slots", "a block of about");
    assertThat(advice(CHOSEN, "algorithm=clipped-ac-sa", "block.slots=65536"))
        .noneMatch(each -> each.contains("noise") || each.contains("Noise"));
  }

  @Test
  void saysWhenAnotherAlgorithmSuitsTheLoss() {
    String large = "block.slots=65536";
    assertThat(advice(CHOSEN, "algorithm=clipped-ac-sa", large))
        .singleElement()
        .asString()
        .contains("private-ftrl is the first choice");
    assertThat(advice(new GivenSettings(0, true, true), "algorithm=clipped-ac-sa", large))
        .isEmpty();
    assertThat(advice(new GivenSettings(0, false, false), "algorithm=clipped-ac-sa", large))
        .isEmpty();
    assertThat(advice(CHOSEN, "algorithm=localized-erm", large))
        .anyMatch(each -> each.contains("times in the mean"))
        .anyMatch(each -> each.contains("clipped-ac-sa learns it in one pass"));
    assertThat(advice(CHOSEN, "algorithm=localized-erm", large, "loss=hinge"))
        .noneMatch(each -> each.contains("in one pass"));
    assertThat(advice(
            CHOSEN,
            "algorithm=clipped-ac-sa",
            large,
            "loss=network",
            "network.hidden=2",
            "network.output=logistic"))
        .anyMatch(each -> each.contains("not convex"));
  }

  @Test
  void plansRoundsThatEnterATree() {
    QueryForecast endless = forecast(CHOSEN, "algorithm=tree-momentum-nsgd", "batch.size=64");
    Plan plan = endless.scenario().plan();
    assertThat(endless.reading().slots()).isEqualTo(64);
    assertThat(endless.reading().again()).isFalse();
    assertThat(endless.parts()).singleElement().satisfies(round -> {
      double node = plan.sigma() * ((MomentumTree) plan.mechanism()).nodeNoise();
      assertThat(round.noise().sumStd()).isCloseTo(node, within(1e-9 * node));
      assertThat(round.gradients()).isEqualTo(1);
    });
    assertThat(text(endless))
        .contains("rounds of 64 slots, one query each, without an end", "enter a tree")
        .contains("Loss logistic is convex: private-ftrl learns it too");
    QueryForecast changes = forecast(
        CHOSEN,
        "algorithm=sensitivity-reduced-nsgd",
        "momentum.epochs=5",
        "loss=network",
        "network.hidden=2",
        "network.output=logistic");
    assertThat(changes.parts()).extracting(Part::gradients).containsExactly(1.0, 2.0);
    assertThat(changes.reading().gradients()).isEqualTo(9.0 * changes.reading().slots());
    assertThat(changes.advice()).noneMatch(each -> each.contains("convex"));
  }

  @Test
  void listsManyPartsInJsonOnly() throws IOException {
    QueryForecast forecast = localized();
    JsonNode row = json(forecast).get(0);
    assertThat(row.get("parts")).hasSameSizeAs(forecast.parts());
    assertThat(row.get("reading").get("queries").asLong())
        .isEqualTo(forecast.reading().queries());
    assertThat(row.get("retention").asText()).isEqualTo(RetentionRule.of(forecast.reading()));
    assertThat(row.get("costs").get(row.get("costs").size() - 1).get("rounds").isNull())
        .isTrue();
  }

  @Test
  void writesBytesForPeople() {
    assertThat(QueryDescription.bytes(1023)).isEqualTo("1023 B");
    assertThat(QueryDescription.bytes(1 << 10)).isEqualTo("1 KiB");
    assertThat(QueryDescription.bytes((64L << 20) + 1)).isEqualTo("64.1 MiB");
  }
}
