package dev.sotto.app.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.audit.canary.Background;
import dev.sotto.app.audit.subject.Fault;
import dev.sotto.app.audit.subject.HandLearner;
import dev.sotto.app.audit.subject.RealLearner;
import dev.sotto.app.audit.subject.Subject;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.unit.Participation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class AuditTest {
  private static final int ROUNDS = 24;
  private static final ObjectMapper JSON = new ObjectMapper();

  private static Audit audit(Subject subject, Plan plan) {
    return new Audit(
        subject, new Audit.Options(plan, Background.EMPTY, ROUNDS, 8_000, 0.95, 17, Effort.QUICK));
  }

  private static List<String> failed(AuditResult result) {
    return result.checks().stream()
        .filter(check -> !check.holds())
        .map(Check::name)
        .toList();
  }

  static Stream<Plan> plans() {
    return Stream.of(Plans.plan(each -> each.sigma = 8), Plans.plan(each -> {
      each.mechanism = Mechanisms.BLT.make();
      each.unit = PrivacyUnit.KEY;
      each.sigma = 20;
      each.participation = new Participation.Budgeted(0.4);
    }));
  }

  @ParameterizedTest
  @MethodSource("plans")
  void holdsForTheRealLearnerAndCatchesEveryFault(Plan plan) {
    List<Integer> steps = Collections.synchronizedList(new ArrayList<>());
    Audit audit = audit(RealLearner.AS_IT_IS, plan);
    AuditResult result = audit.run((done, part) -> steps.add(done));
    assertThat(failed(result)).isEmpty();
    assertThat(result.holds()).isTrue();
    assertThat(steps).hasSize(audit.steps()).contains(1, audit.steps());
    for (Fault fault : Fault.values()) {
      if (fault != Fault.NONE) {
        assertThat(result.checks()).extracting(Check::name).contains("caught: " + fault.words());
      }
    }
    assertThat(result.checks())
        .extracting(Check::name)
        .doesNotHaveDuplicates()
        .contains("caught: noise halved", "control: no fault, not caught")
        .contains("canaries: epsilon", "refuted: last iterate (Theorem 5.4)");
    assertThat(result.canaries().epsilonLower()).isLessThan(result.canaries().epsilonUpper());
  }

  @Test
  void tellsMachinesAndPeople() {
    AuditResult result =
        audit(RealLearner.AS_IT_IS, Plans.plan(each -> each.sigma = 8)).run((done, part) -> {});
    JsonNode json = JSON.valueToTree(result.json());
    assertThat(json.get("holds").asBoolean()).isTrue();
    assertThat(json.get("epsilonLower").asDouble())
        .isNotNegative()
        .isLessThan(json.get("epsilonUpper").asDouble());
    assertThat(json.get("confidence").asDouble()).isEqualTo(0.95);
    assertThat(json.get("delta").asDouble()).isEqualTo(1e-6);
    assertThat(json.get("seed").asLong()).isEqualTo(17);
    assertThat(json.get("checks")).hasSizeGreaterThan(20);
    for (JsonNode check : json.get("checks")) {
      assertThat(check.get("name").asText()).isNotBlank();
      assertThat(check.get("holds").isBoolean()).isTrue();
      assertThat(check.get("figure").isNumber()).as(check.get("name").asText()).isTrue();
      assertThat(check.get("rule").asText()).isNotBlank();
      assertThat(check.get("says").asText()).isNotBlank();
    }
    String text = String.join("\n", result.lines());
    assertThat(text)
        .contains("epsilon     at least 0.", "at most ", "all 24 checks hold; seed 17")
        .contains("ok     caught: clip after the sum")
        .doesNotContain("FAILS", "NaN", "null");
  }

  @Test
  void explainsEveryCheckInTheManual() throws IOException {
    Path home = Path.of(System.getProperty("basedir", "."), "..").normalize();
    String page = Files.readString(home.resolve("docs/audit.md"));
    AuditResult result =
        audit(RealLearner.AS_IT_IS, Plans.plan(each -> each.sigma = 8)).run((done, part) -> {});
    for (Check check : result.checks()) {
      assertThat(page).contains("| `" + check.name() + "` |");
    }
  }

  /** The twins: whoever is broken and comes as the real one is found out. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void findsABrokenLearnerThatComesAsTheRealOne(Fault fault) {
    AuditResult result =
        audit(new HandLearner(fault), Plans.plan(each -> each.sigma = 8)).run((done, part) -> {});
    assertThat(result.holds()).isFalse();
    assertThat(failed(result)).contains("caught: " + fault.words());
    assertThat(String.join("\n", result.lines())).contains("FAILS", "checks FAIL");
    assertThat(JSON.<JsonNode>valueToTree(result.json()).get("holds").asBoolean())
        .isFalse();
  }

  @Test
  void findsHalfTheNoise() {
    AuditResult result = audit(RealLearner.HALF_THE_NOISE, Plans.plan(each -> each.sigma = 8))
        .run((done, part) -> {});
    assertThat(failed(result))
        .contains(
            "noise: size",
            "noise: variance of prefixes",
            "canaries: separation",
            "caught: noise halved")
        .doesNotContain("control: no fault, not caught", "refuted: last iterate (Theorem 5.4)");
  }

  @Test
  void refusesOptionsByNameRuleAndValue() {
    Plan plan = Plans.plan(each -> {});
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Audit.Options(plan, Background.EMPTY, 0, 1000, 0.95, 1, Effort.QUICK))
        .withMessageContaining("rounds must be");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Audit.Options(plan, Background.EMPTY, 8, 99, 0.95, 1, Effort.QUICK))
        .withMessageContaining("canaries must be at least 100, but were 99");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new Audit.Options(plan, Background.EMPTY, 8, 100, Double.NaN, 1, Effort.QUICK))
        .withMessageContaining("confidence must be above 0 and below 1, but was NaN");
  }

  @Test
  void staysWithinTheBudgetAndWithinReason() {
    Plan plan = Plans.plan(each -> {
      each.sigma = 6;
      each.epsilon = 1;
    });
    int allowed = Extent.rounds(plan, 0);
    assertThat(plan.allows(allowed)).isTrue();
    assertThat(plan.allows(allowed + 1)).isFalse();
    Plan endless = Plans.plan(each -> each.mechanism = Mechanisms.INDEPENDENT.make());
    assertThat(Extent.rounds(endless, 0)).isEqualTo(128);
    assertThat(Extent.rounds(endless, 640)).isEqualTo(10);
    assertThat(Extent.rounds(endless, 1 << 30)).isEqualTo(1024);
    assertThat(Extent.rounds(Plans.plan(each -> each.dimension = 1 << 20), 1 << 30))
        .isEqualTo(64);
    assertThat(Audit.worthwhileCanaries(plan)).isEqualTo(250_000);
  }
}
