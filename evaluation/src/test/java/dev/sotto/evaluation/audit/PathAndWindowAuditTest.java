package dev.sotto.evaluation.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.evaluation.audit.canary.BackgroundExamples;
import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.LessNoise;
import dev.sotto.evaluation.audit.subject.ProductLearner;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.loss.Losses;
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

/** False alarms of one audit: those of its checks, at most 1e-6 each; the seed is fixed. */
class PathAndWindowAuditTest {
  private static Audit audit(AuditSubject subject, Plan plan, Plans.Size size) {
    return new Audit(
        subject,
        new Audit.Options(plan, BackgroundExamples.EMPTY, 2, size.canaries(), 0.95, 17),
        size.effort());
  }

  private static Plan path() {
    return Plans.plan(each -> {
      each.dimension = 4;
      each.sigma = 4;
      each.path(512);
    });
  }

  private static Plan pathOfUnits() {
    return Plans.plan(each -> {
      each.loss = Losses.ABSOLUTE.make();
      each.sigma = 8;
      each.adjacency = Adjacency.REPLACE_ONE;
      each.unit = PrivacyUnit.KEY;
      each.participation = new Participation.Scheduled(new ContributionBound(2, 1));
      each.path(512);
    });
  }

  private static Plan windows(int batches, long passes) {
    return Plans.plan(each -> {
      each.sigma = 4;
      each.windows(batches, passes);
    });
  }

  static Stream<Plan> plans() {
    return Stream.of(path(), pathOfUnits(), windows(8, 3), windows(5, 4));
  }

  @Test
  void holdsForTheRealLearner() throws IOException {
    requireAllHolds(path(), Plans.LITTLE);
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("plans")
  void holdsForEveryKindOfPathAndWindow(Plan plan) throws IOException {
    requireAllHolds(plan, Plans.WHOLE);
  }

  private static void requireAllHolds(Plan plan, Plans.Size size) throws IOException {
    List<Integer> steps = Collections.synchronizedList(new ArrayList<>());
    Audit audit = audit(ProductLearner.AS_IT_IS, plan, size);
    AuditResult result = audit.run((done, part) -> steps.add(done));
    assertThat(AuditTest.failed(result)).isEmpty();
    assertThat(steps).hasSize(audit.steps()).contains(1, audit.steps());
    List<String> names = result.checks().stream().map(CheckResult::name).toList();
    assertThat(names).doesNotHaveDuplicates();
    assertThat(names.contains("paths: what a slot moves, exactly"))
        .isEqualTo(plan.paths().isPresent());
    assertThat(result.canaries().epsilonLower()).isLessThan(result.canaries().epsilonUpper());
    assertThat(TextRenderer.of(result.describe()))
        .contains(plan.mechanism().name() + " noise", "2 blocks of")
        .doesNotContain("FAILS", "NaN", "null");
    Path home = Path.of(System.getProperty("basedir", "."), "..").normalize();
    String page = Files.readString(home.resolve("docs/audit.md"));
    for (String name : names) {
      assertThat(page).contains("| `" + name + "` |");
    }
  }

  @Tag("long")
  @Test
  void findsHalfTheNoiseInPathsAndWindows() {
    for (Plan plan : List.of(path(), windows(8, 3))) {
      List<String> failed =
          AuditTest.failed(audit(LessNoise.HALF, plan, Plans.WHOLE).run((d, part) -> {}));
      assertThat(failed).contains("noise: size", "noise: variance of prefixes");
    }
  }

  @Test
  void affordsTwoBlocksOfPaths() {
    assertThat(AffordableRounds.rounds(path(), 0)).isEqualTo(2);
    assertThat(Audit.worthwhileCanaries(path())).isEqualTo(250_000);
    Plan large = Plans.plan(each -> each.path(1 << 20));
    assertThat(Audit.worthwhileCanaries(large)).isBetween(1000, 3000);
  }
}
