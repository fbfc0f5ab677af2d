package dev.sotto.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.config.key.ConfigKeys;
import dev.sotto.config.source.EffectiveSettings;
import dev.sotto.learner.loss.ObjectiveSettings;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.ConfigKey.Condition;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.serdes.event.EventKeys;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.LayoutChoice;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EffectiveSettingsTest {
  /** Settings have defaults where they mean nothing; each line has its twin, where they do. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "algorithm=private-ftrl||batch.size privacy.mechanism metrics.share",
        "algorithm=clipped-sgd,heavy.diameter=2|batch.size privacy.mechanism metrics.share|block.slots",
        "algorithm=tree-momentum-nsgd|block.slots momentum.batches metrics.share|batch.size",
        "algorithm=tree-momentum-nsgd,momentum.epochs=3|batch.size|block.slots momentum.batches",
        "algorithm=sensitivity-reduced-nsgd|momentum.batches batch.size|block.slots",
        "algorithm=sensitivity-reduced-nsgd,momentum.form=window|batch.size|momentum.batches",
        "algorithm=resque|resque.rounds resque.points resque.solver|resque.form",
        "algorithm=resque,layout=rounds|batch.size|resque.rounds resque.points resque.solver",
        "algorithm=resque,resque.form=ordered-calls|resque.points resque.solver|resque.rounds",
      })
  void showsWhatMeansSomethingBesideTheOthers(String flags, String hidden, String shown) {
    EffectiveSettings settings = Texts.flagged(flags.split(",")).effective();
    List<String> lines = settings.yaml().lines().map(line -> line.split(":")[0]).toList();
    assertThat(lines).contains(shown.split(" "));
    for (String each : hidden == null ? new String[0] : hidden.split(" ")) {
      assertThat(lines).doesNotContain(each);
      assertThat(settings.values()).containsKey(each);
    }
  }

  @Test
  void hasValuesOfTheTypesOfTheirKeys() {
    EffectiveSettings settings = Texts.flagged("privacy.delta=1e-7").effective();
    assertThat(settings.get(PlanKeys.DELTA)).isEqualTo(1e-7);
    assertThat(settings.get(ApplicationKeys.LAYOUT)).isEqualTo(LayoutChoice.AUTO);
    assertThat(settings.find(PlanKeys.HORIZON)).contains(1000L);
    assertThat(settings.find(EventKeys.AVRO_SCHEMAS)).isEmpty();
    assertThatThrownBy(() -> settings.get(EventKeys.AVRO_SCHEMAS))
        .hasMessageContaining("events.avro.schemas does not apply here");
    assertThat(EffectiveSettings.NONE.with(PlanKeys.BATCH_SIZE, 0L).written())
        .containsEntry("batch.size", "auto");
    assertThat(settings.get(ObjectiveSettings.LOSS)).isEqualTo("logistic");
  }

  @Test
  void dependsOnDeclaredSettingsAlone() {
    List<ConfigKey<?>> others = ConfigKeys.all().stream()
        .flatMap(key -> key.uses().stream())
        .flatMap(List::stream)
        .<ConfigKey<?>>map(Condition::on)
        .distinct()
        .toList();
    assertThat(others).isNotEmpty();
    assertThat(others)
        .allSatisfy(each -> assertThat(ConfigKeys.declared(each.name())).isNotNull());
  }
}
