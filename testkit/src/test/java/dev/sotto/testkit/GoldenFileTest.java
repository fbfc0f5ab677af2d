package dev.sotto.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.AssertionFailedError;

class GoldenFileTest {
  @TempDir
  Path folder;

  private Path file;

  @BeforeEach
  void place() {
    file = folder.resolve("made/by/test.golden");
  }

  private GoldenFile golden(boolean update) {
    return new GoldenFile(file, update, Map.of());
  }

  private static LearningResult learned(LearnerTestKit kit) {
    return kit.learn(LearnerTestKitTest.events(40, 1).followedBy(TestInput.of("{}")));
  }

  private String failure(LearningResult learned) {
    AssertionFailedError failed = catchThrowableOfType(
        AssertionFailedError.class, () -> golden(false).assertMatches(learned));
    assertThat(failed).as("a golden file that differs").isNotNull();
    return failed.getMessage();
  }

  @Test
  void saysHowItIsMade() {
    assertThat(failure(learned(LearnerTestKitTest.KIT)))
        .contains("test.golden is not there", "-Dsotto.golden.update=true", "commit the file");
  }

  @Test
  void holdsWhatWasLearned() throws IOException {
    golden(true).assertMatches(learned(LearnerTestKitTest.KIT));
    golden(false).assertMatches(learned(LearnerTestKitTest.KIT));
    assertThat(Files.readString(file))
        .startsWith("# Written by Sotto's test kit")
        .contains(
            "\n[configuration]\napp.id: points\n",
            "\nbatch.size: 4\n",
            "\nevents: 41\n",
            "\n[round 10 of model model]\nepsilon: ",
            "\nweights: ",
            "\n[dead letters]\npartition 0 offset 40: MISSING_FIELD\n")
        .doesNotContain("noise.key.file", "bootstrap.servers", "is/not/there");
    String windows = Files.readString(file).replace("\n", "\r\n");
    Files.writeString(file, windows);
    golden(false).assertMatches(learned(LearnerTestKitTest.KIT));
  }

  /** A test that runs elsewhere, on other brokers and threads, learns the same. */
  @Test
  void knowsNothingOfPlaces() {
    golden(true).assertMatches(learned(LearnerTestKitTest.KIT));
    golden(false)
        .assertMatches(learned(LearnerTestKitTest.KIT
            .with("bootstrap.servers", "other:9092")
            .with("threads", 3)
            .with("checkpoint.slots", 17)
            .with("state.dir", "elsewhere")));
  }

  @Test
  void namesTheFirstRoundAndWeightAndWhatChanged() {
    golden(true).assertMatches(learned(LearnerTestKitTest.KIT));
    assertThat(failure(learned(LearnerTestKitTest.KIT.with("clip.norm", 0.5))))
        .contains("what was learned is not what the golden file")
        .containsPattern(
            "first difference: round 1 of model model: weight 0 was \\S+, is \\S+ \\([+-]\\S+\\),"
                + " 2 of 2 differ")
        .contains(
            "rounds that differ: 10 of 10 (10 before, 10 now)",
            "changed setting: clip.norm was absent, is 0.5",
            "changed run: fingerprint was ",
            "-Dsotto.golden.update=true");
  }

  @Test
  void namesARoundThatCameOrWent() {
    golden(true).assertMatches(learned(LearnerTestKitTest.KIT));
    String longer = failure(LearnerTestKitTest.KIT.learn(LearnerTestKitTest.events(44, 1)));
    assertThat(longer)
        .contains(
            "first difference: round 11 of model model is new",
            "rounds that differ: 1 of 11 (10 before, 11 now)",
            "dead letters: partition 0 offset 40 was MISSING_FIELD, is absent",
            "changed run: events was 41, is 44",
            "changed run: input was ")
        .doesNotContain("changed setting");
    assertThat(failure(LearnerTestKitTest.KIT.learn(LearnerTestKitTest.events(36, 1))))
        .contains("round 10 of model model is missing now");
  }

  @Test
  void namesSettingsThatChangeNothingElse() {
    golden(true).assertMatches(learned(LearnerTestKitTest.KIT));
    assertThat(failure(learned(LearnerTestKitTest.KIT.with("metrics.bins", 17))))
        .contains("every round is as it was", "changed setting: metrics.bins was ");
  }

  @Test
  void writesNothingOnCi() {
    GoldenFile onCi = new GoldenFile(file, true, Map.of("CI", "true"));
    assertThatThrownBy(() -> onCi.assertMatches(learned(LearnerTestKitTest.KIT)))
        .isInstanceOf(AssertionFailedError.class)
        .hasMessageContaining("golden files are not written where CI is true");
    assertThat(file).doesNotExist();
  }

  @Test
  void refusesWhatIsNoGoldenFile() throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "hello\n");
    assertThat(failure(learned(LearnerTestKitTest.KIT)))
        .contains("line 1 is neither a [section] nor");
    Files.writeString(file, "[run]\nformat: 9\n");
    assertThat(failure(learned(LearnerTestKitTest.KIT))).contains("format must be 1, but is 9");
  }

  /** Of a large model the first weights stand in the file, and a hash of all. */
  @Test
  void keepsLargeModelsShort() throws IOException {
    LearnerTestKit large = LearnerTestKitTest.KIT
        .with("features.categorical.c.field", "c")
        .with("features.categorical.c.optional", true)
        .with("features.hash.bits", 10);
    golden(true).assertMatches(learned(large));
    golden(false).assertMatches(learned(large));
    String text = Files.readString(file);
    assertThat(text).contains("sha256:");
    assertThat(text.length()).isLessThan(30_000);
    String last = text.substring(text.lastIndexOf("sha256:"), text.lastIndexOf("sha256:") + 20);
    Files.writeString(file, text.replace(last, "sha256:0000000000000"));
    assertThat(failure(learned(large)))
        .contains("round 10 of model model: a weight beyond those that stand in the file");
  }
}
