package dev.sotto.app.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.client.MadeVersion;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.range.Octaves;
import dev.sotto.learner.range.RangeWindow;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.serdes.snapshot.PublishedModel;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScoreCurvesTest {
  private static final FeatureMap MAP = FeatureMap.builder()
      .hats(2)
      .numeric("flat", "flat", 0, 10, Transform.IDENTITY, true)
      .numeric("bent", "bent", 0, 10, Transform.IDENTITY, true)
      .label("y", new LabelRule.AsItIs())
      .build();

  private static List<ScoreCurves.Curve> curves(String loss, double... weights) {
    MadeVersion made = MadeVersion.of("m", 1, weights, MAP.describe(), loss);
    return ScoreCurves.of(new PublishedModel(made.manifest(), weights));
  }

  /** A hat of weight 4 in the middle: 0 at both ends, 2 between them. */
  @Test
  void plotsTheMostTellingNumberFirst() {
    List<ScoreCurves.Curve> curves = curves("logistic", 9, 0.1, 0, 0, 0, 0, 0, 4, 0);
    assertThat(curves).extracting(ScoreCurves.Curve::feature).containsExactly("bent", "flat");
    assertThat(curves.get(0).spread()).isEqualTo(2);
    assertThat(curves.get(0).points().get(16).value()).isEqualTo(5);
    assertThat(curves.get(0).points().get(16).score()).isEqualTo(2);
    List<String> lines = ScoreCurves.lines(curves, 1);
    assertThat(lines).hasSize(8);
    assertThat(lines.get(0)).isEqualTo("curve bent: moves the score by 2.000");
    assertThat(lines.get(1)).startsWith("       2.000 |").endsWith("*");
    assertThat(lines.get(1).indexOf('*')).isGreaterThan(20);
    assertThat(lines.get(5)).startsWith("       0.000 |*");
    assertThat(lines.get(6)).matches(" {14}0.000 +10.00");
    assertThat(lines.get(7)).isEqualTo("... 1 curves more: --weights");
  }

  @Test
  void namesTheClassWhoseScoreItIs() {
    double[] weights = new double[3 * 9];
    weights[2 * 9 + 1] = 1; // of flat in the last row
    ScoreCurves.Curve first = curves("softmax(3)", weights).get(0);
    assertThat(first.title()).isEqualTo("class 2: flat");
    assertThat(first.spread()).isEqualTo(2);
    assertThat(ScoreCurves.lines(curves("softmax(3)", new double[27]), 1))
        .contains("curve class 0: flat: moves the score by 0.000");
  }

  /** A number that never changes has a part of the bias, however large, and tells nothing. */
  @Test
  void namesNumbersOfWhichNoValuesAreKnownToDifferLast() {
    FeatureMap map = FeatureMap.builder()
        .unbounded("code", "code", true)
        .unbounded("constant", "constant", true)
        .unbounded("age", "age", true)
        .measured(true)
        .label("y", new LabelRule.AsItIs())
        .build();
    String features = FeatureMapText.measured(
        map.describe(),
        new RangeWindow(3, 8, 5, 0.5),
        12,
        List.of(NumberRange.UNKNOWN, NumberRange.of(4.98, 5.02), NumberRange.of(20, 60)));
    int each = (map.dimension() - 1) / 3;
    double[] weights = new double[map.dimension()];
    Arrays.fill(weights, 1, 1 + each, 50); // of the code, of which no range was found
    weights[1 + each + Octaves.COUNT] = 9; // of the constant's place
    weights[1 + 2 * each + Octaves.COUNT] = 1; // of the age's place
    weights[1 + 2 * each + Octaves.COUNT + 11] = 7; // of its hat at place 2, beyond the range
    MadeVersion made = MadeVersion.of("m", 1, weights, features, "logistic");
    PublishedModel model = new PublishedModel(made.manifest(), weights);
    List<ScoreCurves.Curve> curves = ScoreCurves.of(model);
    assertThat(curves)
        .extracting(ScoreCurves.Curve::feature)
        .containsExactly("age", "constant", "code");
    assertThat(curves.get(0).spread()).isEqualTo(2); // from 20 to 60 alone
    List<String> lines = ScoreCurves.lines(curves, 3);
    assertThat(lines.get(0)).isEqualTo("curve age: moves the score by 2.000");
    assertThat(lines.get(1)).startsWith("       5.500 |");
    assertThat(lines).contains("curve constant: nearly constant, moves the score by 18.00");
    assertThat(lines.get(lines.size() - 1)).isEqualTo("curve code: no range is known");
    assertThat(TextRenderer.of(
            VersionDescription.of(model, VersionDescription.Confirmed.NO_LEDGER, null, false)))
        .contains("What moves the score most: age (2.000).");
    assertThat(TellingFeatures.of(model, 3))
        .as("the same ranking, whatever the norms")
        .extracting(TellingFeatures.Feature::name)
        .containsExactly("age", "constant", "code");
  }
}
