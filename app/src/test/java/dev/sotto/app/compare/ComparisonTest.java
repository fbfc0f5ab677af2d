package dev.sotto.app.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.topology.ExitCode;
import java.nio.file.Path;
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
    Run run = MADE.run("epsilon-8").orElseThrow();
    Excess none = MADE.overNone(run).orElseThrow();
    assertThat(none.reference()).isEqualTo("without privacy");
    double own = run.finished().orElseThrow().loss();
    double other =
        MADE.run("without privacy").orElseThrow().finished().orElseThrow().loss();
    assertThat(none.loss()).isCloseTo(own - other, within(1e-15)).isPositive();
    assertThat(none.curve()).hasSize(400);
    assertThat(none.curve().get(399).loss()).isEqualTo(none.loss());
    assertThat(MADE.overBounding(run).orElseThrow().reference()).isEqualTo("bounding only");
    Run bounding = MADE.run("bounding only").orElseThrow();
    assertThat(MADE.overNone(bounding)).isPresent();
    assertThat(MADE.overBounding(bounding)).isEmpty();
    assertThat(MADE.overNone(MADE.run("without privacy").orElseThrow())).isEmpty();
    assertThat(MADE.overBounding(MADE.run("record-level").orElseThrow())).isEmpty();
    assertThat(MADE.overNone(MADE.run("broken").orElseThrow())).isEmpty();
  }

  /** Over other examples, or under another loss, a difference would say nothing. */
  @Test
  void comparesNoRunsOverDifferentExamples() {
    Run run = MADE.run("epsilon-8").orElseThrow();
    Outcome.Finished own = run.finished().orElseThrow();
    for (Outcome.Finished other : List.of(
        changed(own, own.lossName(), own.examples() - 1), changed(own, "hinge", own.examples()))) {
      assertThat(Excess.of(run, new Run("other", Role.NONE, other))).isEmpty();
    }
    assertThat(Excess.of(run, new Run("other", Role.NONE, own))).isPresent();
  }

  private static Outcome.Finished changed(Outcome.Finished own, String loss, long examples) {
    return new Outcome.Finished(
        loss,
        examples,
        own.rounds(),
        own.epsilon(),
        own.delta(),
        own.loss(),
        own.recentLoss(),
        own.accuracy(),
        own.seconds(),
        own.snapshotDigest(),
        own.curve());
  }

  @Test
  void endsWithTheFirstFailure() {
    assertThat(MADE.code()).isEqualTo(ExitCode.CONFIGURATION);
    Comparison sound = new Comparison(
        MADE.recording(), 1, 0, MADE.configurations(), MADE.runs().subList(0, 3));
    assertThat(sound.code()).isEqualTo(ExitCode.OK);
  }

  @Test
  void tellsEverythingAsJson() throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    JsonNode json = mapper.readTree(mapper.writeValueAsString(ComparisonJson.of(MADE)));
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
    String text = ComparisonText.of(MadeComparison.of("a\u001b[2Jb\u202ec\nd"));
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
