package dev.sotto.app.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.client.MadeVersion;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FeatureNames;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.snapshot.PublishedModel;
import java.util.List;
import org.junit.jupiter.api.Test;

class WeightTextTest {
  private static final FeatureMap MAP = FeatureMap.builder()
      .hashBits(1)
      .categorical("city", "city", true)
      .label("y", new LabelRule.AsItIs())
      .build();

  private final WeightText text = text(MAP.describe(), 0.5, 3, -7);

  private static WeightText text(String features, double... weights) {
    MadeVersion made = MadeVersion.of("m", 1, weights, features, "logistic");
    return new WeightText(new PublishedModel(made.manifest(), weights));
  }

  @Test
  void namesWeightsAndWarnsOfCollisions() {
    List<String> lines = text.lines(2);
    assertThat(lines).hasSize(4);
    assertThat(lines.get(0)).startsWith("weight 0 ").contains("0.5").endsWith("bias");
    assertThat(lines.get(1)).endsWith("hashed 0 of city");
    assertThat(lines.get(2)).isEqualTo("... 1 more: --weights");
    assertThat(lines.get(3)).contains("values of city", "cannot be told apart", "--value city=");
    assertThat(text("examples 1\n", 1, 2).lines(5)).hasSize(2).allMatch(x -> x.contains("input"));
  }

  /** Two coordinates for three values: two of them meet. */
  @Test
  void tellsWhereValuesAreAndWhichMeet() {
    List<String> lines = text.values(List.of("city=a", "city=b", "city=c"));
    assertThat(lines.stream().filter(each -> each.contains("the same as that of")))
        .hasSizeBetween(2, 3);
    FeatureNames.Place place = MAP.names().place("city", "a");
    assertThat(lines.get(0))
        .startsWith("city=a is " + (place.sign() < 0 ? "minus " : "") + "weight "
            + place.coordinate() + " (" + (place.coordinate() == 1 ? "3.0" : "-7.0") + ")");
    assertThatThrownBy(() -> text.values(List.of("town=a"))).hasMessageContaining("city");
    assertThatThrownBy(() -> text.values(List.of("city"))).hasMessageContaining("FEATURE=TEXT");
  }
}
