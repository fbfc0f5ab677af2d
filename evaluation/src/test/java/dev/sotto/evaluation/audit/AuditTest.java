package dev.sotto.evaluation.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.evaluation.audit.canary.BackgroundExamples;
import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.FaultyLearner;
import dev.sotto.evaluation.audit.subject.InjectedFault;
import dev.sotto.evaluation.audit.subject.LessNoise;
import dev.sotto.evaluation.audit.subject.ProductLearner;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AuditTest {
  private static final int ROUNDS = 24;
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Plan PLAN = Plans.plan(each -> each.sigma = 8);

  private static Audit audit(AuditSubject subject, Plan plan, Plans.Size size) {
    return new Audit(
        subject,
        new Audit.Options(plan, BackgroundExamples.EMPTY, ROUNDS, size.canaries(), 0.95, 17),
        size.effort());
  }

  private static AuditResult run(AuditSubject subject, Plans.Size size) {
    return audit(subject, PLAN, size).run((done, part) -> {});
  }

  /** That of the real learner, which several tests look at. */
  private static final class Real {
    private static final AuditResult RESULT = run(ProductLearner.AS_IT_IS, Plans.LITTLE);
  }

  static List<String> failed(AuditResult result) {
    return result.checks().stream()
        .filter(check -> !check.holds())
        .map(CheckResult::name)
        .toList();
  }

  @Test
  void holdsForTheRealLearner() {
    requireAllHolds(Real.RESULT);
  }

  /** Of a budget for every unit, and with every step told. */
  @Tag("long")
  @Test
  void holdsForUnitsWithBudgetsToo() {
    Plan plan = Plans.plan(each -> {
      each.mechanism = Mechanisms.BLT.make();
      each.unit = PrivacyUnit.KEY;
      each.sigma = 20;
      each.participation = new Participation.Budgeted(0.4);
    });
    List<Integer> steps = Collections.synchronizedList(new ArrayList<>());
    Audit audit = audit(ProductLearner.AS_IT_IS, plan, Plans.WHOLE);
    requireAllHolds(audit.run((done, part) -> steps.add(done)));
    assertThat(steps).hasSize(audit.steps()).contains(1, audit.steps());
  }

  private static void requireAllHolds(AuditResult result) {
    assertThat(failed(result)).isEmpty();
    assertThat(result.holds()).isTrue();
    assertThat(result.checks())
        .extracting(CheckResult::name)
        .doesNotHaveDuplicates()
        .contains("canaries: epsilon", "canaries: alone in a round", "noise: size");
    assertThat(result.canaries().epsilonLower()).isLessThan(result.canaries().epsilonUpper());
  }

  @Test
  void tellsMachinesAndPeople() throws IOException {
    AuditResult result = Real.RESULT;
    JsonNode json = JSON.readTree(JsonRenderer.of(result.describe()));
    assertThat(json.fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder(
            "holds",
            "epsilonLower",
            "epsilonUpper",
            "confidence",
            "delta",
            "canaries",
            "guesses",
            "right",
            "rounds",
            "mechanism",
            "unit",
            "adjacency",
            "seed",
            "seconds",
            "checks");
    assertThat(json.get("holds").asBoolean()).isTrue();
    assertThat(json.get("epsilonLower").asDouble())
        .isNotNegative()
        .isLessThan(json.get("epsilonUpper").asDouble());
    assertThat(json.get("confidence").asDouble()).isEqualTo(0.95);
    assertThat(json.get("delta").asDouble()).isEqualTo(1e-6);
    assertThat(json.get("seed").asLong()).isEqualTo(17);
    assertThat(json.get("checks")).hasSize(15);
    for (JsonNode check : json.get("checks")) {
      assertThat(check.get("name").asText()).isNotBlank();
      assertThat(check.get("holds").isBoolean()).isTrue();
      assertThat(check.get("figure").isNumber()).as(check.get("name").asText()).isTrue();
      assertThat(check.get("rule").asText()).isNotBlank();
      assertThat(check.get("says").asText()).isNotBlank();
    }
    String text = TextRenderer.of(result.describe());
    assertThat(text)
        .contains("epsilon     at least 0.", "at most ", "all 15 checks hold; seed 17")
        .contains("ok     canaries: alone in a round")
        .doesNotContain("FAILS", "NaN", "null");
  }

  @Test
  void explainsEveryCheckInTheManual() throws IOException {
    Path home = Path.of(System.getProperty("basedir", "."), "..").normalize();
    String page = Files.readString(home.resolve("docs/audit.md"));
    AuditResult result = Real.RESULT;
    for (CheckResult check : result.checks()) {
      assertThat(page).contains("| `" + check.name() + "` |");
    }
  }

  /**
   * Whoever is broken and comes as the real one is found by the check that is there for it; the code
   * of the broken ones passes without a fault.
   */
  @ParameterizedTest
  @EnumSource
  void findsEveryBrokenLearner(InjectedFault fault) throws IOException {
    requireFound(fault, Plans.LITTLE);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void findsEveryBrokenLearnerInAWholeAudit(InjectedFault fault) throws IOException {
    requireFound(fault, Plans.WHOLE);
  }

  private static void requireFound(InjectedFault fault, Plans.Size size) throws IOException {
    AuditResult result = run(new FaultyLearner(fault), size);
    List<String> failed = failed(result);
    switch (fault) {
      case NONE -> assertThat(failed).isEmpty();
      case CLIP_AFTER_SUM, DIVIDE_BY_USABLE ->
        assertThat(failed).contains("canaries: alone in a round");
      case NOISE_BY_ROUND, NOISE_BY_BATCH ->
        assertThat(failed).contains("noise: bound to the history");
      case NOISE_AFRESH -> assertThat(failed).contains("noise: a retry changes nothing");
    }
    boolean holds = fault == InjectedFault.NONE;
    assertThat(result.holds()).isEqualTo(holds);
    assertThat(TextRenderer.of(result.describe()).contains("checks FAIL")).isNotEqualTo(holds);
    assertThat(JSON.readTree(JsonRenderer.of(result.describe())).get("holds").asBoolean())
        .isEqualTo(holds);
  }

  @Test
  void findsHalfTheNoise() {
    AuditResult result = run(LessNoise.HALF, new Plans.Size(Plans.LITTLE.effort(), 8_000));
    assertThat(failed(result))
        .contains("noise: size", "noise: variance of prefixes", "canaries: separation")
        .doesNotContain("ledger: covers every schedule", "noise: a retry changes nothing");
  }

  @Test
  void refusesOptionsByNameRuleAndValue() {
    Plan plan = Plans.plan(each -> {});
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Audit.Options(plan, BackgroundExamples.EMPTY, 0, 1000, 0.95, 1))
        .withMessageContaining("rounds must be");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Audit.Options(plan, BackgroundExamples.EMPTY, 8, 99, 0.95, 1))
        .withMessageContaining("canaries must be at least 100, but were 99");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Audit.Options(plan, BackgroundExamples.EMPTY, 8, 100, Double.NaN, 1))
        .withMessageContaining("confidence must be above 0 and below 1, but was NaN");
  }

  @Test
  void staysWithinTheBudgetAndWithinReason() {
    Plan plan = Plans.plan(each -> {
      each.sigma = 6;
      each.epsilon = 1;
    });
    int allowed = AffordableRounds.rounds(plan, 0);
    assertThat(plan.allows(allowed)).isTrue();
    assertThat(plan.allows(allowed + 1)).isFalse();
    Plan endless = Plans.plan(each -> each.mechanism = Mechanisms.INDEPENDENT.make());
    assertThat(AffordableRounds.rounds(endless, 0)).isEqualTo(128);
    assertThat(AffordableRounds.rounds(endless, 640)).isEqualTo(10);
    assertThat(AffordableRounds.rounds(endless, 1 << 30)).isEqualTo(1024);
    assertThat(AffordableRounds.rounds(Plans.plan(each -> each.dimension = 1 << 20), 1 << 30))
        .isEqualTo(64);
    assertThat(Audit.worthwhileCanaries(plan)).isEqualTo(1 << 19);
    Plan pure = Plans.plan(each -> each.mechanism = Mechanisms.LAPLACE.make());
    assertThat(Audit.worthwhileCanaries(pure)).isEqualTo(1 << 18);
  }
}
