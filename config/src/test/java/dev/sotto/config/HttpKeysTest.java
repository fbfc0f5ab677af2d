package dev.sotto.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.config.settings.HttpSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HttpKeysTest {
  @Test
  void opensNothingByDefault() {
    assertThat(Texts.load().http()).isEmpty();
  }

  @Test
  void readsWhereToListenAndWhatIsReady() {
    assertThat(Texts.load("http.listen: 9404").http())
        .contains(new HttpSettings("127.0.0.1", 9404, Optional.empty(), 100));
    SottoConfig config =
        Texts.load("http.listen: 0.0.0.0:0", "http.ready.round.age.ms: 60000", "http.models: 5");
    HttpSettings expected = new HttpSettings("0.0.0.0", 0, Optional.of(Duration.ofMinutes(1)), 5);
    assertThat(config.http()).contains(expected);
    assertThat(config.withBootstrapServers("other:1").http()).contains(expected);
    assertThat(Texts.load("http.listen: 9404", "http.names: [a, b.example]").http())
        .map(HttpSettings::names)
        .contains(List.of("a", "b.example"));
  }

  @Test
  void namesWhatIsWrong() {
    assertThatThrownBy(() -> Texts.load("http.listen: nowhere"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("http.listen must be host:port");
    assertThatThrownBy(() -> Texts.load("http.ready.round.age.ms: 60000"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("http.ready.round.age.ms means nothing here: it needs http.listen");
    assertThatThrownBy(() -> Texts.load("http.names: [a]"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("http.names means nothing here: it needs http.listen");
  }
}
