package dev.sotto.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerSettingsTest {
  @Test
  void refusesWhatTheBrokerSetsItself() {
    BrokerSettings settings = BrokerSettings.temporary();
    assertThatThrownBy(() -> settings.withProperties(Map.of("listeners", "CLIENT://:9092")))
        .hasMessage("listeners must be left to the embedded broker, but was set to CLIENT://:9092");
  }

  @Test
  void putsGivenPropertiesBeforeTheDefaults(@TempDir Path logs) {
    var all = BrokerConfig.properties(
        logs, 1001, 1002, Map.of("auto.create.topics.enable", "true", "a.new.one", "1"));
    assertThat(all)
        .containsEntry("auto.create.topics.enable", "true")
        .containsEntry("a.new.one", "1")
        .containsEntry("min.insync.replicas", "1")
        .containsEntry("advertised.listeners", "CLIENT://127.0.0.1:1001");
    assertThat(all.getProperty("controller.quorum.voters")).endsWith("@127.0.0.1:1002");
  }
}
