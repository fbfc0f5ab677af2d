package dev.sotto.evaluation.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.topology.failure.FailureKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static final Comparison MADE = MadeComparison.of("epsilon-8");

  @Test
  void namesSettingsThatDifferAndNoOthers() {
    assertThat(MADE.differences().keySet())
        .containsExactly(
            "features.categorical.epsilon-2.field",
            "features.categorical.epsilon-8.field",
            "features.categorical.record-level.field",
            "privacy.epsilon");
    assertThat(MADE.differences()).containsEntry("privacy.epsilon", List.of("8", "2", "1", ""));
  }

  @Test
  void takesTheExcessOverBothReferences() {
    ComparisonRun run = MADE.run("epsilon-8").orElseThrow();
    ExcessLoss none = MADE.overNone(run).orElseThrow();
    assertThat(none.reference()).isEqualTo("without privacy");
    double own = run.finished().orElseThrow().loss();
    double other =
        MADE.run("without privacy").orElseThrow().finished().orElseThrow().loss();
    assertThat(none.loss()).isCloseTo(own - other, within(1e-15)).isPositive();
    assertThat(none.curve()).hasSize(400);
    assertThat(none.curve().get(399).loss()).isEqualTo(none.loss());
    assertThat(MADE.overBounding(run).orElseThrow().reference()).isEqualTo("bounding only");
    ComparisonRun bounding = MADE.run("bounding only").orElseThrow();
    assertThat(MADE.overNone(bounding)).isPresent();
    assertThat(MADE.overBounding(bounding)).isEmpty();
    assertThat(MADE.overNone(MADE.run("without privacy").orElseThrow())).isEmpty();
    assertThat(MADE.overBounding(MADE.run("record-level").orElseThrow())).isEmpty();
    assertThat(MADE.overNone(MADE.run("broken").orElseThrow())).isEmpty();
  }

  /** Over other examples, or under another loss, a difference would say nothing. */
  @Test
  void comparesNoRunsOverDifferentExamples() {
    ComparisonRun run = MADE.run("epsilon-8").orElseThrow();
    RunOutcome.Finished own = run.finished().orElseThrow();
    for (RunOutcome.Finished other : List.of(
        changed(own, own.lossName(), own.examples() - 1), changed(own, "hinge", own.examples()))) {
      assertThat(ExcessLoss.of(run, new ComparisonRun("other", RunRole.NONE, other)))
          .isEmpty();
    }
    assertThat(ExcessLoss.of(run, new ComparisonRun("other", RunRole.NONE, own)))
        .isPresent();
  }

  private static RunOutcome.Finished changed(RunOutcome.Finished own, String loss, long examples) {
    List<CurvePoint> curve = new ArrayList<>(own.curve());
    CurvePoint end = curve.remove(curve.size() - 1);
    curve.add(new CurvePoint(
        examples, end.rounds(), end.epsilon(), end.loss(), end.recentLoss(), end.accuracy()));
    return new RunOutcome.Finished(
        new RunOutcome.ScoredLoss(loss, 0.5, 0.6, 0.6, examples),
        own.rounds(),
        own.delta(),
        own.seconds(),
        own.snapshotDigest(),
        curve);
  }

  @Test
  void endsWithTheFirstFailure() {
    assertThat(MADE.failure()).contains(FailureKind.CONFIGURATION);
    Comparison sound = new Comparison(
        MADE.recording(), 1, 0, MADE.configurations(), MADE.runs().subList(0, 3));
    assertThat(sound.failure()).isEmpty();
  }

  /** Of curves the first two points, in whatever order fields stand. */
  @Test
  void keepsTheNamesAndValuesOfItsJson() throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    JsonNode now =
        mapper.readTree(JsonRenderer.of(ComparisonDescription.of(MADE, "p.html", kind -> 3)));
    for (JsonNode run : now.get("runs")) {
      for (String name : new String[] {"curve", "excessCurve"}) {
        while (run.path(name).size() > 2) {
          ((ArrayNode) run.get(name)).remove(2);
        }
      }
    }
    Path kept = Path.of(System.getProperty("basedir", "."), "src/test/resources/comparison.json");
    assertThat(now).isEqualTo(mapper.readTree(Files.readString(kept)));
  }

  @Test
  void tellsEverythingAsJson() throws Exception {
    JsonNode json = new ObjectMapper()
        .readTree(JsonRenderer.of(ComparisonDescription.of(MADE, null, kind -> 3)));
    assertThat(json.get("private").asBoolean(true)).isFalse();
    assertThat(json.get("warning").asText()).contains("NOT PRIVATE");
    JsonNode first = json.get("runs").get(0);
    assertThat(first.get("epsilon").asDouble()).isEqualTo(8);
    assertThat(first.get("logLoss")).isEqualTo(first.get("loss"));
    assertThat(first.get("excessOverNonPrivate").asDouble()).isPositive();
    assertThat(first.get("curve")).hasSize(400);
    assertThat(json.get("runs").get(3).get("failed").asBoolean()).isTrue();
    assertThat(json.get("runs").get(3).get("exitCode").asInt()).isEqualTo(3);
    assertThat(json.get("runs").get(5).get("epsilon").isNull()).isTrue();
    assertThat(json.get("configurations")
            .get(1)
            .get("differingSettings")
            .get("privacy.epsilon")
            .asText())
        .isEqualTo("2");
    assertThat(json.get("configurations").get(1).get("differingSettings").has("loss"))
        .isFalse();
  }

  @Test
  void printsNothingThatMovesACursor() {
    String text = TextRenderer.of(
        ComparisonDescription.of(MadeComparison.of("a\u001b[2Jb\u202ec\nd"), null, kind -> null));
    assertThat(text).doesNotContain("\u001b", "\u202e").contains("a?[2Jb?c?d", "over none");
  }

  @Test
  void findsShortNamesThatNoTwoShare() {
    assertThat(names("a.yaml", "b.yaml")).containsExactly("a", "b");
    assertThat(names("x/sotto.yaml", "y/sotto.yaml", "z.yml"))
        .containsExactly("x/sotto", "y/sotto", "z");
    assertThat(names("x/a.yaml", "x/a.yaml", "/x/a.yaml"))
        .doesNotHaveDuplicates()
        .hasSize(3);
    assertThat(names(".yaml", "a.b.yaml")).containsExactly(".yaml", "a.b");
    assertThat(RunNames.unique(List.of("a", "a", "a (2)")))
        .containsExactly("a", "a (2)", "a (2) (2)");
  }

  private static List<String> names(String... files) {
    return RunNames.of(Stream.of(files).map(Path::of).toList());
  }
}
