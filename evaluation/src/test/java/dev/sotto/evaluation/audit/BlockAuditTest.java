package dev.sotto.evaluation.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.evaluation.audit.canary.BackgroundExamples;
import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.ProductLearner;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.heavytail.AcSaSchedule;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.optimizer.heavytail.ClippedAcSa;
import dev.sotto.learner.optimizer.heavytail.LocalizedErm;
import dev.sotto.learner.optimizer.heavytail.Phase;
import dev.sotto.learner.optimizer.heavytail.QuantileClip;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BlockAuditTest {
  private static final int BLOCKS = 3;

  private static Audit audit(AuditSubject subject, Plan plan, Plans.Size size) {
    return new Audit(
        subject,
        new Audit.Options(plan, BackgroundExamples.EMPTY, BLOCKS, size.canaries(), 0.95, 17),
        size.effort());
  }

  private static Plan onePass() {
    return Plans.plan(each -> {
      each.blocks(QuerySchedule.onePass(8, 64));
      each.sigma = 4;
    });
  }

  static Stream<Plan> plans() {
    return Stream.of(
        onePass(),
        Plans.plan(each -> {
          each.blocks(new LocalizedErm(
              List.of(new Phase(256, 9, 0.1, 0.5, 1, 4), new Phase(64, 4, 0.1, 1, 0.5, 2)),
              new Ball(null, 4)));
          each.unit = PrivacyUnit.KEY;
          each.sigma = 8;
          each.participation = new Participation.Scheduled(new ContributionBound(2, 1));
        }),
        counted());
  }

  /** Its clip follows counts of norms, on as many coordinates as there are bins. */
  private static Plan counted() {
    return Plans.plan(each -> {
      each.dimension = QuantileClip.BINS;
      AcSaSchedule schedule = new AcSaSchedule(4, 64, 1, 1, 2);
      each.blocks(new QuantileClip(new ClippedAcSa(schedule, new Ball(null, 4)), 0.05, 16, 12, 4));
      each.sigma = 4;
    });
  }

  private static Plan pools(double rate) {
    return Plans.plan(each -> {
      each.pools(rate);
      each.sigma = 4;
    });
  }

  static Stream<Plan> pools() {
    return Stream.of(pools(1), pools(0.25));
  }

  @Test
  void holdsForTheRealLearner() throws IOException {
    requireAllHolds(onePass(), Plans.LITTLE);
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource({"plans", "pools"})
  void holdsForEveryKindOfBlock(Plan plan) throws IOException {
    requireAllHolds(plan, Plans.WHOLE);
  }

  private static void requireAllHolds(Plan plan, Plans.Size size) throws IOException {
    List<Integer> steps = Collections.synchronizedList(new ArrayList<>());
    Audit audit = audit(ProductLearner.AS_IT_IS, plan, size);
    AuditResult result = audit.run((done, part) -> steps.add(done));
    assertThat(AuditTest.failed(result)).isEmpty();
    assertThat(steps).hasSize(audit.steps()).contains(1, audit.steps());
    List<String> names = result.checks().stream().map(CheckResult::name).toList();
    assertThat(names)
        .doesNotHaveDuplicates()
        .contains("blocks: what a slot moves", "blocks: what a unit moves")
        .doesNotContain("canaries: alone in a round");
    assertThat(result.canaries().epsilonLower()).isLessThan(result.canaries().epsilonUpper());
    assertThat(TextRenderer.of(result.describe()))
        .contains(plan.mechanism().name() + " noise", "3 blocks of", " queries")
        .doesNotContain("FAILS", "NaN", "null");
    Path home = Path.of(System.getProperty("basedir", "."), "..").normalize();
    String page = Files.readString(home.resolve("docs/audit.md"));
    for (String name : names) {
      assertThat(page).contains("| `" + name + "` |");
    }
  }

  @Test
  void affordsAtLeastTwoBlocksWithinTheBudget() {
    assertThat(AffordableRounds.rounds(onePass(), 0)).isEqualTo(16);
    assertThat(AffordableRounds.rounds(onePass(), 1 << 20)).isEqualTo(16);
    Plan many = Plans.plan(each -> each.blocks(QuerySchedule.onePass(200, 2)));
    assertThat(AffordableRounds.rounds(many, 0)).isEqualTo(2);
    assertThat(Audit.worthwhileCanaries(many)).isEqualTo(250_000);
    Plan more = Plans.plan(each -> each.blocks(QuerySchedule.onePass(4096, 1)));
    assertThat(Audit.worthwhileCanaries(more)).isEqualTo(1 << 14);
  }
}
