package dev.sotto.app.init;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testing.Seed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is proposed for a label by the values of a public sample. */
class LabelProposalTest {
  private static String ofTexts(String... texts) {
    SampleField field = new SampleField(List.of("y"), true);
    for (int i = 0; i < 200; i++) {
      field.text(texts[i % texts.length]);
    }
    return LabelProposal.ofValues(field, true).orElseThrow().line();
  }

  private static String ofNumbers(boolean measures, IntToDoubleFunction at) {
    SampleField field = new SampleField(List.of("y"), true);
    IntStream.range(0, 5_000).forEach(i -> field.number(at.applyAsDouble(i)));
    return LabelProposal.ofValues(field, measures).orElseThrow().line();
  }

  /** Rain tomorrow: yes, no, or nobody has looked. */
  @Test
  void takesNoMarkOfAMissingLabelForAClass() {
    assertThat(ofTexts("No", "Yes", "NA", "No")).isEqualTo("loss: logistic");
    assertThat(ofTexts("low", "high", "?")).isEqualTo("loss: softmax, label.names: [high, low]");
    assertThat(ofTexts("No", "Yes", "yes", "N/A")).isEqualTo("loss: logistic");
    assertThat(ofTexts("No", "Yes")).isEqualTo("loss: logistic, label.classes: [Yes]");
    assertThat(ofTexts("none", "mild", "unknown"))
        .isEqualTo("loss: softmax, label.names: [mild, none, unknown]");
  }

  @Test
  void takesTheLettersOfAnAlphabetForClasses() {
    String[] letters =
        IntStream.rangeClosed('A', 'Z').mapToObj(Character::toString).toArray(String[]::new);
    assertThat(ofTexts(letters)).startsWith("loss: softmax, label.names: [A, B, C,");
  }

  /** Worse, the same and better: a loss of two classes would read -1 as 0. */
  @Test
  void takesMinusOneAndZeroForTwoClassesOfThree() {
    assertThat(ofNumbers(true, i -> i % 3 - 1)).isEqualTo("loss: softmax, label.names: [-1, 0, 1]");
  }

  /** Bounds that one far value decides would leave all others in one place. */
  @Test
  void leavesTheRangeOfNumbersToBeMeasuredUnlessTheFirstOnesAreOthers() {
    Random random = Seed.random(3);
    IntToDoubleFunction even = i -> 10 + random.nextGaussian();
    assertThat(ofNumbers(true, even)).isEqualTo("loss: squared");
    assertThat(ofNumbers(false, even)).startsWith("loss: squared, label.min: ");
    IntToDoubleFunction growing = i -> i / 1000.0 + random.nextDouble();
    assertThat(ofNumbers(true, growing)).isEqualTo("loss: squared, label.min: 0, label.max: 6");
    assertThat(ofNumbers(true, i -> i == 4_000 ? 1e6 : growing.applyAsDouble(i)))
        .isEqualTo("loss: squared");
    IntToDoubleFunction rare = i -> i % 3 == 0 ? 1 + random.nextDouble() : 0;
    assertThat(ofNumbers(true, rare)).contains("label.min: 0");
  }

  /** Only what learn makes for a file, and where nothing is said that needs bounds. */
  @Test
  void writesBoundsForAStreamAndWhereTheyAreNeeded() {
    assertThat(written(true, Map.of())).doesNotContain("\nlabel.min");
    assertThat(written(true, Map.of("loss", "absolute"))).doesNotContain("\nlabel.min");
    assertThat(written(true, Map.of("loss", "huber"))).contains("\nlabel.min: 0\n");
    assertThat(written(true, Map.of("metrics.share", "0.05"))).contains("\nlabel.min: 0\n");
    assertThat(written(false, Map.of())).contains("\nlabel.min: 0\n");
  }

  @Test
  void writesAListInBracketsAsItWasSaid() {
    assertThat(written(true, Map.of("loss", "softmax", "label.names", "[1, 'a, b']")))
        .contains("\nlabel.names: [1, 'a, b']\n");
    assertThat(written(true, Map.of("loss", "softmax", "label.names", "1,a , b")))
        .contains("\nlabel.names: [1, a, b]\n");
  }

  private static String written(boolean ofAFile, Map<String, String> said) {
    Sample sample = new Sample(true);
    for (int i = 0; i < 2_000; i++) {
      sample.field(List.of("y")).number(i % 101);
      sample.read();
    }
    EventSource source = new EventSource("y.csv", "y", "localhost:9092", Optional.empty());
    ConfigurationFile file = new ConfigurationFile(SampledEvents.ofJson(sample), source, "y", said);
    return (ofAFile ? file.ofAFile(0, 4096) : file).text("y", UnitChoice.RECORD, "noise.key");
  }
}
