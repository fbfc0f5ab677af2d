package dev.sotto.app.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.serdes.record.ModelMetrics;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetricsTextTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static ModelMetrics window(long first, long last, double noiseStd, double... sums) {
    NoisyMetrics noisy = new NoisyMetrics(first, last, 128, 2, sums, noiseStd);
    return new ModelMetrics("late", new byte[] {1, (byte) 0xab}, noisy, new byte[] {9});
  }

  @Test
  void laysOutWindowsAndTheNewestCurve() {
    List<String> lines = MetricsText.lines(
        List.of(
            window(1, 4, 3, 30, 80, 20, 40, 10, 15, 35), window(5, 5, 0.5, 1, -2, 1, 2, 2, -3, 1)),
        false);
    assertThat(lines).hasSize(9);
    assertThat(lines.get(0)).startsWith("model late").contains("standard error");
    assertThat(words(lines.get(2)))
        .containsExactly(
            "1-4", "128", "100.0", "4.2", "0.6000", "0.0652", "-", "-", "0.8000", "0.0247");
    assertThat(words(lines.get(3)))
        .containsExactly("5", "128", "-1.0", "0.7", "-", "-", "-", "-", "-", "-");
    assertThat(lines.get(4)).isEqualTo("learned from: 38.7 % +- 1.7 % of 256 slots");
    assertThat(lines.get(5)).isEqualTo("reliability of rounds 5");
    assertThat(words(lines.get(7)))
        .containsExactly("0.000-0.500", "4.0", "0.7", "0.5000", "0.0884");
    assertThat(words(lines.get(8))).containsExactly("0.500-1.000", "-2.0", "0.7", "-", "-");
  }

  /** A loss alone says nothing: what needs no feature stands beside it. */
  @Test
  void showsWhatNeedsNoFeatureBesideTheLoss() {
    List<String> lines = MetricsText.lines(
        List.of(
            window(1, 4, 3, 30, 80, 20, 40, 10, 15, 35),
            window(5, 8, 3, 45, 80, 20, 40, 10, 15, 35)),
        true);
    // 45 of 100 labels are 1: the best constant has the entropy of 0.45.
    assertThat(words(lines.get(2)).length).isEqualTo(10);
    assertThat(words(lines.get(2))[6]).isEqualTo("0.6881");
    assertThat(lines.get(4))
        .startsWith("rounds 1-8: loss 0.7500 +- ")
        .contains("where the best constant has 0.6881 +- ", "standard errors WORSE");
    assertThat(lines.get(5))
        .startsWith("rounds 5-8: loss 0.9000 +- ")
        .contains("where the base rate of those before has 0.6881");
  }

  /** Noise alone never ends it: what is said must hold at two standard errors. */
  @Test
  void saysWhenNextToNobodyContributesAnyMore() {
    assertThat(LearnedShare.of(List.of(window(1, 1, 0.2, 0, 1, 0).noisy())).text())
        .contains("0.8 % +- 0.2 %", "LEARNING HAS ENDED");
    assertThat(LearnedShare.of(List.of(window(1, 1, 2, 0, 1, 0).noisy())).isHardlyAny())
        .isFalse();
    assertThat(LearnedShare.of(List.of(window(1, 1, 0.2, 0, -9, 0).noisy())).text())
        .startsWith("learned from: 0.0 %");
  }

  private static String[] words(String line) {
    return line.strip().split(" +");
  }

  @Test
  void saysSoWhereMetricsAreExact() {
    assertThat(MetricsText.lines(List.of(window(1, 1, 0, 1, 2, 3, 4, 5)), false).get(0))
        .contains("EXACT", "without any guarantee");
  }

  @Test
  void givesJsonWhatIsKnownAndNullWhatIsNot() throws JsonProcessingException {
    JsonNode known = json(window(1, 4, 3, 30, 80, 20, 40, 10, 15, 35));
    assertThat(known.get("model").asText()).isEqualTo("late");
    assertThat(known.get("run").asText()).isEqualTo("01ab");
    assertThat(known.get("firstRound").asLong()).isEqualTo(1);
    assertThat(known.get("lastRound").asLong()).isEqualTo(4);
    assertThat(known.get("exact").asBoolean()).isFalse();
    assertThat(known.get("count").asDouble()).isEqualTo(100);
    assertThat(known.get("accuracy").asDouble()).isEqualTo(0.8);
    assertThat(known.get("reliability")).hasSize(2);
    assertThat(known.get("reliability").get(1).get("from").asDouble()).isEqualTo(0.5);
    assertThat(known.get("reliability").get(1).get("meanLabel").asDouble()).isEqualTo(0.7);
    assertThat(known.get("sums")).hasSize(7);
    JsonNode unknown = json(window(1, 4, 3, 30, -80, 20, 40, 10, -15, -35));
    for (String name : List.of("meanLoss", "meanLossError", "accuracy", "accuracyError")) {
      assertThat(unknown.get(name).isNull()).as(name).isTrue();
    }
    assertThat(unknown.get("reliability").get(1).get("meanLabel").isNull()).isTrue();
    assertThat(json(window(1, 1, 0, 1, 2, 3, 4, 5)).get("exact").asBoolean()).isTrue();
  }

  private static JsonNode json(ModelMetrics metrics) throws JsonProcessingException {
    return JSON.readTree(JsonRenderer.of(RecordDescriptions.metrics(metrics)));
  }
}
